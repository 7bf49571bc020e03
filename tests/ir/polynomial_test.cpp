#include "ir/poly/polynomial.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ir/support/error.h"
#include "tests/ir/random_polynomial.h"

namespace heddle::poly {
namespace {

const Name kN{"n", 1}, kM{"m", 2}, kI{"i", 4};
const Polynomial n = Polynomial::of(kN), m = Polynomial::of(kM), i = Polynomial::of(kI);

TEST(Polynomial, PrintsConstantsLast) {
  EXPECT_EQ((n * m + 3 * i - 1).to_string(), "n_1*m_2 + 3*i_4 - 1");
  EXPECT_EQ((-n).to_string(), "-n_1");
  EXPECT_EQ((n * n * -2 + 1).to_string(), "-2*n_1*n_1 + 1");
  EXPECT_EQ(Polynomial().to_string(), "0");
  EXPECT_EQ(Polynomial(-7).to_string(), "-7");
}

TEST(Polynomial, HasOneFormForEqualValues) {
  EXPECT_EQ((n + m) * (n - m), n * n - m * m);
  EXPECT_EQ(n - n, Polynomial());
  EXPECT_EQ(((n + 1) * (n + 1) - n * n - 2 * n).as_constant(), 1);
  EXPECT_EQ(n.as_constant(), std::nullopt);
  EXPECT_EQ(n.as_name(), kN);
  EXPECT_EQ((2 * n).as_name(), std::nullopt);
  EXPECT_EQ((n * n).as_name(), std::nullopt);
}

TEST(Polynomial, TakesNamesApart) {
  Polynomial p = n * m * i + 2 * n * n + m - 5;
  EXPECT_EQ(p.coefficient(kI), n * m);
  EXPECT_EQ(p.coefficient(kN), m * i);
  EXPECT_EQ(p.without(kN), m - 5);
  EXPECT_EQ(p.degree_in(kN), 2);
  EXPECT_EQ(p.degree_in(Name{"other", 9}), 0);
  EXPECT_EQ(p.constant_term(), -5);
  EXPECT_EQ(p.names(), (std::vector<Name>{kN, kM, kI}));
  EXPECT_EQ(p.substitute(kN, m - 1), (m - 1) * m * i + 2 * (m - 1) * (m - 1) + m - 5);
}

TEST(Polynomial, DividesWithoutRemainderOnly) {
  EXPECT_EQ((n * m - m).divided_by(m), n - 1);
  EXPECT_EQ((n * n - m * m).divided_by(n + m), n - m);
  EXPECT_EQ((4 * n + 2).divided_by(2), 2 * n + 1);
  EXPECT_EQ((4 * n + 1).divided_by(2), std::nullopt);
  EXPECT_EQ(n.divided_by(m), std::nullopt);
  EXPECT_EQ(n.divided_by(0), std::nullopt);
  EXPECT_EQ(Polynomial().divided_by(n), Polynomial());
}

TEST(Polynomial, RefusesCoefficientsBeyond64Bits) {
  Polynomial large = n * INT64_MAX;
  EXPECT_THROW(large + n, Refused);
  EXPECT_THROW(large * 2, Refused);
  EXPECT_THROW(-Polynomial(INT64_MIN), Refused);
  EXPECT_THROW(Polynomial(INT64_MIN).divided_by(-1), Refused);
  EXPECT_EQ(large.eval([](const Name&) { return 2; }), std::nullopt);
  EXPECT_EQ(large.eval([](const Name&) { return 1; }), INT64_MAX);
}

RC_GTEST_PROP(PolynomialProperties, ArithmeticIsThatOfValues, (Polynomial a, Polynomial b, Point p)) {
  int64_t x = *a.eval(at(p)), y = *b.eval(at(p));
  RC_ASSERT((a + b).eval(at(p)) == x + y);
  RC_ASSERT((a - b).eval(at(p)) == x - y);
  RC_ASSERT((a * b).eval(at(p)) == x * y);
  RC_ASSERT((-a).eval(at(p)) == -x);
}

RC_GTEST_PROP(PolynomialProperties, EqualValuesHaveOneForm, (Polynomial a, Polynomial b, Polynomial c)) {
  RC_ASSERT(a * (b + c) == c * a + b * a);
  RC_ASSERT((a * (b + c)).hash() == (c * a + b * a).hash());
  RC_ASSERT((a - b) + b == a);
}

RC_GTEST_PROP(PolynomialProperties, SubstitutionIsThatOfValues, (Polynomial a, Polynomial b, Point p)) {
  Name name = random_name(*rc::gen::inRange(0, 4));
  Point q = p;
  q.at(static_cast<size_t>(name.tag)) = *b.eval(at(p));
  std::optional<int64_t> want = a.eval(at(q));
  RC_PRE(want.has_value());
  RC_ASSERT(a.substitute(name, b).eval(at(p)) == want);
}

RC_GTEST_PROP(PolynomialProperties, APolynomialIsTheSumOfItsParts, (Polynomial a)) {
  Name name = random_name(*rc::gen::inRange(0, 4));
  RC_PRE(a.degree_in(name) <= 1);
  RC_ASSERT(a.coefficient(name) * Polynomial::of(name) + a.without(name) == a);
}

TEST(Polynomial, DividesWithRest) {
  auto check = [](const Polynomial& a, const Polynomial& b, const Polynomial& quotient, const Polynomial& rest) {
    Polynomial::Division d = a.divided_with_rest(b);
    EXPECT_EQ(d.quotient, quotient);
    EXPECT_EQ(d.rest, rest);
  };
  check(n * m + i, m, n, i);
  check(n * m - m + i, m, n - 1, i);
  check(3 * n + i + 7, 3, n + 2, i + 1);
  check(3 * n - 1, 3, n - 1, 2);
  check(5 * n, 3, 0, 5 * n);
  check(Polynomial(7), -3, -3, -2);
  check(n * (m + 1) + i, m + 1, n, i);
  check(n, m, 0, n);
}

RC_GTEST_PROP(PolynomialProperties, QuotientAndRestMakeTheDividend, (Polynomial a, Polynomial b)) {
  RC_PRE(!b.is_zero());
  Polynomial::Division d = a.divided_with_rest(b);
  RC_ASSERT(d.quotient * b + d.rest == a);
}

RC_GTEST_PROP(PolynomialProperties, ProductsDivideBack, (Polynomial a, Polynomial b)) {
  RC_PRE(!b.is_zero());
  RC_ASSERT((a * b).divided_by(b) == a);
}

}  // namespace
}  // namespace heddle::poly
