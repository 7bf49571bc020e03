#include "ir/nest/float_range.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "ir/nest/facts.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {
namespace {

using prim::Family;
using prim::Op;
using prim::Type;

const Name kX{"x", 1}, kI{"i", 2};

Expr c(double x, Type type = Type::F32) { return constant(prim::Value::of_float(type, x)); }
Expr x(Type type = Type::F32) { return var(kX, type); }
Expr of(Family f, Expr a, Expr b) {
  const Type type = a->type;
  return operation(Op(f, type), {std::move(a), std::move(b)});
}
Expr clamped(Expr e, double low, double high) {
  const Type type = e->type;
  return of(Family::FMax, c(low, type), of(Family::FMin, c(high, type), std::move(e)));
}
Expr whole(Expr e, Type to = Type::I64) {
  const Type type = e->type;
  return operation(Op(Family::FPToSI, type, to), {std::move(e)});
}
std::optional<FloatRange> range(const Expr& e) { return float_range(e, no_definition); }
std::optional<IntegerRange> rounded(const Expr& e) {
  return rounded_range(std::get<Operation>(e->node), no_definition);
}

void expect_integers(const Expr& e, int64_t low, int64_t high) {
  std::optional<IntegerRange> r = rounded(e);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->low, low);
  EXPECT_EQ(r->high, high);
}

TEST(FloatRange, ClampsHoldWhateverIsClamped) {
  std::optional<FloatRange> r = range(clamped(x(), 0, 1));
  ASSERT_TRUE(r);
  EXPECT_EQ(r->low, 0);
  EXPECT_EQ(r->high, 1);
  EXPECT_FALSE(range(x()));
  EXPECT_FALSE(range(of(Family::FAdd, x(), c(1))));
  EXPECT_FALSE(range(c(std::numeric_limits<double>::quiet_NaN())));
}

TEST(FloatRange, OneSideOfAClampIsInfinite) {
  std::optional<FloatRange> r = range(of(Family::FMax, c(0), x()));
  ASSERT_TRUE(r);
  EXPECT_EQ(r->low, 0);
  EXPECT_TRUE(std::isinf(r->high));
  EXPECT_FALSE(range(of(Family::FMul, of(Family::FMax, c(0), x()), c(0)))) << "infinity times 0 is NaN";
}

TEST(FloatRange, IntegersFromClampedFloats) {
  Expr v = of(Family::FMul, clamped(x(), 0, 1), c(10));
  expect_integers(whole(v), 0, 10);
  expect_integers(whole(of(Family::FAdd, v, c(0.5))), 0, 10);
  expect_integers(whole(of(Family::FSub, v, c(20))), -20, -9);  // what rounding may do counted in
  expect_integers(whole(of(Family::FMul, clamped(x(), -1, 1), c(-3))), -3, 3);
  EXPECT_FALSE(rounded(whole(of(Family::FMul, clamped(x(), 0, 1), c(1e30)))));
  EXPECT_FALSE(rounded(whole(of(Family::FMul, clamped(x(), 0, 1), c(1000)), Type::I8))) << "it wraps";
}

TEST(FloatRange, NarrowIntegersAreFewNumbers) {
  Expr byte = operation(Op(Family::UIToFP, Type::I8, Type::F32), {var(kI, Type::I8)});
  std::optional<FloatRange> r = range(byte);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->low, 0);
  EXPECT_GE(r->high, 255);
  expect_integers(whole(of(Family::FMul, byte, c(0.5))), 0, 128);
}

TEST(FloatRange, IndicesByDataAreInside) {
  NameSource names{100};
  Facts facts{names, no_definition};
  Name v{"v", 3}, z{"z", 4};
  facts.define(v, of(Family::FMul, clamped(load(Name{"img", 5}, Type::F32, {}), 0, 1), c(10)));
  facts.define(z, whole(var(v, Type::F32)));
  auto zero = constant(int64_t{0}), size = constant(int64_t{12});
  Expr at = var(z, Type::I64), next = add(at, constant(int64_t{1}));
  EXPECT_TRUE(facts.prove(less(next, size)));
  EXPECT_FALSE(facts.prove(less(add(next, constant(int64_t{1})), size)));
  EXPECT_TRUE(facts.prove(less(constant(int64_t{-1}), at)));
  EXPECT_FALSE(facts.prove(less(zero, at)));
}

// ---- What is said of random expressions is true of their values. ----

Expr random_float(Type type, int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 9 : 3);
  if (kind == 0) return x(type);
  if (kind == 1) return clamped(x(type), *rc::gen::inRange(-5, 1), *rc::gen::inRange(1, 5));
  if (kind == 2) return c(*rc::gen::inRange(-40, 41) / 8.0 * (*rc::gen::inRange(0, 4) == 0 ? 0.1 : 1), type);
  static const Family families[] = {Family::FAdd, Family::FSub, Family::FMul, Family::FMin, Family::FMax};
  if (kind < 8) return of(families[kind - 3], random_float(type, depth - 1), random_float(type, depth - 1));
  return operation(Op(*rc::gen::arbitrary<bool>() ? Family::FAbs : Family::Neg, type), {random_float(type, depth - 1)});
}

double random_value() {
  static const double special[] = {0, -0.0, NAN, INFINITY, -INFINITY, 1e30, -1e-30};
  if (*rc::gen::inRange(0, 3) == 0) return special[*rc::gen::inRange(0, 7)];
  return *rc::gen::inRange(-1000, 1001) / 100.0;
}

RC_GTEST_PROP(FloatRange, HoldsForAllValues, ()) {
  const Type type = *rc::gen::arbitrary<bool>() ? Type::F32 : Type::F64;
  const Expr e = random_float(type, 4);
  const std::optional<FloatRange> r = range(e);
  if (!r) return;
  for (int k = 0; k < 20; ++k) {
    const Expr value = substitute({{kX, c(random_value(), type)}}, e);
    const double v = std::get<Const>(value->node).value.f;
    RC_ASSERT(r->low <= v);
    RC_ASSERT(v <= r->high);
  }
}

}  // namespace
}  // namespace heddle::nest
