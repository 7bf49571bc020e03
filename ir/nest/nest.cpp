#include "ir/nest/nest.h"

#include <cassert>

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

Expr make(Type type, decltype(ExprNode::node) node) {
  return std::make_shared<const ExprNode>(ExprNode{type, std::move(node)});
}

// x where e is x - n.
std::optional<Expr> plus_subtracted(int64_t n, const Expr& e) {
  const auto* o = std::get_if<Operation>(&e->node);
  if (!o || (o->op.family != Family::Sub && o->op.family != Family::SubNw)) return std::nullopt;
  return int_constant(o->args[1]) == n ? std::optional(o->args[0]) : std::nullopt;
}

// What an operation on operands that are not both constant comes down to, if that is simpler.
std::optional<Expr> simplify(const Op& op, const Expr& a, const Expr& b) {
  std::optional<int64_t> x = int_constant(a), y = int_constant(b);
  switch (op.family) {
    case Family::Add:
    case Family::AddNw:
      if (x == 0) return b;
      if (y == 0) return a;
      if (x) {
        if (auto whole = plus_subtracted(*x, b)) return whole;
      }
      break;
    case Family::Sub:
    case Family::SubNw:
      if (y == 0) return a;
      break;
    case Family::Mul:
    case Family::MulNw:
      if (x == 0 || y == 1) return a;
      if (y == 0 || x == 1) return b;
      break;
    case Family::SDiv:
    case Family::SDivUp:
    case Family::SQuot:
      if (y == 1) return a;
      break;
    case Family::SMod:
    case Family::SRem:
      if (y == 1) return constant(prim::zero(op.type));
      break;
    case Family::LogAnd:
      if (const auto* c = std::get_if<Const>(&a->node)) return c->value.as_bool() ? b : a;
      if (const auto* c = std::get_if<Const>(&b->node)) return c->value.as_bool() ? a : b;
      break;
    case Family::LogOr:
      if (const auto* c = std::get_if<Const>(&a->node)) return c->value.as_bool() ? a : b;
      if (const auto* c = std::get_if<Const>(&b->node)) return c->value.as_bool() ? b : a;
      break;
    default:
      break;
  }
  return std::nullopt;
}

Expr binary(Family family, Expr a, Expr b) { return operation(Op(family, Type::I64), {std::move(a), std::move(b)}); }

}  // namespace

Expr constant(Value value) { return make(value.type, Const{value}); }

Expr constant(int64_t value) { return constant(Value::i64(value)); }

Expr var(Name name, Type type) { return make(type, Var{std::move(name)}); }

Expr operation(Op op, std::vector<Expr> args) {
  assert(static_cast<int>(args.size()) == prim::arity(op));
  std::vector<Value> values;
  for (const Expr& a : args) {
    assert(a->type == prim::arg_type(op));
    if (const auto* c = std::get_if<Const>(&a->node)) values.push_back(c->value);
  }
  if (values.size() == args.size()) {
    if (auto folded = prim::eval(op, values)) return constant(*folded);
  }
  if (args.size() == 2) {
    if (auto simpler = simplify(op, args[0], args[1])) return *simpler;
  }
  return make(prim::result_type(op), Operation{op, std::move(args)});
}

Expr call(const prim::Function* function, std::vector<Expr> args) {
  assert(static_cast<int>(args.size()) == function->num_args);
  return make(function->result, Call{function, std::move(args)});
}

Expr select(Expr condition, Expr if_true, Expr if_false) {
  assert(condition->type == Type::Bool && if_true->type == if_false->type);
  if (const auto* c = std::get_if<Const>(&condition->node)) return c->value.as_bool() ? if_true : if_false;
  Type type = if_true->type;
  return make(type, Select{std::move(condition), std::move(if_true), std::move(if_false)});
}

Expr load(Name buffer, Type type, std::vector<Expr> index) {
  return make(type, Load{std::move(buffer), std::move(index)});
}

std::optional<int64_t> int_constant(const Expr& e) {
  const auto* c = std::get_if<Const>(&e->node);
  if (!c || !prim::is_int(e->type)) return std::nullopt;
  return c->value.i;
}

bool is_constant_zero(const Expr& e) {
  const auto* c = std::get_if<Const>(&e->node);
  return c && c->value == prim::zero(e->type);
}

Expr add(Expr a, Expr b) { return binary(Family::AddNw, std::move(a), std::move(b)); }

Expr sub(Expr a, Expr b) { return binary(Family::SubNw, std::move(a), std::move(b)); }

Expr mul(Expr a, Expr b) { return binary(Family::MulNw, std::move(a), std::move(b)); }

Expr div(Expr a, Expr b) { return binary(Family::SDiv, std::move(a), std::move(b)); }

Expr mod(Expr a, Expr b) { return binary(Family::SMod, std::move(a), std::move(b)); }

Expr ceil_div(Expr a, Expr b) { return binary(Family::SDivUp, std::move(a), std::move(b)); }

Expr min(Expr a, Expr b) { return binary(Family::SMin, std::move(a), std::move(b)); }

Expr max(Expr a, Expr b) { return binary(Family::SMax, std::move(a), std::move(b)); }

Expr less(Expr a, Expr b) { return binary(Family::Slt, std::move(a), std::move(b)); }

Expr both(Expr a, Expr b) { return operation(Op(Family::LogAnd, Type::Bool), {std::move(a), std::move(b)}); }

Expr negate(Expr a) { return operation(Op(Family::Neg, Type::Bool), {std::move(a)}); }

std::vector<Expr> dense_strides(const std::vector<Expr>& dims) {
  std::vector<Expr> strides(dims.size());
  Expr stride = constant(int64_t{1});
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride = mul(dims[i], stride);
  }
  return strides;
}

}  // namespace heddle::nest
