#include "rewrites/contraction/leaf.h"

#include "ir/nest/traverse.h"
#include "rewrites/contraction/products.h"

namespace heddle::contraction {

using nest::add;
using nest::constant;
using nest::Expr;
using nest::mul;
using nest::Role;

namespace {

// What is to be added for ... + x * y or ... - x * y.
Expr last_product(const nest::Operation& sum) {
  const Expr& last = sum.args[1];
  if (sum.op.family == prim::Family::FAdd) return last;
  const auto& product = std::get<nest::Operation>(last->node);
  Expr negative = nest::operation(prim::Op(prim::Family::Neg, last->type), {product.args[0]});
  return nest::operation(product.op, {negative, product.args[1]});
}

Expr reduction_index(const ReductionStep& s, size_t r) { return add(s.first[r], add(s.start[r], s.member[r])); }

}  // namespace

Leaf::Leaf(const TileContext& x, const Staging* staging, const ThreadPlace& thread, const nest::Buffer& acc)
    : x_(x), staging_(staging), thread_(thread), acc_(acc), in_term_(nest::free_names(x.term())) {
  x.w.loops("point", x.geometry.points, Role::Unrolled, [&](const std::vector<Expr>& point) {
    x.w.emit(nest::Store{acc.name, point, constant(x.c.neutral)});
  });
  for (size_t p = 0; p < x.num_parallel(); ++p) {
    if (in_term_.contains(x.c.parallel[p].name)) first_value_.emplace(p, x.w.as_value(first_index(p)));
  }
}

// Where one thread has all points along the index, it is said that the first is 0: so the device's compiler knows what the index decides.
Expr Leaf::first_index(size_t p) const {
  if (!nest::int_constant(x_.c.parallel[p].extent)) return parallel_index(p, zero());
  Expr two = constant(int64_t{2});
  Expr alone = nest::both(nest::less(x_.geometry.blocks_along[p], two), nest::less(x_.geometry.threads_along[p], two));
  return nest::select(alone, zero(), parallel_index(p, zero()));
}

Expr Leaf::parallel_index(size_t p, const Expr& point) const {
  return add(thread_.origin[p], x_.threads.place(p, thread_.at[p], point));
}

std::vector<Expr> Leaf::first_values(const std::vector<Expr>& first, const std::vector<Expr>& start) const {
  std::vector<Expr> values(x_.num_reduction());
  for (size_t r = 0; r < values.size(); ++r) {
    if (in_term_.contains(x_.c.reduction[r].name)) values[r] = x_.w.as_value(add(first[r], start[r]));
  }
  return values;
}

void Leaf::write(const ReductionStep& step, const std::vector<Expr>& values, const OperandRegisters* registers,
                 const std::vector<Expr>& set_of) const {
  x_.w.loops("point", x_.geometry.points, Role::Unrolled, [&](const std::vector<Expr>& in_order) {
    std::vector<Expr> point = x_.schedule.serpentine ? serpentine_order(in_order) : in_order;
    nest::Substitution of_point;
    for (const auto& [p, first] : first_value_)
      of_point.emplace(x_.c.parallel[p].name, add(first, x_.threads.from_first_point(p, point[p])));
    for (size_t r = 0; r < values.size(); ++r) {
      if (values[r]) of_point.emplace(x_.c.reduction[r].name, add(values[r], step.member[r]));
    }
    for (size_t o = 0; o < x_.c.operands.size(); ++o) {
      Expr element = registers  ? registers->element(o, set_of[o], point, step.member)
                     : staging_ ? in_shared_memory(o, step, point)
                                : in_global_memory(o, step, point);
      of_point.emplace(x_.c.operands[o].value, element);
    }
    if (x_.schedule.reads == Reads::Guarded) {
      x_.w.when(is_inside(step, point), [&] { multiply_add(point, of_point); });
    } else {
      multiply_add(point, of_point);
    }
  });
}

void Leaf::multiply_add(const std::vector<Expr>& point, const nest::Substitution& values) const {
  Expr old = nest::load(acc_.name, acc_.elem, point);
  x_.w.emit(nest::Store{acc_.name, point, nest::substitute(values, added(old, x_.term()))});
}

// Sums and differences of products are added product by product: then each is one instruction with its addition, where the
// difference of two by itself would take a third. The device's compiler only joins products with additions.
Expr Leaf::added(const Expr& sum, const Expr& term) const {
  if (const auto* s = std::get_if<nest::Select>(&term->node); s && is_of_indices(x_.c, s->condition))
    return nest::select(s->condition, added(sum, s->if_true), added(sum, s->if_false));
  const auto* o = std::get_if<nest::Operation>(&term->node);
  if (is_sum_of_products(term, x_.c.reduce) && o->op.family != prim::Family::FMul)
    return nest::operation(x_.c.reduce, {added(sum, o->args[0]), last_product(*o)});
  return nest::operation(x_.c.reduce, {sum, term});
}

Expr Leaf::is_inside(const ReductionStep& step, const std::vector<Expr>& point) const {
  Expr inside = constant(prim::Value::of_bool(true));
  for (size_t p = 0; p < x_.num_parallel(); ++p)
    inside = nest::both(inside, nest::less(parallel_index(p, point[p]), x_.c.parallel[p].extent));
  // Index by index the reduction ends where it does.
  for (size_t r = 0; r < x_.num_reduction() && x_.schedule.by_chunks; ++r)
    inside = nest::both(inside, nest::less(reduction_index(step, r), x_.c.reduction[r].extent));
  return inside;
}

Expr Leaf::in_global_memory(size_t o, const ReductionStep& step, const std::vector<Expr>& point) const {
  const recognize::Operand& operand = x_.c.operands[o];
  const nest::Buffer& buffer = x_.buffer(operand.buffer);
  bool tested = operand.padded || x_.schedule.reads == Reads::Branchless;
  std::vector<Expr> index;
  Expr exists = constant(prim::Value::of_bool(true));
  for (const DimMap& m : x_.structure.maps[o]) {
    Expr at = m.constant;
    for (size_t i = 0; i < m.coefficients.size(); ++i) {
      bool parallel = i < x_.num_parallel();
      size_t r = i - x_.num_parallel();
      at = add(at, mul(m.coefficients[i].value, parallel ? parallel_index(i, point[i]) : reduction_index(step, r)));
    }
    if (tested) {
      Expr below = nest::less(at, buffer.dims[index.size()]);
      exists = nest::both(exists, nest::both(nest::less(constant(int64_t{-1}), at), below));
    }
    index.push_back(at);
  }
  Expr element = nest::load(operand.buffer, operand.elem, index);
  return nest::select(exists, element, constant(prim::zero(operand.elem)));
}

Expr Leaf::in_shared_memory(size_t o, const ReductionStep& step, const std::vector<Expr>& point) const {
  std::vector<Expr> offsets, at = {step.stage};
  for (size_t p = 0; p < x_.num_parallel(); ++p) offsets.push_back(x_.threads.place(p, thread_.at[p], point[p]));
  for (size_t r = 0; r < x_.num_reduction(); ++r) offsets.push_back(add(step.start[r], step.member[r]));
  Box box = staging_->box(step.first);
  for (size_t d : x_.schedule.operands[o].order) at.push_back(position(x_.structure.maps[o][d], box, offsets));
  return nest::load(staging_->tile(o).name, x_.c.operands[o].elem, at);
}

// The order in which only one index changes at a time, by one: then two of the three values that are multiplied and
// added are those of the step before, and registers need not be read again.
std::vector<Expr> Leaf::serpentine_order(const std::vector<Expr>& step) const {
  const std::vector<Expr>& points = x_.geometry.points;
  std::vector<Expr> point;
  Expr before = zero();
  for (size_t p = 0; p < step.size(); ++p) {
    Expr back = nest::less(zero(), nest::mod(before, constant(int64_t{2})));
    point.push_back(nest::int_constant(before) == 0
                        ? step[p]
                        : nest::select(back, nest::sub(nest::sub(points[p], one()), step[p]), step[p]));
    before = add(mul(before, points[p]), step[p]);
  }
  return point;
}

}  // namespace heddle::contraction
