#include <gtest/gtest.h>

#include <set>

#include "tests/ir/prim_samples.h"

namespace heddle::prim {
namespace {

std::string evaluate(std::string_view op, std::initializer_list<std::string_view> operands) {
  std::vector<Value> values;
  for (std::string_view operand : operands) values.push_back(parse_value(operand).value());
  const Function* function = find_function(op);
  std::optional<Value> result =
      function != nullptr ? eval_function(*function, values) : eval(parse_op(op).value(), values);
  return result ? to_text(*result) : "undefined";
}

TEST(PrimOp, NamesRoundTripAndAreUnique) {
  std::set<std::string> names;
  for (const Op& op : all_ops()) {
    EXPECT_EQ(parse_op(name(op)), op);
    EXPECT_TRUE(names.insert(name(op)).second) << name(op);
  }
  for (const Function& function : all_functions()) {
    EXPECT_EQ(find_function(function.name), &function);
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
  }
  // 33 integer, 8 float and 2 boolean binary operators; 4, 2 and 2 comparisons, and one of all types; likewise the
  // unary ones; conversions.
  EXPECT_EQ(all_ops().size(), 33u * 4 + 8 * 3 + 2 + (4 * 4 + 2 * 3 + 2 + 8) + (8 + 4 * 4 + 2 * 3) +
                                  (2 * 16 + 9 + 4 * 12 + 2 * 4 + 2 * 3));
  EXPECT_EQ(all_functions().size(), 38u * 3 + 7 * 4 + 8);
}

TEST(PrimOp, NamesAreThoseOfTheIr) {
  for (const char* text :
       {"add64", "add_nw64", "fadd32", "udiv_up_safe8", "eq_i64", "eq_bool", "ult32", "slt64", "lt32", "le16", "llt",
        "lle", "neg_f32", "neg_bool", "complement8", "fsignum64", "logand", "pow32", "fpow32"}) {
    ASSERT_TRUE(parse_op(text)) << text;
    EXPECT_EQ(name(*parse_op(text)), text);
  }
  for (const char* text :
       {"", "add", "add32x", "fadd8", "lt8", "eq_unit", "eq", "neg_unit", "logand8", "sext_i32_f32"}) {
    EXPECT_EQ(parse_op(text), std::nullopt) << text;
  }
}

TEST(PrimOp, Conversions) {
  std::optional<Op> op = parse_conv("sext", "i32", "i64");
  EXPECT_EQ(op, Op(Family::SExt, Type::I32, Type::I64));
  EXPECT_EQ(name(*op), "sext_i32_i64");
  EXPECT_EQ(conv_keyword(*op), "sext");
  EXPECT_EQ(arg_type(*op), Type::I32);
  EXPECT_EQ(result_type(*op), Type::I64);
  EXPECT_EQ(parse_conv("btof", "bool", "f32"), Op(Family::BToF, Type::Bool, Type::F32));
  EXPECT_EQ(parse_conv("sext", "f32", "i64"), std::nullopt);
  EXPECT_EQ(parse_conv("add", "i32", "i32"), std::nullopt);
  EXPECT_EQ(parse_conv("sext", "i32", "i65"), std::nullopt);
}

TEST(PrimOp, Signatures) {
  EXPECT_EQ(result_type(*parse_op("slt32")), Type::Bool);
  EXPECT_EQ(result_type(*parse_op("add8")), Type::I8);
  EXPECT_EQ(arity(*parse_op("slt32")), 2);
  EXPECT_EQ(arity(*parse_op("neg_i8")), 1);
  const Function* atan2 = find_function("atan2_32");
  ASSERT_NE(atan2, nullptr);
  EXPECT_EQ(atan2->num_args, 2);
  EXPECT_EQ(find_function("clz64")->result, Type::I32);
  EXPECT_EQ(find_function("ldexp64")->args[1], Type::I32);
  EXPECT_EQ(find_function("from_bits16")->args[0], Type::I16);
  EXPECT_EQ(find_function("to_bits32")->result, Type::I32);
  EXPECT_EQ(find_function("cond_bool")->args[0], Type::Bool);
  EXPECT_EQ(find_function("sqrt"), nullptr);
}

TEST(PrimOp, FailsWhereItIsSaidTo) {
  for (const Op& op : all_ops()) {
    if (arity(op) != 2) continue;
    bool fails = false;
    std::vector<Value> values = samples::samples(op.type, 4);
    for (const Value& x : values) {
      for (const Value& y : values) {
        fails = fails || !eval(op, std::array{x, y});
      }
    }
    EXPECT_EQ(can_fail(op), fails) << name(op);
  }
}

TEST(PrimEval, RefusesWrongOperands) {
  Op add = *parse_op("add32");
  EXPECT_EQ(eval(add, std::array{Value::i32(1)}), std::nullopt);
  EXPECT_EQ(eval(add, std::array{Value::i32(1), Value::i64(1)}), std::nullopt);
  EXPECT_EQ(eval(Op(Family::Add, Type::F32), std::array{Value::f32(1), Value::f32(1)}), std::nullopt);
  EXPECT_EQ(eval_function(*find_function("sqrt32"), std::array{Value::f64(1)}), std::nullopt);
  EXPECT_EQ(eval_function(*find_function("sqrt32"), std::array<Value, 0>{}), std::nullopt);
}

TEST(PrimEval, Integers) {
  EXPECT_EQ(evaluate("add8", {"127i8", "1i8"}), "-128i8");
  EXPECT_EQ(evaluate("mul32", {"65536i32", "65536i32"}), "0i32");
  EXPECT_EQ(evaluate("sdiv32", {"-7i32", "2i32"}), "-4i32");
  EXPECT_EQ(evaluate("squot32", {"-7i32", "2i32"}), "-3i32");
  EXPECT_EQ(evaluate("smod32", {"-7i32", "2i32"}), "1i32");
  EXPECT_EQ(evaluate("srem32", {"-7i32", "2i32"}), "-1i32");
  EXPECT_EQ(evaluate("sdiv_up64", {"7i64", "2i64"}), "4i64");
  EXPECT_EQ(evaluate("sdiv64", {"-9223372036854775808i64", "-1i64"}), "-9223372036854775808i64");
  EXPECT_EQ(evaluate("sdiv8", {"1i8", "0i8"}), "undefined");
  EXPECT_EQ(evaluate("sdiv_safe8", {"1i8", "0i8"}), "0i8");
  EXPECT_EQ(evaluate("udiv8", {"-1i8", "2i8"}), "127i8");
  EXPECT_EQ(evaluate("umod16", {"-1i16", "10i16"}), "5i16");
  EXPECT_EQ(evaluate("pow32", {"47i32", "7i32"}), "-183020465i32");
  EXPECT_EQ(evaluate("pow32", {"2i32", "-1i32"}), "undefined");
  EXPECT_EQ(evaluate("shl32", {"1i32", "32i32"}), "0i32");
  EXPECT_EQ(evaluate("ashr32", {"-1i32", "40i32"}), "-1i32");
  EXPECT_EQ(evaluate("lshr8", {"-1i8", "4i8"}), "15i8");
  EXPECT_EQ(evaluate("umax32", {"-1i32", "1i32"}), "-1i32");
  EXPECT_EQ(evaluate("abs8", {"-128i8"}), "-128i8");
  EXPECT_EQ(evaluate("zext_i8_i32", {"-1i8"}), "255i32");
  EXPECT_EQ(evaluate("clz16", {"1i16"}), "15i32");
  EXPECT_EQ(evaluate("ctz8", {"0i8"}), "8i32");
  EXPECT_EQ(evaluate("smul_hi8", {"-128i8", "127i8"}), "-64i8");
  EXPECT_EQ(evaluate("umad_hi16", {"-1i16", "-1i16", "3i16"}), "1i16");
}

// What no integer of the type is: the nearest one, as GPUs convert.
TEST(PrimEval, FloatsBeyondIntegers) {
  EXPECT_EQ(evaluate("fptosi_f32_i32", {"3.0e9f32"}), "2147483647i32");
  EXPECT_EQ(evaluate("fptosi_f64_i32", {"-1.0e300f64"}), "-2147483648i32");
  EXPECT_EQ(evaluate("fptosi_f64_i32", {"2147483647.5f64"}), "2147483647i32");
  EXPECT_EQ(evaluate("fptosi_f64_i32", {"-2147483648.5f64"}), "-2147483648i32");
  EXPECT_EQ(evaluate("fptosi_f32_i64", {"1.0e19f32"}), "9223372036854775807i64");
  EXPECT_EQ(evaluate("fptosi_f32_i64", {"-1.0e19f32"}), "-9223372036854775808i64");
  EXPECT_EQ(evaluate("fptoui_f32_i32", {"1.0e10f32"}), "-1i32");
  EXPECT_EQ(evaluate("fptoui_f32_i32", {"-1.0e10f32"}), "-2147483648i32");
  EXPECT_EQ(evaluate("fptoui_f64_i64", {"1.0e20f64"}), "-1i64");
  EXPECT_EQ(evaluate("fptosi_f32_i8", {"300.0f32"}), "44i8");  // wraps what fits into 32 bits
  EXPECT_EQ(evaluate("fptosi_f32_i16", {"3.0e9f32"}), "-1i16");
  EXPECT_EQ(evaluate("fptosi_f16_i8", {"-f16.inf"}), "0i8");
  EXPECT_EQ(evaluate("fptosi_f64_i64", {"-f64.inf"}), "0i64");
}

TEST(PrimEval, Floats) {
  EXPECT_EQ(evaluate("fmax32", {"f32.nan", "-1.0f32"}), "-1.0f32");
  EXPECT_EQ(evaluate("fmin64", {"f64.nan", "f64.nan"}), "f64.nan");
  EXPECT_EQ(evaluate("fmod32", {"-7.5f32", "2.0f32"}), "-1.5f32");
  EXPECT_EQ(evaluate("fsignum32", {"-f32.inf"}), "-1.0f32");
  EXPECT_EQ(evaluate("fsignum64", {"f64.nan"}), "f64.nan");
  EXPECT_EQ(evaluate("fadd16", {"2048.0f16", "1.0f16"}), "2048.0f16");
  EXPECT_EQ(evaluate("eq_f32", {"f32.nan", "f32.nan"}), "false");
  EXPECT_EQ(evaluate("fptosi_f32_i32", {"f32.nan"}), "0i32");
  EXPECT_EQ(evaluate("fptosi_f64_i32", {"-3.5f64"}), "-3i32");
  EXPECT_EQ(evaluate("fptoui_f32_i32", {"-1.0f32"}), "-1i32");
  EXPECT_EQ(evaluate("fptoui_f32_i64", {"f32.inf"}), "0i64");
  EXPECT_EQ(evaluate("fptoui_f64_i64", {"1.0e19f64"}), "-8446744073709551616i64");
  EXPECT_EQ(evaluate("fptoui_f32_i32", {"3.0e9f32"}), "-1294967296i32");
  EXPECT_EQ(evaluate("uitofp_i8_f32", {"-1i8"}), "255.0f32");
  EXPECT_EQ(evaluate("sitofp_i64_f32", {"9007199791611905i64"}), "9.0072e15f32");  // rounds once, not by way of f64
  EXPECT_EQ(evaluate("fpconv_f64_f16", {"100000.0f64"}), "f16.inf");
  EXPECT_EQ(evaluate("ftob_f32_bool", {"f32.nan"}), "true");
  EXPECT_EQ(evaluate("round32", {"2.5f32"}), "2.0f32");
  EXPECT_EQ(evaluate("nextafter16", {"0.0f16", "-1.0f16"}), "-5.9604645e-8f16");
  EXPECT_EQ(evaluate("nextafter16", {"65504.0f16", "f16.inf"}), "f16.inf");
  EXPECT_EQ(evaluate("to_bits32", {"-1.0f32"}), "-1082130432i32");
  EXPECT_EQ(evaluate("from_bits16", {"31744i16"}), "f16.inf");
  EXPECT_EQ(evaluate("gamma64", {"5.0f64"}), "24.0f64");
  EXPECT_EQ(evaluate("atan2_64", {"0.0f64", "1.0f64"}), "0.0f64");
  EXPECT_EQ(evaluate("cond_i32", {"true", "1i32", "2i32"}), "1i32");
}

TEST(PrimC, Names) {
  EXPECT_EQ(c_function(*parse_op("sext_i32_i64")), "hd_sext_i32_i64");
  EXPECT_EQ(c_function(*find_function("sqrt32")), "hd_sqrt32");
  EXPECT_EQ(c_type(Type::I32), "int32_t");
  EXPECT_EQ(c_literal(Value::i64(std::numeric_limits<int64_t>::min())), "(-9223372036854775807LL - 1)");
  EXPECT_EQ(c_literal(Value::f32(0.1f)), "0.1f");
  EXPECT_EQ(c_literal(Value::f64(-2)), "(-2.0)");
  EXPECT_EQ(c_literal(Value::f32(1e20f)), "1e+20f");
  EXPECT_EQ(c_infix(*parse_op("fadd32")), "+");
  EXPECT_EQ(c_infix(*parse_op("fadd16")), std::nullopt);
  EXPECT_EQ(c_infix(*parse_op("add32")), std::nullopt);
}

}  // namespace
}  // namespace heddle::prim
