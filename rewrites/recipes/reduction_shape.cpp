#include "rewrites/recipes/reduction_shape.h"

#include <algorithm>
#include <array>
#include <set>

#include "ir/seg/traverse.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// Of an element of the array whose elements are the shortest. Certificates, which an earlier map may have left in an array, take no memory.
int64_t least_bytes_read(const seg::SegOp& op) {
  int64_t bytes = 8;
  for (const seg::StmPtr& s : op.body->stms) {
    const bool reads = std::holds_alternative<seg::Index>(s->exp) && s->pat[0].type.elem != prim::Type::Unit;
    if (reads) bytes = std::min<int64_t>(bytes, prim::size_bytes(s->pat[0].type.elem));
  }
  return bytes;
}

// Elements of a thread where there are more of them than threads that fill the device: so many that threads of a warp have a row of
// a thousand for themselves, and combine what they have without the rest of the block; and of short rows so many that less is combined,
// as long as neighbours in memory are read by kLanesSideBySide threads.
constexpr int64_t kElementsOfMany = 32, kElementsOfShort = 8, kLanesSideBySide = 4;
// Of a thread, from which on two blocks for a segment cost less than they gain.
constexpr int64_t kElementsOfLong = 64;

// Whether it adds to one of these what all elements of all segments have alike.
bool is_next_plus(const seg::Exp& e, const seg::NameSet& next, const seg::NameSet& of_segment,
                  const seg::NameSet& moving) {
  const auto* sum = std::get_if<seg::PrimOp>(&e);
  if (!sum || (sum->op.family != prim::Family::Add && sum->op.family != prim::Family::AddNw)) return false;
  auto is = [](const seg::SubExp& x, const seg::NameSet& names) { return x.is_var() && names.contains(x.name()); };
  auto is_alike = [&](const seg::SubExp& x) { return !is(x, of_segment) && !is(x, moving); };
  const seg::SubExp &a = sum->args[0], &b = sum->args[1];
  return (is(a, next) && is_alike(b)) || (is_alike(a) && is(b, next));
}

}  // namespace

std::vector<seg::Type> folded_types(const seg::SegOp& op) {
  std::vector<seg::Type> types;
  for (const seg::SegBinOp& o : op.ops) types.insert(types.end(), o.lambda.ret.begin(), o.lambda.ret.end());
  return types;
}

int64_t num_registers(const std::vector<seg::Type>& types) {
  int64_t words = 0;
  for (const seg::Type& t : types) words += (prim::size_bytes(t.elem) + 3) / 4;
  return words;
}

size_t num_arrays(const seg::SegOp& op) {
  std::set<Name> arrays;
  for (const seg::StmPtr& s : op.body->stms) {
    if (const auto* index = std::get_if<seg::Index>(&s->exp)) arrays.insert(index->array);
  }
  return arrays.size() + op.types.size() - folded_types(op).size();
}

bool reads_neighbours(const seg::SegOp& op, const Layouts& layouts) {
  bool reads = false;
  seg::NameSet moving{op.space.dims.back().index};
  for (const seg::StmPtr& s : op.body->stms) {
    const auto* index = std::get_if<seg::Index>(&s->exp);
    if (!index) {
      if (std::ranges::any_of(seg::free_names(*s), [&](const Name& n) { return moving.contains(n); }))
        for (const seg::PatElem& p : s->pat) moving.insert(p.name);
      continue;
    }
    reads = true;
    auto perm = layouts.dense_perm(index->array);
    if (!perm || !std::ranges::is_sorted(*perm)) return false;
    for (size_t d = 0; d < index->slice.size(); ++d) {
      const auto* at = std::get_if<seg::DimFix>(&index->slice[d]);
      bool moves = at && at->index.is_var() && moving.contains(at->index.name());
      if (!at || moves != (d + 1 == index->slice.size())) return false;
    }
  }
  return reads;
}

bool reads_columns(const seg::SegOp& op, const Layouts& layouts) {
  if (op.space.dims.size() < 2) return false;
  const Name& segment = op.space.dims[op.space.dims.size() - 2].index;
  seg::NameSet moving{op.space.dims.back().index}, of_segment{segment};
  seg::NameSet next{segment};  // of neighbouring segments each is one more than the other's
  auto depends_on = [](const seg::DimIndex& d, const seg::NameSet& names) {
    const auto* at = std::get_if<seg::DimFix>(&d);
    return at && at->index.is_var() && names.contains(at->index.name());
  };
  bool columns = false;
  for (const seg::StmPtr& s : op.body->stms) {
    if (const auto* index = std::get_if<seg::Index>(&s->exp)) {
      const auto perm = layouts.dense_perm(index->array);
      if (!perm || perm->size() != index->slice.size()) return false;
      // What all segments read alike is no matter.
      if (std::ranges::none_of(index->slice, [&](const seg::DimIndex& d) { return depends_on(d, of_segment); }))
        continue;
      for (const seg::PatElem& p : s->pat) of_segment.insert(p.name);
      const seg::DimIndex& last = index->slice[static_cast<size_t>(perm->back())];
      if (depends_on(last, moving)) return false;
      const auto* at = std::get_if<seg::DimFix>(&last);
      columns |= at && at->index.is_var() && next.contains(at->index.name()) &&
                 std::ranges::any_of(index->slice, [&](const seg::DimIndex& d) { return depends_on(d, moving); });
      continue;
    }
    const seg::NameSet free = seg::free_names(*s);
    if (is_next_plus(s->exp, next, of_segment, moving)) next.insert(s->pat[0].name);
    for (seg::NameSet* names : {&moving, &of_segment}) {
      if (!std::ranges::any_of(free, [&](const Name& n) { return names->contains(n); })) continue;
      for (const seg::PatElem& p : s->pat) names->insert(p.name);
    }
  }
  return columns;
}

