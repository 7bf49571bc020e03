#include "rewrites/recipes/wide_columns.h"

#include <algorithm>

#include "ir/nest/buffers.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

constexpr int64_t kRegisterBytes = 4;
// Of elements that are taken so. With those of one byte, four columns of 3x3 windows, an H100 took 14 and 18 % longer (gauss3, median3).
constexpr int64_t kElementBytes = 2, kColumns = kRegisterBytes / kElementBytes;
// Registers for what a strip reads: with more of them fewer threads are there to wait with.
constexpr int64_t kMostWords = 48;

// A part of an array that a strip reads, along the array's dimensions.
struct Near {
  const nest::Buffer* buffer = nullptr;
  std::vector<Expr> first;
  int64_t rows = 1, words = 1;  // of as many elements as the strip has columns
  size_t y = 0;                 // dimension of its rows

  size_t x() const { return buffer->dims.size() - 1; }
};

int64_t floor_to(int64_t a, int64_t multiple) { return a - ((a % multiple) + multiple) % multiple; }

bool is_narrow(Type type) { return prim::size_bytes(type) == kElementBytes; }

bool moves_with(const stencil::Window& w, size_t index) {
  return w.follows == index && w.num == 1 && w.den == 1 && w.border != stencil::Border::Wrap;
}

// The dimension along which strips read rows of the buffer; none where they do not.
std::optional<size_t> rows_of(const recognize::WindowedRead& read, const nest::Buffer& buffer,
                              const StripShape& strip) {
  const size_t rank = read.windows.size();
  if (rank < 2 || buffer.exchanged || !is_narrow(buffer.elem)) return std::nullopt;
  if (nest::int_constant(buffer.strides.back()) != 1 || !moves_with(read.windows.back(), strip.x)) return std::nullopt;
  std::optional<size_t> rows;
  for (size_t d = 0; d + 1 < rank; ++d) {
    const stencil::Window& w = read.windows[d];
    if (w.follows == strip.x) return std::nullopt;
    if (w.follows == strip.y) {
      if (rows || !moves_with(w, strip.y)) return std::nullopt;
      rows = d;
    } else if (w.lo != w.hi || (w.follows && !moves_with(w, *w.follows))) {
      return std::nullopt;
    }
  }
  return rows;
}

std::vector<Near> near_of(const StageCode& stage, const StripShape& strip, int64_t columns,
                          const std::vector<Expr>& first) {
  std::vector<Near> all;
  for (const recognize::WindowedRead& read : stage.reads) {
    const nest::Buffer& buffer = nest::buffer_named(stage.launch.kernel.buffers, read.buffer);
    const std::optional<size_t> y = rows_of(read, buffer, strip);
    if (!y) continue;
    Near near;
    near.buffer = &buffer;
    near.y = *y;
    near.rows = strip.rows + read.windows[*y].hi - read.windows[*y].lo;
    const stencil::Window& across = read.windows.back();
    const int64_t begin = floor_to(across.lo, columns), end = across.hi + columns;
    near.words = (end - begin + columns - 1) / columns;
    for (size_t d = 0; d < read.windows.size(); ++d) {
      const stencil::Window& w = read.windows[d];
      const int64_t offset = d == near.x() ? begin : w.lo;
      near.first.push_back(w.follows ? nest::add(first[*w.follows], i64(offset)) : i64(offset));
    }
    all.push_back(std::move(near));
  }
  return all;
}

std::vector<Expr> at_first_point(const StageCode& stage) {
  std::vector<Expr> first;
  for (const recognize::Index& i : stage.indices) first.push_back(nest::var(i.name, Type::I64));
  return first;
}

bool stores_rows(const StageCode& stage, const StripShape& strip) {
  for (size_t k = 0; k < stage.results.size(); ++k) {
    const nest::Buffer& b = nest::buffer_named(stage.launch.kernel.buffers, stage.results[k]);
    if (!is_narrow(b.elem) || b.exchanged || nest::int_constant(b.strides.back()) != 1) return false;
    const auto* last = std::get_if<nest::Var>(&stage.places[k].back()->node);
    if (!last || last->name != stage.indices[strip.x].name) return false;
  }
  return true;
}

}  // namespace

