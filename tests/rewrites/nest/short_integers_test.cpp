// Shifts in place of quotients, 32 bits in place of 64, conversions that cancel: the same numbers for all arguments.
#include "rewrites/nest/short_integers.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/nest/integer_range.h"
#include "tests/rewrites/nest/small_nests.h"

namespace heddle::nest {
namespace {

using namespace examples;
using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

// What the kernel stores, written again.
std::string rewritten_text(const std::string& elem, const std::string& statements) {
  const Kernel kernel = kernel_of(fmt::format(
      "kernel small(n_1: i64, in_2: global {0}[n_1], out_3: global {0}[n_1]) {{\n{1}\n}}\n", elem, statements));
  const Block after = short_integers(kernel.body);
  return to_text(std::get<Store>(after.back()->node).value);
}

TEST(ShortIntegers, QuotientsByPowersOfTwoAreShifts) {
  EXPECT_EQ(rewritten_text("i32", "  out_3[0] := sdiv32(in_2[0], 256i32);"), "in_2[0] >> 8i32");
  EXPECT_EQ(rewritten_text("i64", "  out_3[0] := smod64(in_2[0], 2);"), "in_2[0] & 1");
  EXPECT_EQ(rewritten_text("i64", "  out_3[0] := sdiv_up64(in_2[0], 16);"), "(in_2[0] +% 15) >> 4");
  // Towards zero is no shift, but of what is not negative; and others are no powers.
  EXPECT_EQ(rewritten_text("i32", "  out_3[0] := squot32(in_2[0], 4i32);"), "squot32(in_2[0], 4i32)");
  EXPECT_EQ(rewritten_text("i32", "  out_3[0] := squot32(umod32(smod32(in_2[0], 9i32), 5i32), 4i32);"),
            "umod32(in_2[0] % 9i32, 5i32) >> 2i32");
  EXPECT_EQ(rewritten_text("i32", "  out_3[0] := sdiv32(in_2[0], 3i32);"), "in_2[0] / 3i32");
}

TEST(ShortIntegers, MultiplesAreDivided) {
  const std::string narrow =
      "  let x_4: i16 = sext_i8_i16(zext_i16_i8(in_2[0]));\n  let p_5: i16 = mul16(32i16, x_4);\n";
  EXPECT_EQ(rewritten_text("i16", narrow + "  out_3[0] := sdiv16(p_5, 32i16);"), "x_4");
  const std::string any = "  let x_4: i16 = in_2[0];\n  let p_5: i16 = mul16(32i16, x_4);\n";
  EXPECT_EQ(rewritten_text("i16", any + "  out_3[0] := sdiv16(p_5, 32i16);"), "p_5 >> 5i16") << "it may wrap around";
}

TEST(ShortIntegers, ClampsHaveThirtyTwoBits) {
  EXPECT_EQ(rewritten_text("i64",
                           "  let x_4: i16 = zext_i64_i16(in_2[0]);\n"
                           "  let low_5: i64 = smin64(1023, sext_i16_i64(x_4));\n"
                           "  out_3[0] := smax64(0, low_5);"),
            "zext_i32_i64(max(0i32, min(1023i32, sext_i16_i32(x_4))))");
  EXPECT_EQ(rewritten_text("i64", "  out_3[0] := smax64(0, smin64(1023, in_2[0]));"), "max(0, min(1023, in_2[0]))");
}

TEST(ShortIntegers, ClampedFloatsAreConvertedToThirtyTwoBits) {
  const std::string place =
      "  let x_4: f32 = sitofp_i64_f32(in_2[0]);\n"
      "  let whole_5: i64 = fptosi_f32_i64(x_4);\n"
      "  let low_6: i64 = smin64(1792, whole_5);\n"
      "  let at_7: i64 = smax64(0, low_6);\n";
  EXPECT_EQ(rewritten_text("i64", place + "  out_3[0] := at_7;"), "at_7");
  EXPECT_EQ(rewritten_text("i64", place + "  out_3[0] := smax64(0, low_6);"),
            "zext_i32_i64(max(0i32, min(1792i32, fptosi_f32_i32(x_4))))");
  // One end alone lets through what 32 bits do not have.
  EXPECT_EQ(rewritten_text("i64", place + "  out_3[0] := smin64(1792, whole_5);"), "min(1792, whole_5)");
  EXPECT_EQ(rewritten_text("i64", place + "  out_3[0] := add64(7, at_7);"), "7 +% at_7");
  EXPECT_EQ(rewritten_text("i64", place + "  out_3[0] := add64(7, sub64(at_7, smod64(n_1, 8)));"),
            "zext_i32_i64(7i32 +% (max(0i32, min(1792i32, fptosi_f32_i32(x_4))) -% zext_i64_i32(n_1 & 7)))");
  EXPECT_EQ(rewritten_text("i64", place + "  out_3[0] := sub64(at_7, n_1);"), "at_7 -% n_1");
  for (double x : {0.0, -0.9, 3.9, 1791.5, 5e9, -5e9, 1e30, -1e30, double(INFINITY), -double(INFINITY), double(NAN)}) {
    const Value f = Value::f32(static_cast<float>(x));
    auto clamped = [](int64_t n) { return std::max<int64_t>(0, std::min<int64_t>(1792, n)); };
    EXPECT_EQ(clamped(prim::eval(Op(Family::FPToSI, Type::F32, Type::I64), {{f}})->i),
              clamped(prim::eval(Op(Family::FPToSI, Type::F32, Type::I32), {{f}})->i))
        << x;
  }
}

TEST(ShortIntegers, SumsOfBytesHalvedAreBytes) {
  const std::string average =
      "  let x_4: i8 = zext_i32_i8(in_2[0]);\n"
      "  let y_5: i8 = zext_i32_i8(in_2[1]);\n"
      "  let sum_6: i32 = add32({}, add32(zext_i8_i32(x_4), zext_i8_i32(y_5)));\n"
      "  let half_7: i32 = udiv32(sum_6, 2i32);\n"
      "  let byte_8: i8 = zext_i32_i8(half_7);\n"
      "  let kept_9: i8 = byte_8;\n"
      "  out_3[0] := zext_i8_i32(kept_9);";
  EXPECT_EQ(rewritten_text("i32", fmt::format(fmt::runtime(average), "1i32")), "half_7");
  EXPECT_EQ(rewritten_text("i32", fmt::format(fmt::runtime(average), "2i32")), "zext_i8_i32(kept_9)");
}

TEST(ShortIntegers, DistancesAreAbsoluteDifferences) {
  const std::string both =
      "  let x_4: i16 = zext_i32_i16(in_2[0]);\n"
      "  let y_5: i16 = zext_i32_i16(in_2[1]);\n"
      "  let less_6: bool = ult16(x_4, y_5);\n"
      "  let up_7: i16 = sub16(y_5, x_4);\n"
      "  let down_8: i16 = sub16(x_4, y_5);\n";
  EXPECT_EQ(rewritten_text("i32", both + "  out_3[0] := zext_i16_i32(less_6 ? up_7 : down_8);"),
            "abs32(zext_i16_i32(x_4) -% zext_i16_i32(y_5))");
  EXPECT_EQ(rewritten_text("i32", both + "  out_3[0] := zext_i16_i32(less_6 ? down_8 : up_7);"),
            "zext_i16_i32(less_6 ? down_8 : up_7)");
}

TEST(ShortIntegers, ScalarsThatAreStoredOnceAreWhatIsStored) {
  const std::string once =
      "  alloc r_4: register i32;\n"
      "  let x_5: i32 = in_2[0];\n"
      "  r_4[] := x_5;\n";
  EXPECT_EQ(rewritten_text("i32", once + "  out_3[0] := r_4[];"), "x_5");
  EXPECT_EQ(rewritten_text("i32", once + "  r_4[] := 3i32;\n  out_3[0] := r_4[];"), "r_4[]");
}

// ---- Random expressions: all that is named stays what it is. ----

using Environment = std::unordered_map<Name, Value>;

// nullopt where it cannot be computed.
std::optional<Value> computed(const Expr& e, const Environment& env) {
  if (const auto* c = std::get_if<Const>(&e->node)) return c->value;
  if (const auto* v = std::get_if<Var>(&e->node)) return env.at(v->name);
  if (const auto* s = std::get_if<Select>(&e->node))
    return computed(computed(s->condition, env)->as_bool() ? s->if_true : s->if_false, env);
  const auto& o = std::get<Operation>(e->node);
  std::vector<Value> args;
  for (const Expr& a : o.args) args.push_back(*computed(a, env));
  return prim::eval(o.op, args);
}

constexpr std::array kTypes = {Type::I8, Type::I16, Type::I32, Type::I64};
constexpr std::array kFamilies = {Family::Add,   Family::Sub,  Family::Mul,    Family::SMin, Family::SMax, Family::UMin,
                                  Family::UMax,  Family::SDiv, Family::SDivUp, Family::UDiv, Family::SMod, Family::UMod,
                                  Family::SQuot, Family::SRem, Family::And,    Family::AShr, Family::LShr};
constexpr std::array kComparisons = {Family::Ult, Family::Ule, Family::Slt, Family::Sle};

class RandomLets {
 public:
  explicit RandomLets(uint64_t seed) : random_(seed) {
    for (Type type : kTypes) named_.push_back(var(Name{"x", ++tag_}, type));
  }

