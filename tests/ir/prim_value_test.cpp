#include <gtest/gtest.h>

#include <unordered_set>

#include "tests/ir/prim_samples.h"

namespace heddle::prim {
namespace {

double inf() { return std::numeric_limits<double>::infinity(); }
double nan() { return std::numeric_limits<double>::quiet_NaN(); }
Value f16(double x) { return Value::of_float(Type::F16, x); }

TEST(PrimType, NamesAndSizes) {
  EXPECT_EQ(name(Type::I8), "i8");
  EXPECT_EQ(name(Type::F16), "f16");
  EXPECT_EQ(name(Type::Bool), "bool");
  EXPECT_EQ(name(Type::Unit), "unit");
  for (int t = 0; t <= static_cast<int>(Type::Unit); ++t) {
    EXPECT_EQ(parse_type(name(static_cast<Type>(t))), static_cast<Type>(t));
  }
  EXPECT_EQ(parse_type("u8"), std::nullopt);
  EXPECT_EQ(parse_type(""), std::nullopt);
  EXPECT_EQ(size_bytes(Type::I16), 2);
  EXPECT_EQ(size_bytes(Type::F64), 8);
  EXPECT_EQ(size_bytes(Type::Bool), 1);
  EXPECT_EQ(size_bytes(Type::Unit), 0);
}

TEST(PrimValue, TextIsThatOfTheIr) {
  EXPECT_EQ(to_text(Value::i64(3)), "3i64");
  EXPECT_EQ(to_text(Value::i8(-1)), "-1i8");
  EXPECT_EQ(to_text(Value::i64(std::numeric_limits<int64_t>::min())), "-9223372036854775808i64");
  EXPECT_EQ(to_text(Value::of_bool(true)), "true");
  EXPECT_EQ(to_text(Value::unit()), "()");
  EXPECT_EQ(to_text(Value::f32(0.1f)), "0.1f32");
  EXPECT_EQ(to_text(Value::f32(0.01f)), "1.0e-2f32");
  EXPECT_EQ(to_text(Value::f32(9.869605f)), "9.869605f32");
  EXPECT_EQ(to_text(Value::f64(0.5773502691896258)), "0.5773502691896258f64");
  EXPECT_EQ(to_text(Value::f64(2.220446049250313e-16)), "2.220446049250313e-16f64");
  EXPECT_EQ(to_text(Value::f64(100)), "100.0f64");
  EXPECT_EQ(to_text(Value::f64(9999999)), "9999999.0f64");
  EXPECT_EQ(to_text(Value::f64(1e7)), "1.0e7f64");
  EXPECT_EQ(to_text(Value::f64(12345678.5)), "1.23456785e7f64");
  EXPECT_EQ(to_text(Value::f32(-4.6f)), "-4.6f32");
  EXPECT_EQ(to_text(Value::f64(-0.0)), "-0.0f64");
  EXPECT_EQ(to_text(Value::f32(1e-45f)), "1.0e-45f32");
  EXPECT_EQ(to_text(Value::f64(5e-324)), "5.0e-324f64");
  // Halfway between two shortest texts.
  EXPECT_EQ(to_text(Value::f32(2.09765625f)), "2.0976563f32");
  EXPECT_EQ(to_text(Value::f32(3278874.25f)), "3278874.3f32");
  EXPECT_EQ(to_text(Value::f64(2.98023223876953125e-8)), "2.9802322387695313e-8f64");
  EXPECT_EQ(to_text(f16(65504)), "65504.0f16");
  EXPECT_EQ(to_text(f16(0.1)), "9.9975586e-2f16");
  EXPECT_EQ(to_text(Value::f32(static_cast<float>(nan()))), "f32.nan");
  EXPECT_EQ(to_text(Value::f32(-static_cast<float>(inf()))), "-f32.inf");
  EXPECT_EQ(to_text(Value::f64(inf())), "f64.inf");
}

TEST(PrimValue, TextRoundTrips) {
  for (int t = 0; t <= static_cast<int>(Type::Unit); ++t) {
    for (const Value& value : samples::samples(static_cast<Type>(t), 2000)) {
      std::optional<Value> parsed = parse_value(to_text(value));
      ASSERT_TRUE(parsed) << to_text(value);
      EXPECT_EQ(*parsed, value) << to_text(value);
    }
  }
}

TEST(PrimValue, RefusesWhatIsNoValue) {
  for (const char* text : {"",        "-",
                           "3",       "i32",
                           "3i",      "3i33",
                           "3u8",     "128i8",
                           "-129i8",  "9223372036854775808i64",
                           "--3i32",  "+3i32",
                           "3.5i32",  "f32",
                           "f32.",    "-f32.nan",
                           "i32.nan", "f32.infinity",
                           "1e5f32x", "1..5f64",
                           "truee",   "(",
                           "(()",     "-true",
                           "0x10i32", "1.0e999f64",
                           "x_123",   "nan",
                           "inf"}) {
    EXPECT_EQ(parse_value(text), std::nullopt) << text;
  }
}

TEST(PrimValue, IntegersWrapToTheirWidth) {
  EXPECT_EQ(Value::of_int(Type::I8, 200), Value::i8(-56));
  EXPECT_EQ(Value::of_int(Type::I32, int64_t{1} << 31).i, std::numeric_limits<int32_t>::min());
}

TEST(PrimValue, FloatsRoundToTheirType) {
  EXPECT_EQ(Value::of_float(Type::F32, 0.1).f, static_cast<double>(0.1f));
  EXPECT_EQ(f16(2049).f, 2048);  // to even
  EXPECT_EQ(f16(2051).f, 2052);
  EXPECT_EQ(f16(65519.9).f, 65504);
  EXPECT_EQ(f16(65520).f, inf());
  EXPECT_EQ(f16(0x1p-25).f, 0);
  EXPECT_EQ(f16(0x1.8p-25).f, 0x1p-24);
  EXPECT_EQ(to_text(f16(-1e-30)), "-0.0f16");
}

TEST(PrimValue, EqualityIsBitwiseUpToNan) {
  EXPECT_FALSE(Value::f64(0.0) == Value::f64(-0.0));
  EXPECT_TRUE(Value::f64(nan()) == Value::f64(-nan()));
  EXPECT_FALSE(Value::f64(nan()) == Value::f32(static_cast<float>(nan())));
  EXPECT_FALSE(Value::i32(1) == Value::i64(1));
  EXPECT_FALSE(Value::of_bool(false) == Value::unit());
  EXPECT_EQ(std::hash<Value>()(Value::f64(nan())), std::hash<Value>()(Value::f64(-nan())));
  std::unordered_set<Value> set = {Value::i32(1), Value::i64(1), Value::f32(1), Value::i32(1), Value::of_bool(true)};
  EXPECT_EQ(set.size(), 4u);
}

TEST(PrimValue, EveryHalfSurvivesItsBits) {
  for (uint64_t bits = 0; bits < 0x10000; ++bits) {
    Value value = float_from_bits(Type::F16, bits);
    EXPECT_EQ(f16(value.f), value);
    if (std::isnan(value.f)) continue;
    ASSERT_EQ(float_bits(value), bits);
  }
  EXPECT_EQ(float_from_bits(Type::F16, 0x3c00).f, 1);
  EXPECT_EQ(float_from_bits(Type::F16, 0x7bff).f, 65504);
  EXPECT_EQ(float_from_bits(Type::F16, 0x8001).f, -0x1p-24);
}

TEST(PrimValue, ZeroAndOne) {
  EXPECT_EQ(zero(Type::F32), Value::f32(0));
  EXPECT_EQ(one(Type::I8), Value::i8(1));
  EXPECT_EQ(zero(Type::Bool), Value::of_bool(false));
  EXPECT_EQ(one(Type::Unit), Value::unit());
}

}  // namespace
}  // namespace heddle::prim