bool may_have_columns(const StageCode& stage, const StripShape& strip) {
  // Points with branches of their own do not overlap, while all take registers; where an updated array begins is not known.
  return stage.dear_operations == 0 && !stage.updates && strip.x + 1 == stage.indices.size() &&
         stores_rows(stage, strip);
}

int64_t columns_of(const StageCode& stage, const StripShape& strip) {
  if (!may_have_columns(stage, strip)) return 1;
  int64_t words = 0;
  for (const Near& near : near_of(stage, strip, kColumns, at_first_point(stage))) words += near.rows * near.words;
  const bool gains = words > 0 && words < stage.loads * strip.rows * kColumns;
  return gains && words <= kMostWords ? kColumns : 1;
}

WideReads wide_reads(const StageCode& stage, const StripShape& strip, int64_t columns, const std::vector<Expr>& first,
                     NameSource& names) {
  WideReads reads;
  reads.are_inside = nest::constant(prim::Value::of_bool(true));
  auto are_inside = [&](const Expr& from, int64_t count, const Expr& extent) {
    const Expr exist = nest::both(nest::less(i64(-1), from), nest::less(nest::add(from, i64(count - 1)), extent));
    reads.are_inside = nest::both(reads.are_inside, exist);
  };
  auto unrolled = [](const Name& i, int64_t extent, nest::Stmt body) {
    return nest::stmt(nest::For{i, i64(extent), nest::Role::Unrolled, {std::move(body)}});
  };
  for (const Near& near : near_of(stage, strip, columns, first)) {
    are_inside(near.first[near.y], near.rows, near.buffer->dims[near.y]);
    are_inside(near.first.back(), near.words * columns, near.buffer->dims.back());
    std::vector<Expr> dims(near.first.size(), i64(1));
    dims[near.y] = i64(near.rows);
    dims.back() = i64(near.words * columns);
    const Name kept = names.fresh(near.buffer->name.base + "_near");
    const Type elem = near.buffer->elem;
    reads.loads.push_back(
        nest::stmt(nest::Alloc{{kept, elem, nest::Space::Register, dims, nest::dense_strides(dims)}}));
    const Name row = names.fresh("row"), part = names.fresh("part"), e = names.fresh("e");
    std::vector<Expr> to(near.first.size(), i64(0));
    to[near.y] = nest::var(row, Type::I64);
    to.back() = nest::add(nest::mul(nest::var(part, Type::I64), i64(columns)), nest::var(e, Type::I64));
    std::vector<Expr> from;
    for (size_t d = 0; d < to.size(); ++d) from.push_back(nest::add(near.first[d], to[d]));
    nest::Stmt move =
        nest::stmt(nest::For{e,
                             i64(columns),
                             nest::Role::Vector,
                             {nest::stmt(nest::Store{kept, to, nest::load(near.buffer->name, elem, from)})}});
    reads.loads.push_back(unrolled(row, near.rows, unrolled(part, near.words, std::move(move))));
    reads.places.emplace(near.buffer->name, Place{kept, near.first});
  }
  return reads;
}

Expr rows_are_aligned(const StageCode& stage, const StripShape& strip, int64_t columns, Launch& launch,
                      NameSource& names) {
  Expr bits = i64(0);
  auto include = [&](const Expr& e) { bits = nest::operation(prim::Op(prim::Family::Or, Type::I64), {bits, e}); };
  auto include_rows = [&](const nest::Buffer& b) {
    for (size_t d = 0; d + 1 < b.strides.size(); ++d) include(b.strides[d]);
  };
  // Results are allocated, and begin where any access may.
  for (const Name& r : stage.results) include_rows(nest::buffer_named(stage.launch.kernel.buffers, r));
  for (const Near& near : near_of(stage, strip, columns, at_first_point(stage))) {
    include_rows(*near.buffer);
    const auto number = static_cast<size_t>(near.buffer - stage.launch.kernel.buffers.data());
    const auto* array = std::get_if<HostArray>(&stage.launch.buffer_args[number]);
    if (!array) continue;
    const Name address = names.fresh("address");
    launch.kernel.scalars.push_back({address, Type::I64});
    launch.scalar_args.emplace_back(AddressOf{array->name});
    include(nest::var(address, Type::I64));
  }
  const Expr low = nest::operation(prim::Op(prim::Family::And, Type::I64), {bits, i64(columns - 1)});
  return nest::less(low, i64(1));
}

}  // namespace heddle::lower
