// `heddle explain --tilings` with sizes that are none, or that no device has memory for: refused with words, at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

ProcessResult tilings(const std::string& sizes) {
  return run_process({"/usr/bin/env", "HEDDLE_FUTHARK=" FUTHARK, HEDDLE, "explain",
                      HEDDLE_SOURCE_DIR "/examples/matmul.fut", fmt::format("--tilings={}", sizes)},
                     "");
}

TEST(ExplainTilings, WhatIsNoSize) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  for (const char* size : {"n=99999999999999999999", "n=-5", "n=-99999999999999999999"}) {
    ProcessResult r = tilings(std::string(size) + ",m=3,k=3");
    EXPECT_EQ(r.exit_code, 1) << size;
    EXPECT_EQ(r.err,
              fmt::format("heddle: error: \"{}\" is no size: sizes are between 0 and 9223372036854775807\n", size));
  }
}

TEST(ExplainTilings, SizesOfNoDevice) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  for (const char* size : {"1500000", "2000000"}) {
    ProcessResult r = tilings(fmt::format("n={0},m={0},k={0}", size));
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_NE(r.out.find(" is too large for an H100: "), std::string::npos) << r.out;
    EXPECT_EQ(r.out.find("chosen"), std::string::npos) << r.out;
  }
  for (const char* size :
       {"1000000000", "1000000000000", "1000000000000000", "4611686018427387904", "9223372036854775807"}) {
    ProcessResult r = tilings(fmt::format("n={0},m={0},k={0}", size));
    EXPECT_EQ(r.exit_code, 1) << r.out;
    EXPECT_NE(r.err.find(" leaves 64 bits\n"), std::string::npos) << r.err;
  }
  // Long in one direction only.
  ProcessResult r = tilings("n=1000000000000,m=1,k=1");
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("1000000000000"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("-"), std::string::npos) << "a negative time: " << r.out;
}

// m - k + 1 rows of windows.
TEST(ExplainTilings, SizesThatLeave64Bits) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  TemporaryFolder folder;
  write_file(folder.path("flat.fut"), R"(
entry main [n][m][k] (a: [n][m][k]f32) (b: [k][k]f32) : [][k]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) (flatten a)
)");
  ProcessResult r = run_process({"/usr/bin/env", "HEDDLE_FUTHARK=" FUTHARK, HEDDLE, "explain", folder.path("flat.fut"),
                                 "--tilings=n=8000000000000,m=8000000000000,k=4"},
                                "");
  EXPECT_EQ(r.exit_code, 1) << r.out;
  EXPECT_NE(r.err.find(" leaves 64 bits\n"), std::string::npos) << r.err;
}

}  // namespace
