// The hand-written program beside one compiled by the real `futhark c`: same input, same output and exit code.
#include <gtest/gtest.h>

#include "../need.h"
#include "process.h"

namespace {

struct Input {
  const char* entry;
  const char* text;
};

// Both accept or refuse these alike. Where we differ on purpose (rounding to f16, binary and octal-looking integers,
// values that do not fit), values_test.cpp says what we do.
const Input kInputs[] = {
    {"i8_1", "[-128,127,0x7f,1i8,1_0,-0x1,+3]"},
    {"u8_1", "[255,0xff,-1,0]"},
    {"i16_1", "[-32768,32767,0x7fff]"},
    {"u16_1", "[65535,0]"},
    {"i32_1", "[-2147483648,2147483647,0xffffffff,0x_ff]"},
    {"u32_1", "[4294967295u32,0]"},
    {"i64_1", "[9223372036854775807,-9223372036854775808,0x10]"},
    {"u64_1", "[18446744073709551615u64,0]"},
    {"f16_1", "[0.5f16,f16.nan,f16.inf,-f16.inf,-0.0,65504,6e-8,3.140625,1e9]"},
    {"f32_1", "[0.1,0.5f32,1e39,-1e39,f32.nan,f32.inf,-f32.inf,-0.0,1e-45,3.4028235e38,0x1.8p3,0x1.8p3f32,1e-7]"},
    {"f32_1", "[123456.789,1f32,0xf32,0.1_5,16777217,0.000001,0.0000005,1e10,inf,-nan]"},
    {"f64_1", "[0.1,0.5f64,1e309,f64.nan,f64.inf,-f64.inf,-0.0,5e-324,1e300,0x1p-1074,2.2250738585072014e-308]"},
    {"f64_1", "[1e15,123456789012345678,0.1e-15,0.5e-15,179769313486231570000e289]"},
    {"bool_2", "[[true,false],[true,true]]"},
    {"bool_2", "[[],[]]"},
    {"bool_2", "[[true],[]]"},
    {"bool_2", "empty([0][3]bool)"},
    {"bool_2", "empty([3][2]bool)"},
    {"bool_2", "empty([3][0]i32)"},
    {"bool_2", "[]"},
    {"i64_3", "[[[]]]"},
    {"i64_3", "[[[1,2],[3,4]],[[5,6],[7,8]],[[9,10],[11,12]]]"},
    {"i64_3", "[[[1,2],[3,4]],[[5,6],[7]]]"},
    {"i32_1", "[1,2,]"},
    {"i32_1", "[1 2]"},
    {"i32_1", "[,1]"},
    {"i32_1", "[1"},
    {"i32_1", ""},
    {"i32_1", "[1,--comment\n2] -- comment"},
    {"i32_1", "[1] [2]"},
    {"i32_1", "[1.5]"},
    {"i8_0", "-5"},
    {"i8_0", "[1]"},
    {"bool_0", "true"},
    {"bool_0", "True"},
    {"f16_0", "1.5"},
    {"f64_0", "-- comment\n 3 -- comment"},
    {"same_size", "[1] [2,3]"},
    {"same_size", "[1] [2]"},
    {"index", "[1,2] 1i64"},
    {"consume", "[1,2]"},
    {"transpose", "[[1,2,3],[4,5,6]]"},
    {"transpose", "empty([0][4]i32)"},
    {"main", "[1] 2"},
};

TEST(FutharkC, PrintsTheSame) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  TemporaryFolder folder;
  std::string program = folder.path("io");
  std::string source = read_file(TEST_SOURCES "/io.fut");
  for (const char* type : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"}) {
    std::string dims;
    for (int rank = 0; rank < 4; rank++, dims += "[]") {
      std::string name = std::string(type) + "_" + std::to_string(rank);
      if (source.find("\nentry " + name + " ") == std::string::npos) {
        source += "entry " + name + " (x: " + dims + type + ") = x\n";
      }
    }
  }
  write_file(program + ".fut", source);
  ProcessResult compiled = run_process({FUTHARK, "c", program + ".fut", "-o", program}, "");
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  for (const Input& input : kInputs) {
    for (const char* mode : {"-n", "-b", "-e"}) {
      std::vector<std::string> options = {mode, "-e", input.entry};
      if (std::string(mode) == "-e") options.erase(options.begin());
      std::vector<std::string> theirs = options, ours = options;
      theirs.insert(theirs.begin(), program);
      ours.insert(ours.begin(), IO_EXECUTABLE);
      ProcessResult expected = run_process(theirs, input.text), got = run_process(ours, input.text);
      EXPECT_EQ(got.out, expected.out) << input.entry << ": " << input.text;
      EXPECT_EQ(got.exit_code, expected.exit_code) << input.entry << ": " << input.text;
      EXPECT_EQ(got.err.empty(), expected.err.empty()) << input.entry << ": " << input.text;
    }
  }
}

}  // namespace
