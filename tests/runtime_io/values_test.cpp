// The two data formats in memory, without a device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" {
#include "runtime/io/values.h"
}

namespace {

const hd_value_type kElements[] = {
    {HD_I8, false, 0},  {HD_I16, false, 0}, {HD_I32, false, 0}, {HD_I64, false, 0},
    {HD_I8, true, 0},   {HD_I16, true, 0},  {HD_I32, true, 0},  {HD_I64, true, 0},
    {HD_F16, false, 0}, {HD_F32, false, 0}, {HD_F64, false, 0}, {HD_BOOL, false, 0},
};

const hd_value_type kI8 = kElements[0], kI32 = kElements[2], kI64 = kElements[3], kU8 = kElements[4],
                    kU64 = kElements[7], kF16 = kElements[8], kF32 = kElements[9], kF64 = kElements[10],
                    kBool = kElements[11];

hd_value_type with_rank(hd_value_type element, int rank) {
  element.rank = rank;
  return element;
}

struct Value {
  hd_host_value host{};
  Value() = default;
  Value(const Value&) = delete;
  ~Value() { hd_host_value_free(&host); }
};

std::string written(const hd_host_value& value, bool binary) {
  char* data = nullptr;
  size_t size = 0;
  FILE* file = open_memstream(&data, &size);
  (binary ? hd_write_binary : hd_write_text)(file, &value);
  fclose(file);
  std::string result(data, size);
  free(data);
  return result;
}

// What reading one value came to.
struct Reading {
  std::string text;  // the value written again, as text and in binary
  std::string binary;
  std::string problem;  // empty: there was none
  bool at_end = false;
};

Reading read(const std::string& input, hd_value_type type) {
  // No stream over memory may be empty, so every input gets a blank at its end.
  std::string padded = input + " ";
  FILE* file = fmemopen(padded.data(), padded.size(), "rb");
  hd_reader reader;
  hd_reader_init(&reader, file);
  Value value;
  Reading result;
  if (hd_read_value(&reader, &type, &value.host) == 0) {
    result.text = written(value.host, false);
    result.binary = written(value.host, true);
    result.at_end = hd_reader_at_end(&reader);
  } else {
    result.problem = reader.problem;
    EXPECT_NE(result.problem, "") << input;
    EXPECT_EQ(value.host.data, nullptr);
  }
  fclose(file);
  return result;
}

struct Literal {
  hd_value_type type;
  const char* text;
  const char* expected;  // as written again; nullptr: must be refused
};

TEST(Values, Literals) {
  const Literal literals[] = {
      {kI8, "-128", "-128i8"},
      {kI8, "127i8", "127i8"},
      {kI8, "0xff", "-1i8"},
      {kI8, "-0x1", "-1i8"},
      {kI8, "0b101", "5i8"},
      {kI8, "1_0", "10i8"},
      {kI8, "010", "10i8"},
      {kI8, "+3", "3i8"},
      {kI8, "128", "-128i8"},
      {kI8, "255", "-1i8"},
      {kI8, "256", nullptr},
      {kI8, "0x100", nullptr},
      {kI8, "-129", nullptr},
      {kI8, "1u8", nullptr},
      {kI8, "1i16", nullptr},
      {kI8, "0x", nullptr},
      {kI8, "0b2", nullptr},
      {kI8, "-", nullptr},
      {kI8, "1.0", nullptr},
      {kI8, "", nullptr},
      {kU8, "255", "255u8"},
      {kU8, "-1", "255u8"},
      {kU8, "-128", "128u8"},
      {kU8, "-129", nullptr},
      {kU8, "0xABu8", "171u8"},
      {kI32, "-2147483648", "-2147483648i32"},
      {kI32, "2147483648", "-2147483648i32"},
      {kI32, "0xffffffff", "-1i32"},
      {kI32, "4294967296", nullptr},
      {kI64, "-9223372036854775808", "-9223372036854775808i64"},
      {kI64, "-9223372036854775809", nullptr},
      {kI64, "9223372036854775807", "9223372036854775807i64"},
      {kI64, "9223372036854775808", nullptr},
      {kI64, "18446744073709551615", nullptr},
      {kI64, "0x8000000000000000", "-9223372036854775808i64"},
      {kU64, "-1", "18446744073709551615u64"},
      {kU64, "18446744073709551615u64", "18446744073709551615u64"},
      {kU64, "18446744073709551616", nullptr},
      {kU64, "0xFFFF_FFFF_FFFF_FFFF", "18446744073709551615u64"},
      {kF16, "0.1", "0.099976f16"},
      {kF16, "1e5", "f16.inf"},
      {kF16, "65519.99", "65504.000000f16"},
      {kF16, "65520", "f16.inf"},
      {kF16, "-f16.inf", "-f16.inf"},
      {kF16, "f16.nan", "f16.nan"},
      {kF16, "f32.nan", nullptr},
      {kF32, "1", "1.000000f32"},
      {kF32, "-0.0", "-0.000000f32"},
      {kF32, "3.5f32", "3.500000f32"},
      {kF32, "3.5f64", nullptr},
      {kF32, ".5", "0.500000f32"},
      {kF32, "1e3", "1000.000000f32"},
      {kF32, "1e-3f32", "0.001000f32"},
      {kF32, "1e39", "f32.inf"},
      {kF32, "f32.inf", "f32.inf"},
      {kF32, "-f32.inf", "-f32.inf"},
      {kF32, "f32.nan", "f32.nan"},
      {kF32, "inf", "f32.inf"},
      {kF32, "0x1.8p3", "12.000000f32"},
      {kF32, "0x1.8p3f32", "12.000000f32"},
      {kF32, "0xf32", "3890.000000f32"},
      {kF32, "1_000.5", "1000.500000f32"},
      {kF32, "1.0.0", nullptr},
      {kF32, "f32", nullptr},
      {kF32, "true", nullptr},
      {kF64, "0.1", "0.100000000000000f64"},
      {kF64, "123456789012345678", "123456789012345680.000000000000000f64"},
      {kF64, "f64.nan", "f64.nan"},
      {kBool, "true", "true"},
      {kBool, "false", "false"},
      {kBool, "1", nullptr},
  };
  for (const Literal& literal : literals) {
    Reading reading = read(literal.text, literal.type);
    EXPECT_EQ(reading.text, literal.expected ? literal.expected : "") << literal.text << ": " << reading.problem;
    EXPECT_EQ(reading.at_end, literal.expected != nullptr) << literal.text;
  }
}

// Rather than as several values.
TEST(Values, WordsThatAreTooLongAreRefusedWhole) {
  const std::string zeros(HD_MAX_TOKEN - 1, '0');
  EXPECT_EQ(read(zeros + "7", kI32).text, "7i32");
  EXPECT_NE(read(zeros + "07", kI32).problem, "");
  EXPECT_NE(read(zeros + "00000000007", kI32).problem, "");
}

TEST(Values, Arrays) {
  const hd_value_type i32s = with_rank(kI32, 1), i32ss = with_rank(kI32, 2), i32sss = with_rank(kI32, 3);
  const Literal arrays[] = {
      {i32s, "[1,2 , 3i32]", "[1i32, 2i32, 3i32]"},
      {i32s, "[]", "empty([0]i32)"},
      {i32s, "[1,2,]", "[1i32, 2i32]"},
      {i32s, "-- comment\n[1,--comment\n2--comment\n]--comment", "[1i32, 2i32]"},
      {i32s, "empty([0]i32)", "empty([0]i32)"},
      {i32s, " empty ( [ 0 ] i32 ) ", "empty([0]i32)"},
      {i32s, "empty([1]i32)", nullptr},
      {i32s, "empty([0]u32)", nullptr},
      {i32s, "empty([0][0]i32)", nullptr},
      {i32s, "empty", nullptr},
      {i32s, "empty([-1]i32)", nullptr},
      {i32s, "1", nullptr},
      {i32s, "[1 2]", nullptr},
      {i32s, "[,1]", nullptr},
      {i32s, "[1", nullptr},
      {i32s, "[[1]]", nullptr},
      {i32s, "]", nullptr},
      {i32ss, "[[1,2],[3,4]]", "[[1i32, 2i32], [3i32, 4i32]]"},
      {i32ss, "[[],[]]", "empty([2][0]i32)"},
      {i32ss, "[]", nullptr},
      {i32ss, "[[1],[2,3]]", nullptr},
      {i32ss, "[[1],2]", nullptr},
      {i32ss, "empty([0][3]i32)", "empty([0][3]i32)"},
      {i32ss, "empty([9223372036854775807][0]i32)", nullptr},
      {i32sss, "[[[]]]", "empty([1][1][0]i32)"},
      {i32sss, "[[],[]]", nullptr},
      {i32sss, "[[[1],[2]],[[3],[4]],[[5],[6]]]", "[[[1i32], [2i32]], [[3i32], [4i32]], [[5i32], [6i32]]]"},
  };
  for (const Literal& array : arrays) {
    Reading reading = read(array.text, array.type);
    EXPECT_EQ(reading.text, array.expected ? array.expected : "") << array.text << ": " << reading.problem;
    EXPECT_EQ(reading.at_end, array.expected != nullptr) << array.text;
  }
}

TEST(Values, ProblemsSayWhereAndWhat) {
  EXPECT_EQ(read("[1,\n2,\n x]", with_rank(kI32, 1)).problem, "line 3: expected i32, but got 'x'");
  EXPECT_EQ(read("[1", with_rank(kI32, 1)).problem, "line 1: expected ',' or ']', but the input ends");
  EXPECT_EQ(read("[\x01", with_rank(kI32, 1)).problem, "line 1: expected i32, but got byte 0x01");
  EXPECT_EQ(read("[[1],[2,3]]", with_rank(kI32, 2)).problem,
            "line 1: irregular array: a row of 2 elements among rows of 1");
}

TEST(Values, BinaryHeadersAreChecked) {
  using namespace std::string_literals;
  const std::string one = "\1\0\0\0\0\0\0\0"s, huge = "\xff\xff\xff\xff\xff\xff\xff\x0f"s,
                    minus = std::string(8, '\xff');
  const hd_value_type i32s = with_rank(kI32, 1);
  EXPECT_EQ(read("b\2\1 i32"s + one + "\5\0\0\0"s, i32s).text, "[5i32]");
  EXPECT_EQ(read("\n b\2\0 i32\5\0\0\0"s, kI32).text, "5i32");
  EXPECT_EQ(read("b\2\0bool\7"s, kBool).text, "true");
  const std::pair<std::string, const char*> bad[] = {
      {"b"s, "File uses version 32"},  // the blank at the end
      {"b\1\1 i32"s, "File uses version 1, but I only understand version 2."},
      {"b\2\2 i32"s, "Expected 1 dimensions, but got array with 2 dimensions."},
      {"b\2\1 i6"s, "Did not recognize the type ' i6 '."},
      {"b\2\1 u32"s + one + "\5\0\0\0"s,
       "Expected 1D-array with element type 'i32' but got 1D-array with element type 'u32'."},
      {"b\2\1\0\1\2\3"s, "Did not recognize the type '?\?\?\?'."},
      {"b\2\1 i32\1"s, "Couldn't read size for dimension 0 of array."},
      {"b\2\1 i32"s + one + "\5"s, "tried to read 1 elements of an array, but only got 0 elements."},
      {"b\2\1 i32"s + huge + "\5\0\0\0"s, "tried to read 1152921504606846975 elements"},
      {"b\2\1 i32"s + minus, "No array can have the sizes given."},
  };
  for (const auto& [input, problem] : bad) {
    Reading reading = read(input, i32s);
    EXPECT_EQ(reading.text, "");
    EXPECT_NE(reading.problem.find(problem), std::string::npos) << reading.problem;
  }
  EXPECT_EQ(read("b\2\1 i32"s, kI32).problem,
            "binary-input: Expected scalar (0 dimensions), but got array with 1 dimensions.");
  EXPECT_EQ(read("b\2\0 f32\0\0\0\0"s, kI32).problem,
            "binary-input: Expected scalar of type i32 but got scalar of type f32.");
}

// Values of every type and of odd shapes come back from both formats. The bits are small, so that text is exact.
TEST(Values, RoundTrips) {
  const std::vector<std::vector<int64_t>> shapes = {{},     {0},    {1},       {17},      {0, 3},   {3, 0},
                                                    {1, 1}, {3, 5}, {2, 0, 4}, {2, 3, 4}, {1, 7, 1}};
  for (hd_value_type type : kElements) {
    for (const auto& shape : shapes) {
      Value value;
      value.host.type = with_rank(type, static_cast<int>(shape.size()));
      std::copy(shape.begin(), shape.end(), value.host.shape);
      int64_t n = hd_host_value_num_elems(&value.host), size = hd_elem_size(type.elem);
      value.host.data = calloc(static_cast<size_t>(n) + 1, static_cast<size_t>(size));
      for (int64_t i = 0; i < n; i++) {
        char* at = static_cast<char*>(value.host.data) + i * size;
        int64_t small = i % 2 ? -i : i;
        uint16_t f16 = hd_float_to_half(static_cast<float>(small) / 4);
        float f32 = static_cast<float>(small) / 4;
        double f64 = static_cast<double>(small) / 4;
        bool truth = i % 2 == 0;
        const void* bits = type.elem == HD_F16    ? static_cast<const void*>(&f16)
                           : type.elem == HD_F32  ? static_cast<const void*>(&f32)
                           : type.elem == HD_F64  ? static_cast<const void*>(&f64)
                           : type.elem == HD_BOOL ? static_cast<const void*>(&truth)
                                                  : static_cast<const void*>(&small);
        memcpy(at, bits, static_cast<size_t>(size));
      }
      for (bool binary : {false, true}) {
        Reading reading = read(written(value.host, binary), value.host.type);
        EXPECT_EQ(reading.problem, "");
        EXPECT_EQ(reading.text, written(value.host, false));
        EXPECT_EQ(reading.binary, written(value.host, true));
        EXPECT_TRUE(reading.at_end);
      }
    }
  }
}

TEST(Values, TextAndBinaryMayAlternate) {
  using namespace std::string_literals;
  std::string input = "1 b\2\0 i32\2\0\0\0"s + "3\nb\2\0 i32\4\0\0\0"s + " -- end"s;
  FILE* file = fmemopen(input.data(), input.size(), "rb");
  hd_reader reader;
  hd_reader_init(&reader, file);
  for (int expected = 1; expected <= 4; expected++) {
    Value value;
    ASSERT_EQ(hd_read_value(&reader, &kI32, &value.host), 0) << reader.problem;
    EXPECT_EQ(*static_cast<int32_t*>(value.host.data), expected);
  }
  EXPECT_TRUE(hd_reader_at_end(&reader));
  fclose(file);
}

TEST(Values, HalvesConvertExactly) {
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    float value = hd_half_to_float(static_cast<uint16_t>(bits));
    uint16_t back = hd_float_to_half(value);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(hd_half_to_float(back)));
    } else {
      ASSERT_EQ(back, bits);
    }
  }
  // Between neighbours: the nearer one, and the even one in the middle.
  for (uint16_t bits = 0; bits < 0x7bff; bits++) {
    float low = hd_half_to_float(bits), high = hd_half_to_float(static_cast<uint16_t>(bits + 1));
    float middle = low + (high - low) / 2;
    ASSERT_EQ(hd_float_to_half(middle), bits % 2 ? bits + 1 : bits);
    ASSERT_EQ(hd_float_to_half(std::nextafter(middle, 0.0f)), bits);
    ASSERT_EQ(hd_float_to_half(std::nextafter(middle, 1e9f)), bits + 1);
  }
}

