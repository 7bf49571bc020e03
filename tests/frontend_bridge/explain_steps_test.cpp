// `heddle explain --steps`: the derivation of each contraction, as text and as JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "../need.h"
#include "tests/runtime_io/process.h"

namespace {

ProcessResult steps(const std::string& file, bool json) {
  std::vector<std::string> words = {"/usr/bin/env", std::string("HEDDLE_FUTHARK=") + FUTHARK, HEDDLE, "explain",
                                    "--steps"};
  if (json) words.emplace_back("--json");
  words.push_back(std::string(HEDDLE_SOURCE_DIR) + "/" + file);
  return run_process(words, "");
}

TEST(ExplainSteps, Text) {
  ProcessResult r = steps("tests/ir/data/products.fut_gpu", false);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  for (const char* part :
       {": direct nest\n", "-- step 1: stripmine ", "-- legal, because ", "-- reached: block tiles: figure 9\n",
        "-- reached: operands in shared memory: listings 3 and 4\n", " after each step checked on sizes\n"}) {
    EXPECT_NE(r.out.find(part), std::string::npos) << part;
  }
  EXPECT_NE(r.out.find(": no contraction, because nested reductions have different operators\n"), std::string::npos);
  EXPECT_EQ(r.out.find("the steps end here"), std::string::npos);
}

// The order of the thesis' rewrites, and that each nest was compared with the direct one.
void expect_whole_derivation(const nlohmann::json& all) {
  std::vector<std::string> names, reached;
  for (const auto& step : all) {
    if (!step.contains("step") || step["step"] == 0) continue;
    if (names.empty() || names.back() != step["name"]) names.push_back(step["name"]);
    if (step["reached"] != "") reached.push_back(step["reached"]);
    EXPECT_NE(step["why_legal"], "");
    EXPECT_GE(step["checked_on"].size(), 4u);
  }
  std::set<std::string> used(names.begin(), names.end());
  EXPECT_EQ(used, (std::set<std::string>{"distribute", "drop_guards", "fix", "interchange", "pad", "parallelize",
                                         "pipeline", "predicate", "reorder", "stage_to_registers", "stage_to_shared",
                                         "stripmine", "unroll", "vectorize", "widen_copies"}));
  EXPECT_EQ(all.back()["name"], "split_reduction");
  EXPECT_EQ(all.back()["nests"].size(), 2u);
  ASSERT_FALSE(reached.empty());
  EXPECT_EQ(reached.back(), "all of constant extent unrolled");
}

TEST(ExplainSteps, Convolution) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  ProcessResult r = steps("examples/conv.fut", true);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  expect_whole_derivation(nlohmann::json::parse(r.out));
}

TEST(ExplainSteps, WithoutContractions) {
  ProcessResult r = steps("tests/ir/data/scans.fut_gpu", true);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  for (const auto& step : nlohmann::json::parse(r.out))
    EXPECT_TRUE(step.contains("why_not") || step.contains("nest") || step.contains("nests") ||
                step.contains("left_out"));
}

}  // namespace
