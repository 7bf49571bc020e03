// Quotients of integers by constants: the same to the last bit without a division.
#include "rewrites/nest/exact_quotients.h"

#include <fmt/format.h>

#include <random>

#include "ir/nest/printer.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Value;

Kernel dividing(const std::string& from, const std::string& to, const std::string& conversion, const std::string& by) {
  return kernel_of(fmt::format(R"(kernel small(i_1: i64, in_2: global {0}[i_1], out_3: global {1}[i_1]) {{
  let x_4: {1} = {2}_{0}_{1}(in_2[i_1]);
  out_3[i_1] := x_4 / {3};
}}
)",
                               from, to, conversion, by));
}

// What is stored, of x_4.
Value computed(const Expr& e, const Value& x) {
  if (const auto* c = std::get_if<Const>(&e->node)) return c->value;
  if (std::holds_alternative<Var>(e->node)) return x;
  const auto* o = std::get_if<Operation>(&e->node);
  std::vector<Value> args;
  for (const Expr& a : o ? o->args : std::get<Call>(e->node).args) args.push_back(computed(a, x));
  return o ? *prim::eval(o->op, args) : *prim::eval_function(*std::get<Call>(e->node).function, args);
}

Expr stored(const Block& body) { return std::get<Store>(body.back()->node).value; }

bool divides(const Block& body) {
  bool found = false;
  for_each_expr(body, [&](const Expr& e) {
    const auto* o = std::get_if<Operation>(&e->node);
    found |= o && o->op.family == prim::Family::FDiv;
  });
  return found;
}

// For these integers, and none of them by a division.
template <class Next>
void expect_exact(const Kernel& before, prim::Type from, prim::Family conversion, int64_t times, Next next) {
  const Block after = exact_quotients(before.body);
  ASSERT_FALSE(divides(after)) << to_text(after);
  const Expr division = stored(before.body), product = stored(after);
  for (int64_t k = 0; k < times; ++k) {
    const Value x = *prim::eval(prim::Op(conversion, from, division->type), {{Value::of_int(from, next(k))}});
    ASSERT_EQ(computed(product, x), computed(division, x)) << to_text(x) << " in " << to_text(after);
  }
}

TEST(ExactQuotients, OfAllNarrowIntegers) {
  for (const std::string by :
       {"255f32", "-255f32", "65535f32", "3f32", "0.1f32", "0.299f32", "1000001f32", "7.0e-9f32"}) {
    auto same = [](int64_t k) { return k; };
    expect_exact(dividing("i8", "f32", "uitofp", by), prim::Type::I8, prim::Family::UIToFP, 256, same);
    expect_exact(dividing("i8", "f32", "sitofp", by), prim::Type::I8, prim::Family::SIToFP, 256, same);
    expect_exact(dividing("i16", "f32", "uitofp", by), prim::Type::I16, prim::Family::UIToFP, 65536, same);
    expect_exact(dividing("i16", "f32", "sitofp", by), prim::Type::I16, prim::Family::SIToFP, 65536, same);
  }
}

TEST(ExactQuotients, OfWideIntegers) {
  std::mt19937_64 random(1);
  // As many of all magnitudes.
  auto next = [&](int64_t) { return static_cast<int64_t>(random() >> random() % 64); };
  for (int k = 0; k < 40; ++k) {
    const std::string by =
        fmt::format("{:.9g}", std::ldexp(1 + 1e-9 * static_cast<double>(random() % 1000000000), k - 20));
    expect_exact(dividing("i32", "f32", "sitofp", by + "f32"), prim::Type::I32, prim::Family::SIToFP, 5000, next);
    expect_exact(dividing("i64", "f32", "uitofp", by + "f32"), prim::Type::I64, prim::Family::UIToFP, 5000, next);
    expect_exact(dividing("i64", "f64", "sitofp", by + "f64"), prim::Type::I64, prim::Family::SIToFP, 5000, next);
  }
}

// They are products as they are.
TEST(ExactQuotients, ByPowersOfTwo) {
  auto same = [](int64_t k) { return k - 128; };
  for (const std::string by : {"8f32", "-0.25f32", "1f32"}) {
    const Kernel k = dividing("i64", "f32", "sitofp", by);
    expect_exact(k, prim::Type::I64, prim::Family::SIToFP, 256, same);
    bool corrects = false;
    for_each_expr(exact_quotients(k.body), [&](const Expr& e) { corrects |= std::holds_alternative<Call>(e->node); });
    EXPECT_FALSE(corrects) << by;
  }
}

TEST(ExactQuotients, NotOfWhatIsNoInteger) {
  for (const std::string value : {"in_2[i_1]", "1f32 + sitofp_i64_f32(i_1)"}) {
    Kernel k =
        kernel_of("kernel small(i_1: i64, in_2: global f32[i_1], out_3: global f32[i_1]) { let x_4: f32 = " + value +
                  "; out_3[i_1] := x_4 / 255f32; }\n");
    EXPECT_TRUE(divides(exact_quotients(k.body)));
  }
}

TEST(ExactQuotients, NotByWhatIsNearTheEndsOfTheRange) {
  for (const std::string by : {"1.0e-30f32", "1.0e30f32", "0.0f32", "f32.inf", "f32.nan"})
    EXPECT_TRUE(divides(exact_quotients(dividing("i8", "f32", "uitofp", by).body))) << by;
}

}  // namespace
}  // namespace heddle::nest