// Damaged input is read or refused, and never does anything else; the sanitizers watch.
TEST(Values, GarbageIsHarmless) {
  using namespace std::string_literals;
  const std::string seeds[] = {"[[1,2],[3,4]]",
                               "empty([0][3]i32)",
                               "[[0x1F,-0b11],[1_0i32,5]] -- x",
                               "b\2\2 i32\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0"s,
                               "f32.nan 0x1.8p3f32 -1e-30",
                               "b\2\0 f64\0\0\0\0\0\0\0\1"s,
                               std::string(3000, '1')};
  const std::string alphabet = "[](),-_.+0129xbfepi \n\"\0\2\xff"s;
  std::mt19937 random(20240717);
  int accepted = 0;
  for (int i = 0; i < 20000; i++) {
    std::string input = seeds[random() % std::size(seeds)];
    for (uint32_t edits = random() % 4; edits > 0 && !input.empty(); edits--) {
      size_t at = random() % input.size();
      switch (random() % 4) {
        case 0:
          input.erase(at, 1 + random() % 3);
          break;
        case 1:
          input.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        case 2:
          input[at] = static_cast<char>(random());
          break;
        default:
          input.resize(at);
          break;
      }
    }
    hd_value_type type = with_rank(kElements[random() % std::size(kElements)], static_cast<int>(random() % 4));
    accepted += read(input, type).problem.empty();
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
