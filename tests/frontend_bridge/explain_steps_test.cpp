// `heddle explain --steps`: the derivation of each contraction, as text and as JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

ProcessResult explained(const std::string& file, bool json) {
  std::vector<std::string> words = {"/usr/bin/env", std::string("HEDDLE_FUTHARK=") + FUTHARK, HEDDLE, "explain",
                                    "--steps"};
  if (json) words.emplace_back("--json");
  words.push_back(file);
  return run_process(words, "");
}

ProcessResult steps(const std::string& file, bool json) {
  return explained(std::string(HEDDLE_SOURCE_DIR) + "/" + file, json);
}

TEST(ExplainSteps, Text) {
  ProcessResult r = steps("tests/ir/data/products.fut_gpu", false);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  for (const char* part :
       {": direct nest\n", "-- step 1: stripmine ", "-- legal, because ", "-- reached: block tiles: figure 9\n",
        "-- reached: operands in shared memory\n", " after each step checked on sizes\n"}) {
    EXPECT_NE(r.out.find(part), std::string::npos) << part;
  }
  EXPECT_NE(r.out.find(": no contraction, because it is a reduction of whole segments\n"), std::string::npos);
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
    EXPECT_NE(step["compared"], "");
    EXPECT_GE(step["checked_on"].size(), 4u);
  }
  std::set<std::string> used(names.begin(), names.end());
  EXPECT_EQ(used, (std::set<std::string>{"block_reduction", "distribute", "fix", "interchange", "map_threads",
                                         "parallelize", "pipeline", "predicate", "predicate_loads", "prefetch",
                                         "serpentine", "slice_reduction", "stage_to_registers", "stage_to_shared",
                                         "store_through_shared", "stripmine", "vectorize"}));
  EXPECT_EQ(all.back()["name"], "split_reduction");
  EXPECT_EQ(all.back()["nests"].size(), 2u);
  ASSERT_FALSE(reached.empty());
  EXPECT_EQ(reached.back(), "the kernel that runs");
}

TEST(ExplainSteps, Convolution) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  ProcessResult r = steps("examples/conv.fut", true);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  expect_whole_derivation(nlohmann::json::parse(r.out));
}

// Terms that are fractions round differently in each order, above all of half precision.
TEST(ExplainSteps, SumsOfFractions) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  TemporaryFolder folder;
  int number = 0;
  for (const char* program : {"entry main [n][m] (x: [n][m]f32) (y: [n][m]f32) = map (\\r -> map (\\s -> f32.sum (map2 "
                              "(\\a b -> a * b / 3) r s)) y) x",
                              "entry main [n][m] (x: [n][m]f64) (y: [n][m]f64) = map (\\r -> map (\\s -> 2 * f64.sum "
                              "(map2 (\\a b -> a * 0.1 * b) "
                              "r s) + 0.3) y) x",
                              "entry main [n][m] (x: [n][m]f16) (y: [n][m]f16) = map (\\r -> map (\\s -> f16.sum (map2 "
                              "(\\a b -> a * b * 0.7) r s)) y) x",
                              "entry main [n][m] (x: [n][m]f32) (y: [n][m]f32) = map (\\r -> map (\\s -> f32.product "
                              "(map2 (\\a b -> a * 1.1 + b) r "
                              "s)) y) x"}) {
    std::string file = folder.path("sum" + std::to_string(++number) + ".fut");
    write_file(file, program);
    ProcessResult r = explained(file, false);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_NE(r.out.find("-- compared bit for bit with the nest before\n"), std::string::npos) << program;
    size_t in_parts = r.out.find("-- for few results");
    ASSERT_NE(in_parts, std::string::npos) << program;
    EXPECT_NE(
        r.out.find("-- compared bit for bit with the direct nest, since sums may be taken in another order", in_parts),
        std::string::npos)
        << program;
  }
}

// The row begins where no element can be: the sizes that hold its elements leave 64 bits.
TEST(ExplainSteps, HugePlacesAreNoEnd) {
  TemporaryFolder folder;
  write_file(folder.path("huge.fut_gpu"), R"(types {
}
entry("main", {x: [][]f32, v: []f32}, {[]f32})
entry_main (n_1 : i64, m_2 : i64, x_3 : [n_1][m_2]f32, v_4 : [m_2]f32) : {[n_1]f32} = {
  let {size_5 : i64} = get_size(size_5, thread_block_size)
  let {groups_6 : i64} = sdiv_up64(n_1, size_5)
  let {res_7 : [n_1]f32} = segmap(thread; ; grid=groups_6; blocksize=size_5) (gtid_8 < n_1) (~tid_9) : {f32} {
    let {row_10 : [m_2]f32} = x_3[gtid_8, 9223372036854775807i64 :+ m_2 * 1i64]
    let {sum_11 : f32} = redomap(m_2, {row_10, v_4},
      \ {a_12 : f32, b_13 : f32} : {f32} -> let {p_14 : f32} = fmul32(a_12, b_13) in {p_14},
      {\ {s_15 : f32, t_16 : f32} : {f32} -> let {u_17 : f32} = fadd32(s_15, t_16) in {u_17}, {0.0f32}})
    return {returns sum_11}
  }
  in {res_7}
}
)");
  ProcessResult r = explained(folder.path("huge.fut_gpu"), false);
  EXPECT_EQ(r.exit_code, 0) << r.err;
}

TEST(ExplainSteps, WithoutContractions) {
  ProcessResult r = steps("tests/ir/data/scans.fut_gpu", true);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  for (const auto& step : nlohmann::json::parse(r.out))
    EXPECT_TRUE(step.contains("why_not") || step.contains("nest") || step.contains("nests") ||
                step.contains("left_out"));
}

}  // namespace
