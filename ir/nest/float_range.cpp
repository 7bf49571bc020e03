#include "ir/nest/float_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::nest {

using prim::Family;
using prim::Type;

namespace {

constexpr int kMaxSteps = 100;  // what occurs several times is looked at each time

class Ranges {
 public:
  explicit Ranges(const Definitions& definitions) : definitions_(definitions) {}

  std::optional<FloatRange> of(const Expr& e) {
    if (steps_left_-- <= 0 || !is_known(e->type)) return std::nullopt;
    if (const auto* c = std::get_if<Const>(&e->node)) {
      if (std::isnan(c->value.f)) return std::nullopt;
      return FloatRange{c->value.f, c->value.f};
    }
    if (const auto* v = std::get_if<Var>(&e->node)) {
      Expr definition = definitions_(v->name);
      return definition ? of(definition) : std::nullopt;
    }
    if (const auto* s = std::get_if<Select>(&e->node)) {
      auto a = of(s->if_true), b = of(s->if_false);
      if (!a || !b) return std::nullopt;
      return FloatRange{std::min(a->low, b->low), std::max(a->high, b->high)};
    }
    const auto* o = std::get_if<Operation>(&e->node);
    return o ? of_operation(*o) : std::nullopt;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  static bool is_known(Type type) { return type == Type::F32 || type == Type::F64; }
  static bool is_finite(const FloatRange& r) { return std::isfinite(r.low) && std::isfinite(r.high); }
  static double size(const FloatRange& r) { return std::max(std::abs(r.low), std::abs(r.high)); }

  std::optional<FloatRange> of_operation(const Operation& o) {
    const Family f = o.op.family;
    if (f == Family::SIToFP || f == Family::UIToFP) return of_integer(o.op);
    if (f == Family::BToF) return FloatRange{0, 1};
    if (!is_known(o.op.type)) return std::nullopt;
    const auto a = of(o.args[0]);
    if (f == Family::FMin || f == Family::FMax) return limited(f == Family::FMin, a, of(o.args[1]));
    if (!a) return std::nullopt;
    if (f == Family::Neg) return FloatRange{-a->high, -a->low};
    if (f == Family::FAbs) return FloatRange{std::max({0.0, a->low, -a->high}), size(*a)};
    if (f == Family::FPConv) return o.op.to == Type::F64 ? a : rounded(*a, size(*a), o.op.to);
    if (f != Family::FAdd && f != Family::FSub && f != Family::FMul) return std::nullopt;
    const auto b = of(o.args[1]);
    if (!b || !is_finite(*a) || !is_finite(*b)) return std::nullopt;
    const FloatRange other = f == Family::FSub ? FloatRange{-b->high, -b->low} : *b;
    std::optional<FloatRange> r = f == Family::FMul ? product(*a, other, o.op.type) : sum(*a, other, o.op.type);
    if (r && a->low >= 0 && other.low >= 0) r->low = std::max(r->low, 0.0);
    return r;
  }

  static std::optional<FloatRange> sum(const FloatRange& a, const FloatRange& b, Type type) {
    return rounded({a.low + b.low, a.high + b.high}, size(a) + size(b), type);
  }
  static std::optional<FloatRange> product(const FloatRange& a, const FloatRange& b, Type type) {
    auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return rounded({low, high}, std::max(std::abs(low), std::abs(high)), type);
  }
  // By how much rounding may move what was computed from numbers no larger than `most`: several times as much, since the bounds here are
  // rounded, too.
  static std::optional<FloatRange> rounded(const FloatRange& r, double most, Type type) {
    const bool narrow = type == Type::F32;
    const double unit = narrow ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    const double least = narrow ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
    const double margin = 4 * unit * std::max(most, least),
                 limit = narrow ? std::numeric_limits<float>::max() : kInfinity;
    FloatRange wider{r.low - margin, r.high + margin};
    return size(wider) < limit ? std::optional(wider) : std::nullopt;
  }

  // One of two, and the other one where one is NaN.
  static std::optional<FloatRange> limited(bool is_min, const std::optional<FloatRange>& a,
                                           const std::optional<FloatRange>& b) {
    if (a && b) {
      return is_min ? FloatRange{std::min(a->low, b->low), std::min(a->high, b->high)}
                    : FloatRange{std::max(a->low, b->low), std::max(a->high, b->high)};
    }
    const auto& known = a ? a : b;
    if (!known) return std::nullopt;
    return is_min ? FloatRange{-kInfinity, known->high} : FloatRange{known->low, kInfinity};
  }

  // All of the type's numbers, which f32 has all but rounded.
  static std::optional<FloatRange> of_integer(const prim::Op& op) {
    if (!is_known(op.to)) return std::nullopt;
    const double half = std::ldexp(1.0, 8 * prim::size_bytes(op.type) - 1);
    return op.family == Family::UIToFP ? FloatRange{0, 2 * half} : FloatRange{-half, half};
  }

  const Definitions& definitions_;
  int steps_left_ = kMaxSteps;
};

}  // namespace

std::optional<FloatRange> float_range(const Expr& e, const Definitions& definitions) {
  return Ranges(definitions).of(e);
}

std::optional<IntegerRange> rounded_range(const Operation& o, const Definitions& definitions) {
  if (o.op.family != Family::FPToSI && o.op.family != Family::FPToUI) return std::nullopt;
  std::optional<FloatRange> r = float_range(o.args[0], definitions);
  // Those beyond the type become other numbers, as infinities do, and doubles near the end of i64 are far apart.
  const double half = std::ldexp(1.0, std::min(8 * prim::size_bytes(o.op.to) - 1, 62));
  if (!r || r->low < -half || r->high >= half || (o.op.family == Family::FPToUI && r->low < 0)) return std::nullopt;
  return IntegerRange{static_cast<int64_t>(std::trunc(r->low)), static_cast<int64_t>(std::trunc(r->high))};
}

}  // namespace heddle::nest
