#include "ir/nest/facts.h"

#include <gtest/gtest.h>

#include <utility>

#include "ir/nest/printer.h"

namespace heddle::nest {
namespace {

using prim::Family;
using prim::Op;
using prim::Type;

Expr c(int64_t x) { return constant(x); }
Expr le(Expr a, Expr b) { return operation(Op(Family::Sle, Type::I64), {std::move(a), std::move(b)}); }
Expr eq(Expr a, Expr b) { return operation(Op(Family::Eq, Type::I64), {std::move(a), std::move(b)}); }
Expr either(Expr a, Expr b) { return operation(Op(Family::LogOr, Type::Bool), {std::move(a), std::move(b)}); }
Expr inside(const Expr& i, const Expr& n) { return both(le(c(0), i), less(i, n)); }

class FactsTest : public ::testing::Test {
 protected:
  Expr name(const std::string& base, Type type = Type::I64) { return var(names_.fresh(base), type); }
  static const Name& of(const Expr& v) { return std::get<Var>(v->node).name; }
  Expr size(const std::string& base) {
    Expr n = name(base);
    facts_.size(of(n));
    return n;
  }
  Expr index(const std::string& base, const Expr& extent) {
    Expr i = name(base);
    facts_.index(of(i), extent);
    return i;
  }
  Expr let(const std::string& base, Expr e) {
    Expr x = name(base, e->type);
    facts_.define(of(x), std::move(e));
    return x;
  }
  bool prove(const Expr& e) { return facts_.prove(e); }

