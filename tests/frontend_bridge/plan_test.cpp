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

TEST(Plan, SaysWhatTheHostChecks) {
  ProcessResult r =
      run_process({HEDDLE, "explain", HEDDLE_SOURCE_DIR "/tests/rewrites/data/stages.fut_gpu", "--plan"}, "");
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const size_t sampled = r.out.find("\nsampled:\n");
  ASSERT_NE(sampled, std::string::npos);
  const size_t check = r.out.find("    the host checks before: ", sampled);
  EXPECT_LT(check, r.out.find("  results: ", sampled)) << r.out.substr(sampled, 3000);
}

TEST(Plan, IsDrawn) {
  std::string dot = explained("--dot");
  EXPECT_THAT(dot, HasSubstr("digraph G {"));
  EXPECT_THAT(dot, HasSubstr("[label=\"input\", shape=plaintext];"));
  EXPECT_THAT(dot, HasSubstr("shape=box"));
  EXPECT_THAT(dot, HasSubstr("[label=\"img\"];"));
}

}  // namespace
