// The papers' own pipelines: `heddle explain` has the numbers that they give, and all that each strategy decides; and what each
// makes of them computes the same.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"
#include "tests/golden/golden.h"

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPapers = HEDDLE_SOURCE_DIR "/tests/frontend_bridge/papers.fut_gpu";

std::string explained(const Words& options) {
  Words words = {HEDDLE, "explain", kPapers};
  words.insert(words.end(), options.begin(), options.end());
  ProcessResult r = run_process(words, "");
  EXPECT_EQ(r.exit_code, 0) << r.err;
  return r.out;
}

// The pipelines alone, each below the name of its program, names without numbers.
std::string pipelines(const std::string& strategy) {
  std::istringstream lines(explained({"--plan", "--fusion=" + strategy, "--tile=8,512"}));
  std::string out;
  bool within = false;
  for (std::string line; std::getline(lines, line);) {
    const bool program = !line.empty() && line[0] != ' ';
    within = !program && (within || line.starts_with("  pipeline of "));
    if (program || within) out += line + "\n";
  }
  return std::regex_replace(out, std::regex("_[0-9]+"), "");
}

// What stands between a program's name and the next one's.
std::string of(const std::string& program, const std::string& text) {
  const size_t begin = text.find("\n" + program + ":\n") + 1;
  std::smatch next;
  std::string rest = text.substr(begin + program.size() + 2);
  return std::regex_search(rest, next, std::regex("\n[a-z_]+:\n")) ? next.prefix().str() : rest;
}

TEST(Stages, OfMinCutAreAsInTheThesis) {
  const std::string all = pipelines("min-cut"), harris = of("harris", all);
  for (const char* says :
       {"sx -> gx: 328 (", "sxy -> gxy: 256 (", "sy -> gy: 328 (", "dx -> sx: eps (", "gx -> hc: eps (",
        "{dx, dy, sx, sxy, sy, gx, gxy, gy, hc}: 8 phases cut {sy, gy} off, weight 2eps", "{dx}: by itself",
        "{dy}: by itself", "{sx, gx}: one kernel", "{sxy, gxy}: one kernel", "{sy, gy}: one kernel", "{hc}: by itself"})
    EXPECT_THAT(harris, HasSubstr(says));
  EXPECT_THAT(of("unsharp", all), HasSubstr("{blur, high, scaled, sharp}: one kernel"));
  EXPECT_THAT(of("sobel", all), HasSubstr("{dx, dy, mag}: one kernel"));
  EXPECT_THAT(of("enhance", all), HasSubstr("{blur, gamma, stretch}: one kernel"));
  const std::string night = of("night", all);
  EXPECT_THAT(night, HasSubstr("recomputing costs more"));
  EXPECT_THAT(night, HasSubstr("{far, scoto}: one kernel"));
  EXPECT_GOLDEN("frontend_bridge/stages/min_cut.txt", all);
}

TEST(Stages, OfPairwiseShareNoInputs) {
  const std::string all = pipelines("pairwise");
  EXPECT_THAT(of("unsharp", all), Not(HasSubstr("one kernel")));
  EXPECT_THAT(of("sobel", all), Not(HasSubstr("one kernel")));
  EXPECT_THAT(of("harris", all), HasSubstr("{sxy, gxy}: one kernel"));
  EXPECT_GOLDEN("frontend_bridge/stages/pairwise.txt", all);
}

TEST(Stages, OfUnsharpMaskAreAsTightAsInThePaper) {
  const std::string all = pipelines("dp");
  EXPECT_THAT(of("unsharp_mask", all),
              HasSubstr("tiles of 8x512: blurx 8x516, blury 8x512, sharpen 8x512; 49280 bytes"));
  EXPECT_THAT(of("unsharp_mask", all), HasSubstr("block 4x64, warps of 1x32"));
  EXPECT_GOLDEN("frontend_bridge/stages/dp.txt", all);
}

TEST(Stages, OfGreedyAreInlined) {
  const std::string all = pipelines("greedy");
  EXPECT_THAT(of("harris", all), HasSubstr("{dx, dy, sx, sxy, sy, gx, gxy, gy, hc}: one kernel"));
  EXPECT_THAT(of("unsharp", all), HasSubstr("{blur, high, scaled, sharp}: one kernel"));
  EXPECT_THAT(of("kwz", all), HasSubstr("k: by each thread, where it computes w"));
  EXPECT_GOLDEN("frontend_bridge/stages/greedy.txt", all);
}