  NameSource names_{1};
  Facts facts_{names_, no_definition};
};

TEST_F(FactsTest, IndicesLieWithinTheirExtent) {
  Expr n = size("n");
  Expr i = index("i", n);
  EXPECT_TRUE(prove(inside(i, n)));
  EXPECT_TRUE(prove(less(c(0), n)));
  EXPECT_FALSE(prove(less(c(1), n)));
  EXPECT_FALSE(prove(less(add(i, c(1)), n)));
  EXPECT_TRUE(prove(le(add(i, c(1)), n)));
  EXPECT_EQ(facts_.decide(less(n, i)), false);
  EXPECT_EQ(facts_.decide(less(c(5), i)), std::nullopt);
}

TEST_F(FactsTest, WindowsLieWithinTheImage) {
  Expr m = size("m"), k = size("k");
  Expr out = let("out", add(sub(m, k), c(1)));
  Expr y = index("y", out), dy = index("dy", k);
  EXPECT_TRUE(prove(inside(add(y, dy), m)));
  EXPECT_FALSE(prove(inside(add(add(y, dy), c(1)), m)));
  // As Futhark checks a slice: empty, or its first and last elements are inside.
  Expr empty = let("empty", eq(k, c(0)));
  Expr last = let("last", add(let("m", sub(k, c(1))), y));
  EXPECT_TRUE(prove(either(empty, inside(last, m))));
}

TEST_F(FactsTest, SlicesMayBeEmpty) {
  Expr m = size("m"), k = size("k");
  Expr y = index("y", add(sub(m, k), c(1)));
  Expr last = add(sub(k, c(1)), y);
  EXPECT_FALSE(prove(inside(last, m)));  // k may be 0, and last -1
  EXPECT_TRUE(prove(either(eq(k, c(0)), inside(last, m))));
  EXPECT_TRUE(prove(either(inside(last, m), eq(k, c(0)))));
}

TEST_F(FactsTest, FlatIndicesLieWithinProducts) {
  Expr a = size("a"), b = size("b"), d = size("d");
  Expr i = index("i", a), j = index("j", b), l = index("l", d);
  Expr flat = add(mul(add(mul(i, b), j), d), l);
  EXPECT_TRUE(prove(inside(flat, mul(mul(a, b), d))));
  EXPECT_FALSE(prove(inside(add(flat, c(1)), mul(mul(a, b), d))));
}

TEST_F(FactsTest, FlatIndicesComeApart) {
  Expr a = size("a"), b = size("b");
  Expr q = index("q", mul(a, b));
  EXPECT_FALSE(prove(inside(div(q, b), a)));  // Where b might be 0, a division says nothing.
  facts_.assume(less(c(0), b));
  EXPECT_TRUE(prove(inside(div(q, b), a)));
  EXPECT_TRUE(prove(inside(mod(q, b), b)));
  EXPECT_TRUE(prove(eq(add(mul(div(q, b), b), mod(q, b)), q)));
  EXPECT_FALSE(prove(inside(div(q, b), sub(a, c(1)))));
}

TEST_F(FactsTest, ConstantDivisors) {
  Expr n = size("n");
  Expr i = index("i", n);
  EXPECT_TRUE(prove(inside(div(i, c(4)), n)));
  EXPECT_TRUE(prove(inside(div(i, c(4)), ceil_div(n, c(4)))));
  EXPECT_FALSE(prove(inside(div(i, c(4)), div(n, c(4)))));
  EXPECT_TRUE(prove(less(mod(i, c(4)), c(4))));
  EXPECT_TRUE(prove(inside(mod(sub(i, c(7)), c(3)), c(3))));
}

TEST_F(FactsTest, ClampedIndicesLieWithin) {
  Expr n = size("n");
  Expr i = index("i", n);
  EXPECT_TRUE(prove(inside(min(sub(n, c(1)), add(i, c(1))), n)));
  EXPECT_TRUE(prove(inside(max(c(0), sub(i, c(1))), n)));
  EXPECT_TRUE(prove(inside(max(c(0), min(sub(n, c(1)), sub(i, c(3)))), n)));
  EXPECT_FALSE(prove(inside(max(c(0), add(i, c(1))), n)));
  EXPECT_TRUE(prove(inside(min(sub(n, c(1)), max(c(0), sub(i, c(3)))), n)));
  Expr clamped = min(sub(n, c(1)), max(c(0), sub(i, c(3))));
  EXPECT_TRUE(facts_.prove_equal(clamped, max(c(0), sub(i, c(3)))));
  // Within constants whatever the data are, so that more may be added.
  Expr data = name("data");
  EXPECT_TRUE(prove(inside(add(c(1), max(c(0), min(c(6), data))), c(8))));
  EXPECT_FALSE(prove(inside(add(c(1), max(c(0), min(c(7), data))), c(8))));
  Expr chosen = select(less(i, c(1)), c(0), sub(i, c(1)));
  EXPECT_TRUE(prove(inside(chosen, n)));
}

TEST_F(FactsTest, ChunksLieWithinTheWhole) {
  Expr n = size("n"), length = size("length");
  Expr chunk = index("chunk", ceil_div(n, max(c(1), length)));
  Expr start = mul(chunk, length);
  Expr i = index("i", max(c(0), min(length, sub(n, start))));
  EXPECT_TRUE(prove(inside(add(start, i), n)));
  EXPECT_FALSE(prove(inside(add(add(start, i), c(1)), n)));
}

TEST_F(FactsTest, BordersAreExcludedByConditions) {
  Expr h = size("h");
  Expr i = index("i", h);
  Expr first = eq(i, c(0)), last = eq(i, sub(h, c(1)));
  Expr border = let("border", either(first, both(last, negate(first))));
  facts_.scope([&] {
    facts_.assume(border, false);
    EXPECT_TRUE(prove(inside(add(i, c(1)), h)));
    EXPECT_TRUE(prove(inside(sub(i, c(1)), h)));
    return 0;
  });
  EXPECT_FALSE(prove(inside(add(i, c(1)), h)));
  EXPECT_FALSE(prove(inside(sub(i, c(1)), h)));
}

TEST_F(FactsTest, ConditionsThatWereNamedEarlierAreProvedFromLaterOnes) {
  Expr n = size("n");
  Expr i = index("i", n);
  Expr positive = let("positive", less(c(0), i));
  Expr ok = let("ok", le(c(0), let("before", sub(i, c(1)))));
  EXPECT_EQ(facts_.decide(ok), std::nullopt);
  facts_.assume(positive);
  EXPECT_EQ(facts_.decide(ok), true);
}

TEST_F(FactsTest, ConditionsHoldInTheirScopeOnly) {
  Expr n = size("n"), s = name("s");
  EXPECT_FALSE(prove(inside(s, n)));
  facts_.scope([&] {
    facts_.assume(inside(s, n));
    EXPECT_TRUE(prove(inside(s, n)));
    EXPECT_TRUE(prove(less(s, add(n, c(5)))));
    return 0;
  });
  EXPECT_FALSE(prove(inside(s, n)));
}

TEST_F(FactsTest, ArbitraryNumbersMayWrapAround) {
  Expr n = size("n"), s = name("s");
  Expr i = index("i", n);
  facts_.assume(le(c(0), s));
  EXPECT_FALSE(prove(le(c(0), add(i, s))));  // s may be the largest number there is.
  EXPECT_FALSE(prove(less(s, add(s, c(1)))));
  EXPECT_FALSE(prove(le(c(0), mul(s, c(2)))));
  facts_.assume(less(s, n));
  EXPECT_TRUE(prove(le(c(0), add(i, s))));
  EXPECT_TRUE(prove(less(s, add(s, c(1)))));
  EXPECT_TRUE(prove(less(add(i, s), mul(n, c(2)))));
}

TEST_F(FactsTest, HighPowersOfIndicesMayWrapAround) {
  Expr n = size("n");
  Expr i = index("i", n);
  EXPECT_TRUE(prove(le(c(0), mul(i, i))));
  EXPECT_FALSE(prove(le(c(0), mul(mul(mul(i, i), i), i))));
  EXPECT_FALSE(prove(le(c(0), mul(i, c(int64_t{1} << 50)))));
}

TEST_F(FactsTest, WhatSizesAreMadeOfIsSmall) {
  Expr s = name("s");
  Expr n = let("n", add(s, c(1)));
  EXPECT_FALSE(prove(less(s, n)));
  facts_.size(of(n));
  EXPECT_TRUE(prove(less(s, n)));
  EXPECT_TRUE(prove(le(c(-1), s)));
}

TEST_F(FactsTest, NarrowTypesWrapAround) {
  Expr x = name("x", Type::I32);
  auto i32 = [](int64_t v) { return constant(prim::Value::i32(static_cast<int32_t>(v))); };
  auto extended = [](const Expr& e) { return operation(Op(Family::SExt, Type::I32, Type::I64), {e}); };
  Expr next = operation(Op(Family::Add, Type::I32), {x, i32(1)});
  Expr greater = operation(Op(Family::Slt, Type::I32), {x, next});
  EXPECT_FALSE(prove(greater));
  EXPECT_TRUE(prove(less(extended(x), c(int64_t{1} << 31))));
  EXPECT_TRUE(prove(less(extended(x), add(extended(x), c(1)))));
  facts_.assume(operation(Op(Family::Slt, Type::I32), {x, i32(100)}));
  EXPECT_TRUE(prove(greater));
  EXPECT_TRUE(prove(eq(extended(next), add(extended(x), c(1)))));
  Expr unsigned_x = operation(Op(Family::ZExt, Type::I32, Type::I64), {x});
  EXPECT_TRUE(prove(le(c(0), unsigned_x)));
  EXPECT_FALSE(prove(eq(unsigned_x, extended(x))));
}

TEST_F(FactsTest, MemoryIsReadAnewUnlessItIsConstant) {
  Expr n = size("n");
  Name a{"a", 1000}, b{"b", 1001};
  facts_.constant_buffer(b);
  Expr from_a = load(a, Type::I64, {c(0)}), from_b = load(b, Type::I64, {c(0)});
  facts_.assume(inside(from_a, n));
  facts_.assume(inside(from_b, n));
  EXPECT_FALSE(prove(inside(from_a, n)));
  EXPECT_TRUE(prove(inside(from_b, n)));
  Expr x = let("x", from_a);
  facts_.assume(inside(x, n));
  EXPECT_TRUE(prove(inside(x, n)));
}

TEST_F(FactsTest, UnsignedComparisonsIncludeTheLowerBound) {
  Expr n = size("n"), x = name("x");
  Expr below = operation(Op(Family::Ult, Type::I64), {x, n});
  Expr i = index("i", n);
  EXPECT_TRUE(prove(operation(Op(Family::Ult, Type::I64), {i, n})));
  EXPECT_FALSE(prove(below));
  facts_.assume(below);
  EXPECT_TRUE(prove(inside(x, n)));
}

TEST_F(FactsTest, OpaqueConditionsAreRemembered) {
  Expr f = name("f", Type::F32);
  Expr cond = operation(Op(Family::FLt, Type::F32), {f, constant(prim::Value::f32(1))});
  Expr x = let("x", cond);
  EXPECT_EQ(facts_.decide(x), std::nullopt);
  facts_.assume(cond);
  EXPECT_EQ(facts_.decide(x), true);
  EXPECT_EQ(facts_.decide(negate(x)), false);
}

// ---- Divisions. ----

const Op kQuotient(Family::SDiv, Type::I64), kTruncated(Family::SQuot, Type::I64);

TEST_F(FactsTest, MultiplesDivide) {
  Expr n = size("n"), m = size("m");
  facts_.assume(less(c(0), m));
  Expr i = index("i", n), j = index("j", m);
  auto quotient = [&](const Op& op, const Expr& a, const Expr& b) -> std::string {
    auto q = facts_.quotient(op, a, b);
    return q ? to_text(*q) : "";
  };
  Expr flat = add(mul(i, m), j);
  EXPECT_EQ(quotient(kQuotient, flat, m), to_text(i));
  EXPECT_EQ(quotient(kTruncated, flat, m), to_text(i));
  EXPECT_EQ(quotient(kQuotient, sub(mul(n, m), add(flat, c(1))), m),
            to_text(to_expr(*from_expr(sub(sub(n, i), c(1)), no_definition))));
  EXPECT_EQ(quotient(kQuotient, j, m), "0");
  EXPECT_EQ(quotient(kQuotient, sub(j, m), m), "-1");
  EXPECT_EQ(quotient(kTruncated, sub(j, m), m), "");  // which truncates to 0
  EXPECT_EQ(quotient(kQuotient, add(flat, c(1)), m), "");
  EXPECT_EQ(quotient(kQuotient, flat, n), "");
}

TEST_F(FactsTest, IndicesHaveDigitsWhereTheirExtentHasFactors) {
  Expr n = size("n"), m = size("m"), k = size("k");
  for (const Expr& e : {n, m, k}) facts_.assume(less(c(0), e));
  Expr q = index("q", mul(mul(n, m), k)), j = index("j", k);
  std::unordered_map<Name, Expr> extents = {{of(q), mul(mul(n, m), k)}, {of(j), k}};
  auto digits = [&](const Expr& a, const Expr& b) -> std::string {
    auto d = facts_.digits(kQuotient, a, b, extents);
    return d ? d->index.text() + " " + to_text(d->rows) + ", " + to_text(d->by) : "";
  };
  EXPECT_EQ(digits(q, k), of(q).text() + " " + to_text(mul(n, m)) + ", " + to_text(k));
  EXPECT_EQ(digits(q, mul(m, k)), of(q).text() + " " + to_text(n) + ", " + to_text(mul(m, k)));
  EXPECT_EQ(digits(sub(sub(mul(mul(n, m), k), c(1)), q), k),
            of(q).text() + " " + to_text(mul(n, m)) + ", " + to_text(k));
  EXPECT_EQ(digits(add(mul(q, k), j), mul(m, k)).substr(0, of(q).text().size()), of(q).text());
  EXPECT_EQ(digits(add(q, c(1)), k), "");
  EXPECT_EQ(digits(q, add(k, c(1))), "");
  EXPECT_EQ(digits(add(q, j), k), "");
}

TEST_F(FactsTest, WhatIsEqualToASizeIsUsedInstead) {
  Expr n = size("n"), k = size("k");
  facts_.assume(eq(mul(n, c(9)), k));
  Expr i = index("i", n);
  EXPECT_EQ(to_text(*facts_.quotient(kQuotient, mul(i, k), c(9))), to_text(mul(n, i)));
}

TEST_F(FactsTest, WhatIsSmallIsNoMoreThanThat) {
  Expr x = name("x"), y = name("y");
  EXPECT_FALSE(prove(less(x, add(x, c(1)))));
  for (const Expr& e : {x, y}) {
    facts_.assume(less(c(-1), e));
    facts_.assume(less(e, c(int64_t{1} << 31)));
  }
  EXPECT_TRUE(prove(less(x, add(x, c(1)))));
  EXPECT_TRUE(prove(le(c(0), mul(x, y))));
  EXPECT_FALSE(prove(less(x, y)));
}

// 1 << s may leave no bit, or only the sign, unless s is known to be small.
TEST_F(FactsTest, PowersOfTwoArePositive) {
  auto power = [](const Expr& s) { return operation(Op(Family::Shl, Type::I64), {c(1), s}); };
  Expr n = size("n"), y = index("y", n);
  Expr few = index("few", c(5)), any = index("any", n);
  EXPECT_TRUE(prove(less(c(0), power(few))));
  EXPECT_TRUE(prove(le(c(0), min(sub(n, c(1)), add(power(few), y)))));
  EXPECT_FALSE(prove(less(c(0), power(any))));
  EXPECT_FALSE(prove(less(power(few), n)));
}

TEST_F(FactsTest, SignsFollowFromWhatIsKnown) {
  Expr n = size("n"), x = name("x");
  auto sign = [](Expr e) { return operation(Op(Family::SSignum, Type::I64), {std::move(e)}); };
  Expr of_x = let("sign", sign(x));
  EXPECT_TRUE(prove(eq(sign(add(n, c(1))), c(1))));
  EXPECT_TRUE(prove(eq(sign(sub(c(-1), n)), c(-1))));
  EXPECT_TRUE(prove(le(c(0), sign(n))));
  EXPECT_TRUE(prove(inside(add(of_x, c(1)), c(3))));
  EXPECT_EQ(facts_.decide(eq(of_x, c(1))), std::nullopt);
  facts_.assume(less(c(0), x));
  EXPECT_TRUE(prove(eq(of_x, c(1))));
}

// Each of these has 2^60 paths from its root to its leaves.
TEST_F(FactsTest, DeepExpressionsCostNoMoreThanWideOnes) {
  constexpr int kDepth = 60;
  Expr k = name("k"), x = name("x"), n = size("n");
  auto quotient = [](Expr a, Expr b) { return operation(kQuotient, {std::move(a), std::move(b)}); };
  auto deep = [&](auto step) {
    Expr e = x;
    for (int i = 0; i < kDepth; ++i) e = step(e);
    return e;
  };
  Expr divided = deep([&](const Expr& e) { return quotient(e, k); });
  Expr summed = deep([&](const Expr& e) { return add(quotient(e, k), quotient(e, n)); });
  Expr chosen = deep([&](const Expr& e) { return select(less(e, k), add(e, c(1)), mul(e, c(2))); });
  Expr defined = deep([&](const Expr& e) { return let("t", mul(quotient(e, k), add(e, c(1)))); });
  for (const Expr& e : {divided, summed, chosen, defined}) {
    EXPECT_FALSE(prove(less(e, n)));
    EXPECT_EQ(facts_.decide(le(c(0), e)), std::nullopt);
    EXPECT_TRUE(prove(le(c(0), min(max(e, c(0)), n))));
    EXPECT_TRUE(prove(le(min(max(e, c(0)), n), n)));
  }
  Expr q = index("q", mul(n, n));
  EXPECT_EQ(facts_.digits(kQuotient, add(q, defined), n, {{of(q), mul(n, n)}}).has_value(), false);
}

// ---- What is remembered, and for how long. ----

TEST_F(FactsTest, WhatAConditionDecidedIsForgottenWithIt) {
  Expr n = size("n"), s = name("s");
  Expr flag = let("flag", less(s, n));
  Expr next = let("next", add(s, c(1)));  // may wrap around if s may be anything
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(facts_.decide(flag), std::nullopt);
    EXPECT_FALSE(prove(less(s, next)));
    facts_.scope([&] {
      facts_.assume(inside(s, n));
      EXPECT_EQ(facts_.decide(flag), true);
      EXPECT_TRUE(prove(less(s, next)));
    });
    EXPECT_EQ(facts_.decide(flag), std::nullopt);
    EXPECT_FALSE(prove(less(s, next)));
    facts_.scope([&] {
      facts_.assume(less(s, n), false);
      EXPECT_EQ(facts_.decide(flag), false);
      EXPECT_FALSE(prove(less(s, next)));
    });
  }
}

TEST_F(FactsTest, MoreAssumptionsRenewWhatWasUndecided) {
  Expr n = size("n"), s = name("s"), t = name("t");
  Expr sum = let("sum", add(s, t));
  Expr inner = let("inner", inside(sum, n));
  EXPECT_EQ(facts_.decide(inner), std::nullopt);
  facts_.scope([&] {
    facts_.assume(inside(s, n));
    EXPECT_EQ(facts_.decide(inner), std::nullopt);
    facts_.scope([&] {
      facts_.assume(eq(t, c(0)));
      EXPECT_EQ(facts_.decide(inner), true);
    });
    EXPECT_EQ(facts_.decide(inner), std::nullopt);
  });
}

// ---- How many steps it takes. ----

class Effort : public FactsTest {
 protected:
  static Expr op(Family family, Expr a, Expr b, Type type = Type::I64) {
    return operation(Op(family, type), {std::move(a), std::move(b)});
  }