  const std::vector<Expr>& arguments() const { return named_; }  // before `make`

  Block make(int lets) {
    Block result;
    for (int k = 0; k < lets; ++k) {
      Expr e = value();
      Name name{"y", ++tag_};
      result.push_back(stmt(Let{name, e}));
      named_.push_back(var(name, e->type));
    }
    return result;
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }
  Type type() { return kTypes[below(kTypes.size())]; }

  int64_t number() {
    switch (below(4)) {
      case 0:
        return int64_t{1} << below(12);
      case 1:
        return static_cast<int64_t>(below(300)) - 20;
      case 2:
        return static_cast<int64_t>(below(70000));
      default:
        return static_cast<int64_t>(below(5));
    }
  }
  Expr literal(Type t) { return constant(Value::of_int(t, number())); }

  Expr leaf(Type t) {
    if (below(4) == 0) return literal(t);
    for (int tries = 0; tries < 8; ++tries) {
      const Expr& e = named_[below(named_.size())];
      if (e->type == t) return e;
      if (prim::is_int(e->type) && below(2) == 0)
        return operation(Op(below(2) == 0 ? Family::ZExt : Family::SExt, e->type, t), {e});
    }
    return literal(t);
  }

  Expr value() {
    const Type t = type();
    if (below(6) == 0) return difference(below(2) == 0 ? Type::I8 : Type::I16);
    if (below(4) == 0) {
      const Type from = type();
      if (from != t) return operation(Op(below(2) == 0 ? Family::ZExt : Family::SExt, from, t), {leaf(from)});
    }
    const Op op(kFamilies[below(kFamilies.size())], t);
    Expr second = leaf(t);
    const bool shifts = op.family == Family::AShr || op.family == Family::LShr;
    if (shifts) second = constant(Value::of_int(t, static_cast<int64_t>(below(7))));
    if (prim::can_fail(op)) {
      second = literal(t);
      if (std::get<Const>(second->node).value.i == 0) second = constant(prim::one(t));
    }
    return operation(op, {leaf(t), second});
  }

