#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "ir/seg/value.h"

namespace heddle::seg {
namespace {

std::string again(std::string_view text) {
  ReadValues read = read_values(text);
  std::string all;
  for (const TypedValue& v : read.values) all += (all.empty() ? "" : " ") + to_text(v.value, v.is_unsigned);
  return read.error ? all + " error: " + *read.error : all;
}

TEST(SegValue, ReadsFutharksNotation) {
  EXPECT_EQ(again("1 -2i8 3i64 250u8 true false"), "1i32 -2i8 3i64 250u8 true false");
  EXPECT_EQ(again("1_000 0x1F 0b101i64 0xffu8"), "1000i32 31i32 5i64 255u8");
  EXPECT_EQ(again("1.5 2f32 -1e3f32 0x1p4f64"), "1.5f64 2.0f32 -1000.0f32 16.0f64");
  EXPECT_EQ(again("f32.nan -f64.inf f16.inf"), "f32.nan -f64.inf f16.inf");
  EXPECT_EQ(again("[1, 2] -- a comment\n[[1i8], [2i8]]"), "[1i32, 2i32] [[1i8], [2i8]]");
  EXPECT_EQ(again("empty([0]i32) empty([3][0]u16)"), "empty([0]i32) empty([3][0]u16)");
  EXPECT_EQ(again("\"ab\\n\""), "[97u8, 98u8, 10u8]");
}

TEST(SegValue, RefusesOtherTexts) {
  EXPECT_EQ(again("1 [1, 2i64]"), "1i32 error: line 1: the elements of an array must have the same type");
  EXPECT_EQ(again("[[1, 2],\n[3]]"), " error: line 2: the rows of an array must have the same shape");
  EXPECT_EQ(again("[[1], 2]"), " error: line 1: the rows of an array must have the same shape");
  EXPECT_EQ(again("[1, [2]]"), " error: line 1: the rows of an array must have the same shape");
  EXPECT_EQ(again("[]"), " error: line 1: an empty array is written as in empty([0]i32)");
  EXPECT_EQ(again("[1,"), " error: line 1: the array does not end");
  EXPECT_EQ(again("\"a"), " error: line 1: the string does not end");
  EXPECT_EQ(again("empty([2]i32)"), " error: line 1: an empty array must have a size that is 0");
  EXPECT_EQ(again("?"), " error: line 1: a value expected");
  EXPECT_EQ(again("1x"), " error: line 1: '1x' is not a number");
  EXPECT_EQ(again(std::string(100, '[')), " error: line 1: the array has too many dimensions");
}

RC_GTEST_PROP(SegValue, PrintsWhatItReads, ()) {
  auto type = *rc::gen::element(prim::Type::I8, prim::Type::I16, prim::Type::I32, prim::Type::I64, prim::Type::F16,
                                prim::Type::F32, prim::Type::F64, prim::Type::Bool);
  std::vector<int64_t> shape(*rc::gen::inRange<size_t>(1, 4));
  for (int64_t& n : shape) n = *rc::gen::inRange<int64_t>(0, 4);
  Array a{type, shape, std::make_shared<std::vector<int64_t>>()};
  for (int64_t i = 0; i < *element_count(shape); i++) {
    auto bits = *rc::gen::arbitrary<int64_t>();
    a.cells->push_back(to_cell(type == prim::Type::Bool ? prim::Value::of_bool(bits & 1)
                               : prim::is_float(type)   ? prim::float_from_bits(type, static_cast<uint64_t>(bits))
                                                        : prim::Value::of_int(type, bits)));
  }
  bool is_unsigned = prim::is_int(type) && *rc::gen::arbitrary<bool>();
  ReadValues read = read_values(to_text(a, is_unsigned));
  RC_ASSERT(!read.error);
  RC_ASSERT(read.values.size() == 1u);
  RC_ASSERT(equal(read.values[0].value, a));
  RC_ASSERT(read.values[0].is_unsigned == is_unsigned);
}

RC_GTEST_PROP(SegValue, SurvivesAnyText, (std::string text)) { read_values(text); }

}  // namespace
}  // namespace heddle::seg
