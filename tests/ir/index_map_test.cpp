#include "ir/nest/index_map.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ir/nest/traverse.h"
#include "tests/ir/random_polynomial.h"

namespace heddle::nest {
namespace {

const Name kI{"i", 1}, kN{"n", 2}, kX{"x", 3};
Expr i64(const Name& n) { return var(n, prim::Type::I64); }
Polynomial of(const Name& n) { return Polynomial::of(n); }

TEST(IndexMap, LooksThroughDefinitions) {
  Expr x = add(mul(i64(kI), i64(kN)), constant(int64_t{2}));
  auto definition = [&](const Name& n) -> Expr { return n == kX ? x : nullptr; };
  Expr e = sub(mul(i64(kX), constant(int64_t{3})), i64(kN));
  EXPECT_EQ(from_expr(e, definition), 3 * of(kI) * of(kN) + 6 - of(kN));
  EXPECT_EQ(from_expr(e, no_definition), 3 * of(kX) - of(kN));
}

TEST(IndexMap, LeavesNamesWhoseDefinitionIsNoPolynomial) {
  Expr x = load(Name{"a", 9}, prim::Type::I64, {i64(kI)});
  auto definition = [&](const Name& n) -> Expr { return n == kX ? x : nullptr; };
  EXPECT_EQ(from_expr(add(i64(kX), i64(kI)), definition), of(kX) + of(kI));
  EXPECT_EQ(from_expr(x, definition), std::nullopt);
  EXPECT_EQ(from_expr(constant(prim::Value::i32(1)), definition), std::nullopt);
}

TEST(IndexMap, NamesEqualDivisionsOnce) {
  NameSource names(100);
  DivisionAtoms atoms(names);
  Expr quotient = div(add(i64(kI), i64(kN)), i64(kN));
  auto q = from_expr(quotient, no_definition, &atoms);
  ASSERT_TRUE(q && q->as_name());
  EXPECT_EQ(from_expr(div(add(i64(kN), i64(kI)), i64(kN)), no_definition, &atoms), q);
  EXPECT_NE(from_expr(mod(add(i64(kN), i64(kI)), i64(kN)), no_definition, &atoms), q);
  const DivisionAtom* atom = atoms.find(*q->as_name());
  ASSERT_TRUE(atom);
  EXPECT_EQ(atom->numerator, of(kI) + of(kN));
  EXPECT_EQ(atom->divisor, of(kN));
  EXPECT_EQ(from_expr(quotient, no_definition), std::nullopt);
  EXPECT_EQ(from_expr(to_expr(*q * 2 + 1, &atoms), no_definition, &atoms), *q * 2 + 1);
}

TEST(IndexMap, HasNoPolynomialWhereFactorsOverflow) {
  Expr e = mul(mul(i64(kI), constant(INT64_MAX)), constant(int64_t{2}));
  EXPECT_EQ(from_expr(e, no_definition), std::nullopt);
}

// Sixty definitions, each of which mentions the one before it twice.
TEST(IndexMap, HasNoPolynomialWhereDefinitionsMultiply) {
  for (auto op : {add, mul}) {
    auto definition = [&](const Name& n) -> Expr {
      if (n.tag < 100 || n.tag >= 160) return nullptr;
      Expr next = i64(Name{"x", n.tag + 1});
      return op(next, add(next, constant(int64_t{1})));
    };
    auto p = from_expr(i64(Name{"x", 100}), definition);
    // It is a name that is looked through only as far as that leads to something.
    EXPECT_TRUE(!p || p->names().size() == 1);
  }
}

RC_GTEST_PROP(IndexMapProperties, ExpressionsGoBackToTheSamePolynomial, (Polynomial p)) {
  RC_ASSERT(from_expr(to_expr(p), no_definition) == p);
}

RC_GTEST_PROP(IndexMapProperties, ExpressionsHaveThePolynomialsValue, (Polynomial p, poly::Point at)) {
  Substitution s;
  for (const Name& n : p.names()) s.emplace(n, constant(at.at(static_cast<size_t>(n.tag))));
  RC_ASSERT(int_constant(substitute(s, to_expr(p))) == p.eval(poly::at(at)));
}

}  // namespace
}  // namespace heddle::nest
