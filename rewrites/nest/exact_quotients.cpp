#include "rewrites/nest/exact_quotients.h"

#include <cmath>
#include <unordered_map>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;
using prim::Value;

// Divisors so far from the ends of the range that no integer's quotient, nor what is computed on the way to it, comes near them.
constexpr int kMostExponent = 60;

Expr multiplied(const Expr& a, const Expr& b) { return operation(prim::Op(Family::FMul, a->type), {a, b}); }

Expr fused(const Expr& a, const Expr& b, const Expr& c) {
  return call(prim::find_function(a->type == Type::F32 ? "fma32" : "fma64"), {a, b, c});
}

// 1 / c is exact, and so is x / c as the product with it.
bool is_power_of_two(const Value& c) {
  int exponent = 0;
  return std::abs(std::frexp(c.f, &exponent)) == 0.5;
}

// x / c after so many corrections.
Expr quotient(const Expr& x, const Value& c, int corrections) {
  const Expr reciprocal = constant(Value::of_float(c.type, 1 / c.f)), minus = constant(Value::of_float(c.type, -c.f));
  Expr q = multiplied(x, reciprocal);
  for (int k = 0; k < corrections; ++k) q = fused(fused(q, minus, x), reciprocal, q);
  return q;
}

// The same on numbers.
template <class Float>
bool one_correction_suffices(Float c, int bits) {
  const Float reciprocal = Float{1} / c;
  for (int64_t x = -(int64_t{1} << (bits - 1)); x < int64_t{1} << bits; ++x) {
    const auto a = static_cast<Float>(x);
    const Float q = a * reciprocal;
    if (std::fma(std::fma(q, -c, a), reciprocal, q) != a / c) return false;
  }
  return true;
}

bool one_correction_suffices(const Value& c, int bits) {
  return c.type == Type::F32 ? one_correction_suffices(static_cast<float>(c.f), bits)
                             : one_correction_suffices(c.f, bits);
}

struct Quotients : Rebuilder<Quotients> {
  std::unordered_map<Name, Expr> definitions;

  // The width of the integer that the float was; 0 if it was none.
  int bits_of(const Expr& x) const {
    const Expr* e = &x;
    while (const auto* v = std::get_if<Var>(&(*e)->node)) {
      auto it = definitions.find(v->name);
      if (it == definitions.end()) return 0;
      e = &it->second;
    }
    const auto* o = std::get_if<Operation>(&(*e)->node);
    bool converts = o && (o->op.family == Family::SIToFP || o->op.family == Family::UIToFP);
    return converts ? 8 * prim::size_bytes(o->op.type) : 0;
  }

  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* division = std::get_if<Operation>(&e->node);
    if (!division || division->op.family != Family::FDiv || e->type == Type::F16) return;
    const auto* by = std::get_if<Const>(&division->args[1]->node);
    const int bits = by ? bits_of(division->args[0]) : 0;
    if (bits == 0 || !std::isnormal(by->value.f) || std::abs(std::ilogb(by->value.f)) > kMostExponent) return;
    int corrections = 2;
    if (is_power_of_two(by->value)) {
      corrections = 0;
    } else if (bits <= 16 && one_correction_suffices(by->value, bits)) {
      corrections = 1;
    }
    e = quotient(division->args[0], by->value, corrections);
  }
  void stmts(const Stmt& s, Block& out) {
    Rebuilder::stmts(s, out);
    if (const auto* let = std::get_if<Let>(&out.back()->node)) definitions.emplace(let->name, let->value);
  }
};

}  // namespace

Block exact_quotients(const Block& block) {
  Block result = block;
  Quotients().body(result);
  return result;
}

}  // namespace heddle::nest