  // r - y - carry, and whether it borrowed, so often. Each name is asked for, as discharge does.
  void borrow(int times) {
    Expr r = name("r"), y = name("y"), carry = c(0);
    auto defined = [&](const std::string& base, Expr e) {
      Expr x = let(base, std::move(e));
      if (x->type == Type::Bool) facts_.decide(x);
      return x;
    };
    for (int k = 0; k < times; ++k) {
      Expr before = r;
      r = defined("r", op(Family::Sub, defined("lhs", op(Family::Sub, before, y)), carry));
      Expr borrowed = defined("borrowed", op(Family::Ult, c(0), carry));
      Expr at_most = defined("at_most", op(Family::Ule, before, r)),
           below = defined("below", op(Family::Ult, before, r));
      Expr first = defined("first", both(borrowed, at_most)), second = defined("second", both(below, negate(borrowed)));
      carry =
          defined("carry", operation(Op(Family::BToI, Type::Bool, Type::I64), {defined("any", either(first, second))}));
    }
  }

  void straight_line(int lines) {
    Expr v = name("v", Type::I32);
    for (int k = 0; k < lines; ++k) {
      auto number = [](int i) { return constant(prim::Value::i32(i)); };
      Expr product = let("product", op(Family::Mul, v, number(7 * k + 3), Type::I32));
      Expr shifted = let("shifted", op(Family::AShr, v, number(k % 31), Type::I32));
      v = let("v", op(Family::Xor, product, shifted, Type::I32));
    }
  }
};

TEST_F(Effort, TwelveBorrowsTakeFewSteps) {
  borrow(12);
  EXPECT_LT(facts_.effort(), 100000);
}

TEST_F(Effort, OfManyBorrowsIsInProportion) {
  borrow(100);
  int64_t hundred = facts_.effort();
  borrow(200);
  EXPECT_LT(facts_.effort() - hundred, hundred * 5 / 2);
}

TEST_F(Effort, OfStraightLinesIsInProportion) {
  straight_line(400);
  int64_t once = facts_.effort();
  EXPECT_LT(once, 400 * 20);
  straight_line(800);
  EXPECT_LT(facts_.effort() - once, once * 21 / 10);
}

TEST_F(Effort, IsBoundedForOneQuestion) {
  // Of definitions that nobody asked for before, as the host's are. Each doubles the terms.
  std::vector<Expr> definitions;
  Facts facts(names_, [&](const Name& n) {
    return n.tag < 100000 ? nullptr : definitions[static_cast<size_t>(n.tag - 100000)];
  });
  Expr x = name("s"), y = name("t");
  for (int k = 0; k < 20000; ++k) {
    definitions.push_back(select(less(x, y), mul(x, add(y, c(k))), sub(y, x)));
    y = std::exchange(x, var(Name{"d", 100000 + k}, Type::I64));
  }
  EXPECT_FALSE(facts.prove(less(x, y)));
  EXPECT_LT(facts.effort(), 2000);
  Expr n = name("n");
  facts.size(of(n));
  EXPECT_TRUE(facts.prove(le(c(0), n)));
}

TEST_F(Effort, IsGivenAnewForAnotherLook) {
  while (facts_.effort() < 40'000) borrow(100);
  Expr w = size("w"), i = index("i", w);
  Expr last = let("last", sub(op(Family::SDiv, w, c(2)), c(1)));
  Expr next = let("next", add(op(Family::SDiv, i, c(2)), c(1)));
  Expr at = let("at", max(c(0), min(last, next)));
  auto is_near = [&] { return facts_.scope([&] { return facts_.prove_at_most(sub(i, c(2)), mul(c(2), at)); }); };
  EXPECT_FALSE(is_near());
  facts_.look_again();
  EXPECT_TRUE(is_near());
}

}  // namespace
}  // namespace heddle::nest