int64_t columns_of_block(const seg::SegOp& op) {
  constexpr int64_t kSector = 32;  // bytes
  return kSector / least_bytes_read(op);
}

std::vector<Name> read_along(const seg::SegOp& op, const Layouts& layouts) {
  std::vector<Name> arrays;
  const seg::DimIndex own = seg::DimFix{seg::SubExp(op.space.dims.back().index)};
  if (!reads_neighbours(op, layouts)) return {};
  for (const seg::StmPtr& s : op.body->stms) {
    const auto* index = std::get_if<seg::Index>(&s->exp);
    if (index && index->slice.back() == own && std::ranges::find(arrays, index->array) == arrays.end())
      arrays.push_back(index->array);
  }
  return arrays;
}

int64_t bytes_read(const seg::SegOp& op, const std::vector<Name>& arrays) {
  int64_t bytes = 0;
  for (const Name& array : arrays) {
    for (const seg::StmPtr& s : op.body->stms) {
      const auto* index = std::get_if<seg::Index>(&s->exp);
      if (!index || index->array != array) continue;
      bytes += prim::size_bytes(s->pat[0].type.elem);
      break;
    }
  }
  return bytes;
}

// Side by side they read whole lines. Measured on an H100, the kernels' us by one thread and by several: 30 million i32 in segments of 12 47 and 48, of 16 66 and 54, of
// 30 61 and 52, of 64 131 and 46, of 100 86 and 62; of f64 of 16 126 and 88; of i8, of which a thread has a line for long, of 30 16 and 41,
// of 100 41 and 50, of 300 50 and 39; of an i32 and its place, for which combining takes longer, of 16 67 and 85, of 30 67 and 67, of 100
// 87 and 85.
int64_t long_side_by_side(const seg::SegOp& op) {
  int64_t bytes = least_bytes_read(op);
  if (bytes < 4) return bytes == 1 ? 256 : 64;
  return num_registers(folded_types(op)) <= 2 ? 16 : 64;
}

// For two arrays, for three, and for more. Measured on an H100 with products of matrices of i32, in
// us, by a thread for each segment and in tiles: two arrays of 500,000 segments of 20 elements 48 and 56, of 100,000 of 100 59 and 50;
// three of a million of 10 59 and 63, of 12 68 and 66, of 500,000 of 20 120 and 64; four of a million of 7 56 and 55, of 8 67 and 60,
// of 100,000 of 100 290 and 81.
int64_t long_for_tiles(const seg::SegOp& op) {
  constexpr std::array<int64_t, 3> kElements = {64, 12, 8};
  return kElements.at(std::min(num_arrays(op) - 2, kElements.size() - 1));
}

Division divide(const Expr& segments, const Expr& width, const Expr& elements, int64_t of_thread, int64_t filling,
                int64_t rows) {
  Division d;
  Expr useful_lanes = nest::ceil_div(width, elements);
  d.lanes = power_of_two(log2_up(nest::max(i64(1), nest::min(useful_lanes, i64(kBlockSize)))));
  if (rows > 1) {
    const Expr least = power_of_two(log2_up(nest::max(i64(1), nest::min(segments, i64(rows)))));
    d.lanes = nest::min(d.lanes, nest::div(i64(kBlockSize), least));
  }
  d.rows = nest::div(i64(kBlockSize), d.lanes);
  d.blocks = nest::ceil_div(segments, d.rows);
  Expr useful = nest::ceil_div(width, nest::mul(d.lanes, i64(of_thread)));
  Expr room = nest::div(i64(filling), nest::max(i64(1), d.blocks));
  d.chunks = nest::max(i64(1), nest::min(useful, room));
  if (rows > 1) return d;
  // Of the second round of blocks, where there are hardly more than run at once, most multiprocessors would have none.
  Expr few_too_many =
      nest::both(nest::less(i64(filling), d.blocks), nest::less(nest::mul(i64(2), d.blocks), i64(3 * filling)));
  Expr long_halves = nest::less(nest::mul(d.lanes, i64(2 * kElementsOfLong)), width);
  d.chunks = nest::select(nest::both(few_too_many, long_halves), i64(2), d.chunks);
  return d;
}

Expr elements_of_many(const Expr& segments, const Expr& width) {
  Expr together = nest::div(nest::mul(segments, width), i64(kFillingBlocks * kBlockSize));
  Expr of_short = nest::min(nest::ceil_div(width, i64(kLanesSideBySide)), i64(kElementsOfShort));
  Expr of_warp = nest::max(nest::ceil_div(width, i64(kLanesOfWarp)), of_short);
  return nest::max(i64(1), nest::min(nest::min(together, of_warp), i64(kElementsOfMany)));
}

}  // namespace heddle::lower
