#include "rewrites/contraction/leaf.h"

#include <algorithm>

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
  auto at_point = [&](const std::vector<Expr>& point) {
    nest::Substitution result;
    for (const auto& [p, first] : first_value_)
      result.emplace(x_.c.parallel[p].name, add(first, x_.threads.from_first_point(p, point[p])));
    for (size_t r = 0; r < values.size(); ++r) {
      if (values[r]) result.emplace(x_.c.reduction[r].name, add(values[r], step.member[r]));
    }
    for (size_t o = 0; o < x_.c.operands.size(); ++o) {
      Expr element = registers  ? registers->element(o, set_of[o], point, step.member)
                     : staging_ ? in_shared_memory(o, step, point)
                                : in_global_memory(o, step, point);
      result.emplace(x_.c.operands[o].value, element);
    }
    return result;
  };
  const std::vector<Part> parts = registers ? parts_of_term(at_point) : std::vector<Part>{};
  x_.w.loops("point", x_.geometry.points, Role::Unrolled, [&](const std::vector<Expr>& in_order) {
    std::vector<Expr> point = x_.schedule.serpentine ? serpentine_order(in_order) : in_order;
    const nest::Substitution of_point = at_point(point);
    if (x_.schedule.reads == Reads::Guarded) {
      x_.w.when(is_inside(step, point), [&] { multiply_add(point, parts, of_point); });
    } else {
      multiply_add(point, parts, of_point);
    }
  });
}

// They are computed once for all points along the other indices. Else they would stand at each of these, and the device's compiler would have to find that
// they are the same.
std::vector<Leaf::Part> Leaf::parts_of_term(const AtPoint& at_point) const {
  std::vector<Part> parts;
  find_parts(x_.term(), parts);
  for (Part& part : parts) {
    std::vector<Expr> extents;
    for (size_t p : part.along) extents.push_back(x_.geometry.points[p]);
    part.values = x_.w.alloc("part", part.part->type, nest::Space::Register, extents);
    x_.w.loops("point", extents, Role::Unrolled, [&](const std::vector<Expr>& at) {
      std::vector<Expr> point(x_.num_parallel(), zero());
      for (size_t k = 0; k < at.size(); ++k) point[part.along[k]] = at[k];
      x_.w.emit(nest::Store{part.values.name, at, nest::substitute(at_point(point), part.part)});
    });
  }
  return parts;
}

void Leaf::find_parts(const Expr& e, std::vector<Part>& found) const {
  const bool is_choice = std::holds_alternative<nest::Select>(e->node);
  const nest::NameSet names = nest::free_names(e);
  Part part{e, {}, {}};
  for (size_t p = 0; p < x_.num_parallel(); ++p) {
    bool depends_on = names.contains(x_.c.parallel[p].name);
    for (size_t o = 0; o < x_.c.operands.size(); ++o) {
      depends_on |= names.contains(x_.c.operands[o].value) &&
                    std::ranges::any_of(x_.structure.maps[o], [&](const DimMap& m) { return depends(m, p); });
    }
    if (depends_on) part.along.push_back(p);
  }
  const bool of_some = part.along.size() < x_.num_parallel();
  if (is_choice && of_some) {
    auto is_same = [&](const Part& other) { return nest::equal(other.part, e); };
    if (std::ranges::none_of(found, is_same)) found.push_back(std::move(part));
    return;
  }
  if (const auto* s = std::get_if<nest::Select>(&e->node)) {
    if (is_of_indices(x_.c, s->condition)) {
      Part condition{s->condition, {}, {}};
      const nest::NameSet decide = nest::free_names(s->condition);
      for (size_t p = 0; p < x_.num_parallel(); ++p) {
        if (decide.contains(x_.c.parallel[p].name)) condition.along.push_back(p);
      }
      auto is_same = [&](const Part& other) { return nest::equal(other.part, s->condition); };
      if (condition.along.size() < x_.num_parallel() && std::ranges::none_of(found, is_same))
        found.push_back(std::move(condition));
    }
    find_parts(s->if_true, found);
    find_parts(s->if_false, found);
  } else if (const auto* o = std::get_if<nest::Operation>(&e->node)) {
    for (const Expr& a : o->args) find_parts(a, found);
  }
}

// The term with what is known of its parts at a point.
Expr Leaf::term_at(const std::vector<Expr>& point, const std::vector<Part>& parts) const {
  struct Replace : nest::Rebuilder<Replace> {
    const std::vector<Expr>& point;
    const std::vector<Part>& parts;
    Replace(const std::vector<Expr>& point, const std::vector<Part>& parts) : point(point), parts(parts) {}
    void expr(Expr& e) {
      for (const Part& part : parts) {
        if (!nest::equal(part.part, e)) continue;
        std::vector<Expr> at;
        for (size_t p : part.along) at.push_back(point[p]);
        e = nest::load(part.values.name, part.values.elem, at);
        return;
      }
      nest::Rebuilder<Replace>::expr(e);
    }
  } v(point, parts);
  Expr term = x_.term();
  v.expr(term);
  return term;
}

void Leaf::multiply_add(const std::vector<Expr>& point, const std::vector<Part>& parts,
                        const nest::Substitution& values) const {
  Expr old = nest::load(acc_.name, acc_.elem, point);
  x_.w.emit(nest::Store{acc_.name, point, nest::substitute(values, added(old, term_at(point, parts)))});
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
