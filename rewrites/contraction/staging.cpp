#include "rewrites/contraction/staging.h"

namespace heddle::contraction {

using nest::add;
using nest::Buffer;
using nest::constant;
using nest::Expr;
using nest::mul;
using nest::Role;

namespace {

// Whether tiles that reach beyond the extent of an index may begin before the first element.
bool runs_backwards(const DimMap& m) { return std::ranges::any_of(m.coefficients, &nest::Coefficient::negative); }

}  // namespace

std::vector<Expr> Chunks::first(const Expr& chunk) const {
  std::vector<Expr> first = digits(chunk, x_.geometry.num_chunks);
  for (size_t r = 0; r < first.size(); ++r) {
    bool is_only = nest::int_constant(x_.geometry.num_chunks[r]) == 1;
    first[r] = is_only ? zero() : x_.w.let("first", mul(first[r], x_.schedule.reduction[r].chunk));
  }
  return first;
}

Staging::Staging(const TileContext& x, const Chunks& chunks, std::vector<Expr> origin)
    : x_(x), chunks_(chunks), origin_(std::move(origin)) {
  for (size_t o = 0; o < x.c.operands.size(); ++o)
    tiles_.push_back(x.w.alloc("tile", x.c.operands[o].elem, nest::Space::Shared, x.geometry.operands[o].tile));
}

Box Staging::box(const std::vector<Expr>& first_of_chunk) const {
  Box box;
  for (size_t p = 0; p < x_.num_parallel(); ++p) box.push_back({origin_[p], x_.geometry.block_tile[p]});
  for (size_t r = 0; r < x_.num_reduction(); ++r) box.push_back({first_of_chunk[r], x_.schedule.reduction[r].chunk});
  return box;
}

Expr Staging::stage_of(const Expr& chunk) const { return x_.w.let("stage", nest::mod(chunk, x_.schedule.stages)); }

void Staging::copy(const Expr& chunk, const ThreadPlace& thread) const {
  Expr stage = stage_of(chunk);
  Box of_chunk = box(chunks_.first(chunk));
  for (size_t o = 0; o < tiles_.size(); ++o) copy_operand(o, stage, of_chunk, thread.number);
}

void Staging::copy_operand(size_t o, const Expr& stage, const Box& of_chunk, const Expr& thread) const {
  StatementWriter& w = x_.w;
  const recognize::Operand& operand = x_.c.operands[o];
  const Schedule::Operand& how = x_.schedule.operands[o];
  const Buffer& source = x_.buffer(operand.buffer);
  const OperandGeometry& g = x_.geometry.operands[o];
  std::vector<Expr> low, extents = g.copied;
  for (const DimMap& m : x_.structure.maps[o]) low.push_back(w.let("low", footprint(m, of_chunk).low));
  if (!extents.empty()) extents.pop_back();
  // Threads stand side by side along a row, and what threads that leaves take the next rows: so only the number of a
  // row has to be taken apart, and what depends on the column is the same in all rounds and chunks.
  Expr first_row = w.let("row", nest::div(thread, g.abreast)),
       first_column = w.let("column", nest::mod(thread, g.abreast));
  w.loop("round", g.rounds_right, Role::Unrolled, [&](const Expr& right) {
    Expr column = w.let("column", add(mul(right, g.abreast), first_column));
    w.loop("round", g.rounds_down, Role::Unrolled, [&](const Expr& down) {
      Expr row = w.let("row", add(mul(down, g.at_once), first_row));
      // Threads that are left over would copy what others copy.
      Expr needed = nest::both(nest::less(first_row, g.at_once),
                               nest::both(nest::less(column, g.columns), nest::less(row, g.rows)));
      w.when(needed, [&] {
        std::vector<Expr> in_tile = digits(row, extents);
        if (!low.empty()) in_tile.push_back(mul(column, how.copy_width));
        std::vector<Expr> from, at_dim;
        Expr valid = constant(prim::Value::of_bool(true));
        for (size_t d = 0; d < low.size(); ++d) {
          Expr at = w.let("at", in_tile[d]);
          at_dim.push_back(at);
          from.push_back(w.let("from", add(low[d], at)));
          if (operand.padded || runs_backwards(x_.structure.maps[o][d]))
            valid = nest::both(valid, nest::less(constant(int64_t{-1}), from[d]));
          valid = nest::both(valid, nest::less(from[d], source.dims[d]));
        }
        std::vector<Expr> to = {stage};
        for (size_t d : how.order) to.push_back(at_dim[d]);
        copy_elements(o, to, from, valid);
      });
    });
  });
}

void Staging::copy_elements(size_t o, const std::vector<Expr>& to, const std::vector<Expr>& from,
                            const Expr& valid) const {
  const recognize::Operand& operand = x_.c.operands[o];
  const Expr& width = x_.schedule.operands[o].copy_width;
  if (x_.schedule.asynchronous) {
    x_.w.emit(nest::AsyncCopy{tiles_[o].name, to, operand.buffer, from, width, valid});
    return;
  }
  x_.w.loop("word", width, Role::Unrolled, [&](const Expr& word) {
    std::vector<Expr> to_word = to, from_word = from;
    if (!from.empty()) {
      to_word.back() = add(to.back(), word);
      from_word.back() = add(from.back(), word);
    }
    Expr element = nest::load(operand.buffer, operand.elem, from_word);
    x_.w.emit(nest::Store{tiles_[o].name, to_word, nest::select(valid, element, constant(prim::zero(operand.elem)))});
  });
}

}  // namespace heddle::contraction
