#include "rewrites/contraction/operand_registers.h"

namespace heddle::contraction {

using nest::add;
using nest::Expr;
using nest::mul;
using nest::Role;

namespace {

// Where in the tile the box of points that begins at `offsets` has its first element.
Expr lowest(const DimMap& m, const Box& tile, const Box& points, std::vector<Expr> offsets) {
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (m.coefficients[i].negative) offsets[i] = add(offsets[i], nest::sub(points[i].extent, one()));
  }
  return position(m, tile, offsets);
}

}  // namespace

// They hold the footprint of the thread's points and of the group or of one of its members, each row rounded up to
// whole loads.
OperandRegisters::OperandRegisters(const TileContext& x, const Staging& staging, const ThreadPlace& thread,
                                   int64_t ahead)
    : x_(x), staging_(staging), thread_(thread), ahead_(ahead) {
  for (size_t o = 0; o < x.c.operands.size(); ++o) {
    std::vector<Expr> dims = x.geometry.operands[o].registers;
    dims.insert(dims.begin(), nest::constant(ahead + 1));
    sets_.push_back(x.w.alloc("points", x.c.operands[o].elem, nest::Space::Register, dims));
  }
}

Box OperandRegisters::box(size_t o) const {
  Box points;
  for (const Expr& n : x_.geometry.points) points.push_back({zero(), n});
  for (const Expr& n : x_.geometry.operands[o].members) points.push_back({zero(), n});
  return points;
}

void OperandRegisters::load(bool by_group, const Expr& set, const Expr& stage, const std::vector<Expr>& first_of_chunk,
                            const std::vector<Expr>& start) const {
  Box chunk = staging_.box(first_of_chunk);
  for (size_t o = 0; o < sets_.size(); ++o) {
    if (x_.schedule.operands[o].by_group == by_group) load_operand(o, set, stage, chunk, start);
  }
}

void OperandRegisters::load_operand(size_t o, const Expr& set, const Expr& stage, const Box& chunk,
                                    const std::vector<Expr>& start) const {
  StatementWriter& w = x_.w;
  const Schedule::Operand& how = x_.schedule.operands[o];
  const std::vector<DimMap>& maps = x_.structure.maps[o];
  Box points = box(o);
  std::vector<Expr> offsets, at;
  for (size_t p = 0; p < x_.num_parallel(); ++p) offsets.push_back(x_.threads.place(p, thread_.at[p], zero()));
  offsets.insert(offsets.end(), start.begin(), start.end());
  for (size_t d : how.order) at.push_back(w.let("at", lowest(maps[d], chunk, points, offsets)));
  std::vector<Expr> pieces(sets_[o].dims.begin() + 1, sets_[o].dims.end());
  bool scalar = pieces.empty();
  if (!scalar) pieces.back() = nest::ceil_div(pieces.back(), how.load_width);
  w.loops("piece", pieces, Role::Unrolled, [&](std::vector<Expr> to) {
    if (!scalar) to.back() = mul(to.back(), how.load_width);
    std::vector<Expr> from = {stage};
    for (size_t d = 0; d < to.size(); ++d)
      from.push_back(w.let("from", add(at[d], distance(maps[how.order[d]], to[d]))));
    to.insert(to.begin(), set);
    w.loop("word", scalar ? one() : how.load_width, Role::Vector, [&](const Expr& word) {
      std::vector<Expr> to_word = to, from_word = from;
      if (!scalar) {
        to_word.back() = add(to.back(), word);
        from_word.back() = add(from.back(), word);
      }
      Expr element = nest::load(staging_.tile(o).name, x_.c.operands[o].elem, from_word);
      w.emit(nest::Store{sets_[o].name, to_word, element});
    });
  });
}

// How far from the first element of a thread's points along a dimension element number `i` of them is.
Expr OperandRegisters::distance(const DimMap& m, const Expr& i) const {
  for (size_t p = 0; p < x_.num_parallel(); ++p) {
    if (x_.structure.separable[p] && depends(m, p)) return x_.threads.from_first_point(p, i);
  }
  return i;
}

Expr OperandRegisters::element(size_t o, const Expr& set, const std::vector<Expr>& point,
                               const std::vector<Expr>& member) const {
  const Schedule::Operand& how = x_.schedule.operands[o];
  Box points = box(o);
  std::vector<Expr> offsets = point, at = {set};
  for (const Expr& m : member) offsets.push_back(how.by_group ? m : zero());
  for (size_t d : how.order) at.push_back(position(x_.structure.maps[o][d], points, offsets));
  return nest::load(sets_[o].name, x_.c.operands[o].elem, at);
}

}  // namespace heddle::contraction
