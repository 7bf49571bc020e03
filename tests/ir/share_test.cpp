// Expressions that share parts, and integer arithmetic as linear code: both compute what the expressions say.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

#include "ir/nest/eval.h"
#include "ir/nest/integer_code.h"
#include "ir/nest/share.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {
namespace {

using prim::Type;
using prim::Value;

const std::vector<Name> kInputs = {{"a", 1}, {"b", 2}, {"c", 3}};

Expr random_expr(int depth) {
  int kind = *rc::gen::inRange(0, depth > 0 ? 12 : 2);
  if (kind == 0) return constant(*rc::gen::inRange<int64_t>(-3, 4));
  if (kind == 1) return var(kInputs[*rc::gen::inRange<size_t>(0, kInputs.size())], Type::I64);
  Expr a = random_expr(depth - 1), b = *rc::gen::arbitrary<bool>() ? a : random_expr(depth - 1);
  Expr divisor = constant(*rc::gen::element<int64_t>(-2, 1, 2, 3, 7));
  switch (kind) {
    case 2:
      return add(a, b);
    case 3:
      return sub(a, b);
    case 4:
      return mul(a, b);
    case 5:
      return div(a, divisor);
    case 6:
      return mod(a, divisor);
    case 7:
      return ceil_div(a, divisor);
    case 8:
      return min(a, b);
    case 9:
      return max(a, b);
    case 10:
      return select(both(less(a, b), negate(less(b, divisor))), a, b);
    default:
      return select(less(a, b), b, divisor);
  }
}

RC_GTEST_PROP(Share, ComputesTheSame, ()) {
  std::vector<Expr> values;
  for (int i = 0; i < 3; ++i) values.push_back(random_expr(4));
  std::vector<int64_t> inputs;
  std::unordered_map<Name, Value> known;
  for (const Name& n : kInputs) {
    inputs.push_back(*rc::gen::inRange<int64_t>(-20, 21));
    known.emplace(n, Value::i64(inputs.back()));
  }
  std::vector<int64_t> expected, computed(values.size());
  for (const Expr& e : values) expected.push_back(evaluate(e, known)->i);

  IntegerCode(kInputs, values).run(inputs.data(), computed.data());
  RC_ASSERT(computed == expected);

  NameSource names(10);
  Shared shared = share(values, names);
  std::unordered_map<Name, int> uses;
  auto count = [&](const Expr& whole) {
    for_each_expr(whole, [&](const Expr& e) {
      if (const auto* v = std::get_if<Var>(&e->node)) ++uses[v->name];
    });
  };
  for (const Let& l : shared.lets) {
    count(l.value);
    known.emplace(l.name, *evaluate(l.value, known));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    count(shared.values[i]);
    RC_ASSERT(evaluate(shared.values[i], known)->i == expected[i]);
  }
  for (const Let& l : shared.lets) RC_ASSERT(uses[l.name] > 1);
}

TEST(Share, NamesWhatIsUsedTwice) {
  Expr a = var(kInputs[0], Type::I64), b = var(kInputs[1], Type::I64);
  NameSource names(10);
  // The product is made twice.
  Shared shared = share({add(mul(a, b), a), mul(mul(a, b), b), div(a, b)}, names);
  ASSERT_EQ(shared.lets.size(), 1U);
  Expr product = var(shared.lets[0].name, Type::I64);
  EXPECT_TRUE(equal(shared.lets[0].value, mul(a, b)));
  EXPECT_TRUE(equal(shared.values[0], add(product, a)));
  EXPECT_TRUE(equal(shared.values[1], mul(product, b)));
  EXPECT_TRUE(equal(shared.values[2], div(a, b)));
}

TEST(IntegerCode, RefusesWhatItDoesNotKnow) {
  Expr a = var(kInputs[0], Type::I64);
  EXPECT_THROW(IntegerCode(kInputs, {var(Name{"unknown", 9}, Type::I64)}), std::invalid_argument);
  EXPECT_THROW(IntegerCode(kInputs, {load(Name{"array", 8}, Type::I64, {a})}), std::invalid_argument);
  EXPECT_THROW(IntegerCode(kInputs, {operation(prim::Op(prim::Family::Xor, Type::I64), {a, a})}),
               std::invalid_argument);
}

}  // namespace
}  // namespace heddle::nest