  Expr difference(Type t) {
    const Expr a = leaf(t), b = leaf(t);
    const Expr less = operation(Op(kComparisons[below(4)], t), {a, b});
    return select(less, operation(Op(Family::Sub, t), {b, a}), operation(Op(Family::Sub, t), {a, b}));
  }

  std::mt19937_64 random_;
  int tag_ = 0;
  std::vector<Expr> named_;
};

TEST(ShortIntegers, RandomExpressionsStayWhatTheyAre) {
  int changed = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    RandomLets lets(seed);
    const std::vector<Expr> arguments = lets.arguments();
    const Block before = lets.make(12), after = short_integers(before);
    changed += to_text(before) != to_text(after);
    std::mt19937_64 random(seed);
    for (int k = 0; k < 20; ++k) {
      Environment env;
      for (const Expr& e : arguments) {
        const auto any = static_cast<int64_t>(random() >> random() % 64);
        env.emplace(std::get<Var>(e->node).name, Value::of_int(e->type, random() % 2 == 0 ? any : -any));
      }
      IntegerRanges ranges;
      Environment other = env;
      for (size_t i = 0; i < before.size(); ++i) {
        const auto &let = std::get<Let>(before[i]->node), &rewritten = std::get<Let>(after[i]->node);
        const auto x = computed(let.value, env), y = computed(rewritten.value, other);
        if (!x) break;
        ASSERT_EQ(x, y) << "seed " << seed << ": " << to_text(before) << to_text(after);
        const IntegerRange range = range_of(let.value, [&](const Expr& e) { return range_of_name(e, ranges); });
        ASSERT_LE(range.low, x->i) << to_text(before);
        ASSERT_GE(range.high, x->i) << to_text(before);
        ranges.emplace(let.name, range);
        env.emplace(let.name, *x);
        other.emplace(let.name, *y);
      }
    }
  }
  EXPECT_GT(changed, 1000);
}

}  // namespace
}  // namespace heddle::nest
