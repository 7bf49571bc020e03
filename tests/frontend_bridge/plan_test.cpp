// `heddle explain --plan` and `--dot`: the graph of a program, what recipes proposed, and what was chosen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/golden/golden.h"
#include "tests/runtime_io/process.h"

namespace {

using ::testing::HasSubstr;

const std::string kPlans = HEDDLE_SOURCE_DIR "/tests/frontend_bridge/plans.fut_gpu";

// Without the numbers of names, which change with every name that the compiler makes more or less.
std::string explained(const std::string& option) {
  ProcessResult r = run_process({HEDDLE, "explain", kPlans, option}, "");
  EXPECT_EQ(r.exit_code, 0) << r.err;
  return std::regex_replace(r.out, std::regex("_[0-9]+"), "");
}

// A scan, a histogram, block-level versions, a host loop of stencils, Harris, and the thesis' convolution.
TEST(Plan, SaysWhatWasProposedAndChosen) { EXPECT_GOLDEN("frontend_bridge/plans.txt", explained("--plan")); }

TEST(Plan, IsDrawn) {
  std::string dot = explained("--dot");
  EXPECT_THAT(dot, HasSubstr("digraph G {"));
  EXPECT_THAT(dot, HasSubstr("[label=\"input\", shape=plaintext];"));
  EXPECT_THAT(dot, HasSubstr("shape=box"));
  EXPECT_THAT(dot, HasSubstr("[label=\"img\"];"));
}

}  // namespace