TEST(Stages, OfLargestAreWhatATileHasRoomFor) {
  EXPECT_GOLDEN("frontend_bridge/stages/largest.txt", pipelines("largest"));
}

// A group that cannot be what was asked for says why.
TEST(Stages, AreStreamedOrInTiles) {
  const Words options = {"--tile-scope=stream", "--fusion=largest"};
  Words plan = options;
  plan.emplace_back("--plan");
  const std::string all = explained(plan);
  EXPECT_THAT(of("sobel", all), Not(HasSubstr("not streamed")));
  EXPECT_THAT(std::regex_replace(of("pyramid", all), std::regex("_[0-9]+"), ""),
              HasSubstr("; not streamed, since half is sampled at another rate\n"));
  Words json = options;
  json.emplace_back("--json");
  size_t with_reason = 0;
  for (const auto& op : nlohmann::json::parse(explained(json)))
    with_reason += op["group"].is_object() && op["group"].contains("why_not_as_asked");
  EXPECT_GT(with_reason, 0u);
}

TEST(Stages, AreDrawnInTheirGroups) {
  const std::string dot = std::regex_replace(explained({"--dot", "--fusion=min-cut"}), std::regex("_[0-9]+\\b"), "");
  EXPECT_THAT(dot, HasSubstr("label=\"tiles of 32x64\\nsxy 1+1 x 1+1; gxy 0+0 x 0+0\";"));
  EXPECT_THAT(dot, HasSubstr("[label=\"[-1..1][-1..1]\\n256\"];"));
  EXPECT_THAT(dot, HasSubstr("[label=\"half\\nlocal, "));
}

TEST(Stages, HaveAMatch) {
  const auto operations = nlohmann::json::parse(explained({"--json", "--fusion=min-cut"}));
  size_t stages = 0, groups = 0;
  for (const auto& op : operations) {
    if (op["entry"] != "harris") continue;
    ++(op["match"] == "group" ? groups : stages);
    EXPECT_TRUE(op["match"] == "group" || op["match"] == "stage");
    if (op["match"] == "group") {
      EXPECT_EQ(op["group"]["stages"].size(), 2);
      EXPECT_EQ(op["group"]["scratch_bytes"], 8976);
    }
    if (op["group"]["stages"][0]["name"].get<std::string>().starts_with("dx_")) {
      EXPECT_EQ(op["group"]["why_no_more"].size(), 2);
    }
  }
  EXPECT_EQ(stages, 3);
  EXPECT_EQ(groups, 3);
}

class Papers : public CpuAsGpu {};

TEST_F(Papers, ComputeTheSameInEachWay) {
  const Words ways = {"--fusion=pairwise",
                      "--fusion=min-cut",
                      "--fusion=greedy",
                      "--fusion=largest",
                      "--fusion=dp",
                      "--tile-scope=warp",
                      "--tile-scope=hybrid",
                      "--tile-scope=stream",
                      "--without=partitioned-borders",
                      "--without=tight-halos",
                      "--without=points-in-registers",
                      "--without=side-by-side",
                      "--nested=gated",
                      "--nested=forced"};
  // `env`, which runs them, takes what has an equals sign for a variable.
  auto program = [](const std::string& way) { return "by" + std::regex_replace(way, std::regex("="), "-"); };
  auto make = [&](const std::string& way) {
    ProcessResult made = run({HEDDLE, "cuda", way, kPapers, "-o", program(way)});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  };
  make("--fusion=none");
  for (const std::string& w : ways) make(w);
  auto compare = [&](const std::string& entry, const std::string& shape) {
    const std::string data = run({FUTHARK, "dataset", "-b", "-g", shape + "f32"}).out;
    const std::string expected = run({"./" + program("--fusion=none"), "-e", entry}, data).out;
    EXPECT_THAT(expected, HasSubstr("f32"));
    for (const std::string& w : ways)
      EXPECT_EQ(run({"./" + program(w), "-e", entry}, data).out, expected) << w << " " << entry << " " << shape;
  };
  for (const std::string shape : {"[5][70]", "[37][131]", "[29][397]"}) {
    for (const char* entry : {"harris", "sobel", "unsharp", "enhance", "night", "unsharp_mask", "pyramid"})
      compare(entry, shape);
    compare("kwz", "[3]" + shape);
  }
}

}  // namespace
