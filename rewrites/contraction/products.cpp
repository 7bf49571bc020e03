#include "rewrites/contraction/products.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::contraction {

using nest::Expr;
using prim::Family;

namespace {

int64_t most_products_of(const recognize::Contraction& c, const Expr& term) {
  if (const auto* s = std::get_if<nest::Select>(&term->node); s && is_of_indices(c, s->condition))
    return std::max(most_products_of(c, s->if_true), most_products_of(c, s->if_false));
  if (!is_sum_of_products(term, c.reduce)) return 1;
  const auto& o = std::get<nest::Operation>(term->node);
  return o.op.family == Family::FMul ? 1 : most_products_of(c, o.args[0]) + 1;
}

// Multiplications that a division of integers takes as long as, in 64 bits and in fewer: the device has no instruction for it.
constexpr int64_t kOfLongDivision = 32, kOfDivision = 16;

bool is_division(const prim::Op& op) {
  using enum Family;
  switch (op.family) {
    case UDiv:
    case UDivSafe:
    case UDivUp:
    case UDivUpSafe:
    case SDiv:
    case SDivSafe:
    case SDivUp:
    case SDivUpSafe:
    case UMod:
    case UModSafe:
    case SMod:
    case SModSafe:
    case SQuot:
    case SQuotSafe:
    case SRem:
    case SRemSafe:
      return true;
    default:
      return false;
  }
}

int64_t of_divisions(const Expr& term) {
  int64_t found = 0;
  nest::for_each_expr(term, [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    if (!o || !is_division(o->op) || std::holds_alternative<nest::Const>(o->args[1]->node)) return;
    found += e->type == prim::Type::I64 ? kOfLongDivision : kOfDivision;
  });
  return found;
}

}  // namespace

bool is_sum_of_products(const Expr& term, const prim::Op& reduce) {
  const auto* o = std::get_if<nest::Operation>(&term->node);
  if (!o || reduce.family != Family::FAdd) return false;
  if (o->op.family == Family::FMul) return true;
  if (o->op.family != Family::FAdd && o->op.family != Family::FSub) return false;
  const auto* last = std::get_if<nest::Operation>(&o->args[1]->node);
  return last && last->op.family == Family::FMul && is_sum_of_products(o->args[0], reduce);
}

bool is_of_indices(const recognize::Contraction& c, const Expr& condition) {
  nest::NameSet names = nest::free_names(condition);
  return std::ranges::none_of(c.operands, [&](const recognize::Operand& o) { return names.contains(o.value); });
}

int64_t most_products(const recognize::Contraction& c) { return most_products_of(c, c.term) + of_divisions(c.term); }

}  // namespace heddle::contraction
