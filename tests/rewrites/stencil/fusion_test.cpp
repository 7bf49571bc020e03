// What the strategies make of the papers' pipelines.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "rewrites/stencil/partition.h"
#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

const Device& kepler = *find_device("K20c");

std::string fused(const Pipeline& p, Strategy strategy, const Models& models = {}) {
  return text(p, partition(p, kepler, strategy, models).partition);
}

// The first line that says so.
std::string line(const Trace& trace, const std::string& word) {
  for (const std::string& l : trace.lines) {
    if (l.find(word) != std::string::npos) return l;
  }
  return "none";
}

TEST(MinCut, OfHarrisGoesAsInTheThesis) {
  Pipeline p = examples::harris();
  Decision d = partition(p, kepler, Strategy::MinCut);
  EXPECT_EQ(line(d.trace, "phases"), "{dx, dy, sx, sxy, sy, gx, gxy, gy, hc}: 8 phases cut {sy, gy} off, weight 2eps");
  EXPECT_EQ(text(p, d.partition), "{dx} {dy} {sx, gx} {sxy, gxy} {sy, gy} {hc}");
}

TEST(Pairwise, FindsTheSamePairsOfHarris) {
  EXPECT_EQ(fused(examples::harris(), Strategy::Pairwise), "{dx} {dy} {sx, gx} {sxy, gxy} {sy, gy} {hc}");
}

TEST(MinCut, FusesWhatSharesItsInput) {
  EXPECT_EQ(fused(examples::unsharp(), Strategy::MinCut), "{blur, high, scaled, sharp}");
  EXPECT_EQ(fused(examples::sobel(), Strategy::MinCut), "{dx, dy, mag}");
  EXPECT_EQ(fused(examples::enhance(), Strategy::MinCut), "{gauss, gamma, stretch}");
}

TEST(Pairwise, DoesNotFuseWhatSharesItsInput) {
  EXPECT_EQ(fused(examples::unsharp(), Strategy::Pairwise), "{blur} {high} {scaled} {sharp}");
  EXPECT_EQ(fused(examples::sobel(), Strategy::Pairwise), "{dx} {dy} {mag}");
  EXPECT_EQ(fused(examples::enhance(), Strategy::Pairwise), "{gauss, gamma, stretch}");
}

TEST(Pairwise, LeavesTheEndsOfWhatHasNoRoom) {
  std::vector<Stage> chain;
  for (size_t i = 0; i < 5; ++i) {
    Source before = i == 0 ? examples::input() : examples::stage(i - 1);
    chain.push_back(examples::local("s" + std::to_string(i), {examples::around(before, {1, 1})}));
  }
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, chain);
  EXPECT_EQ(fused(p, Strategy::Pairwise), "{s0, s1} {s2, s3} {s4}");
}

TEST(MinCut, LeavesNightsDearFilterAlone) {
  Decision d = partition(examples::night(), kepler, Strategy::MinCut);
  EXPECT_EQ(text(examples::night(), d.partition), "{atrous0} {atrous1, scoto}");
  EXPECT_EQ(line(d.trace, "worth"), "{atrous0, atrous1, scoto}: atrous0 -> atrous1 is not worth it");
}

TEST(MinCut, TakesPipelinesThatDoNotHangTogether) {
  std::vector<Stage> stages{examples::point("a", {examples::same(examples::input())}),
                            examples::point("b", {examples::same(examples::input())}),
                            examples::point("c", {examples::same(examples::stage(0))})};
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, stages);
  EXPECT_EQ(fused(p, Strategy::MinCut), "{a, c} {b}");
}

// The groups by names, whatever the order of the stages.
std::vector<std::vector<std::string>> names(const Pipeline& p, const Partition& parts) {
  std::vector<std::vector<std::string>> result;
  for (const Group& g : parts.groups) {
    result.emplace_back();
    for (size_t s : g.stages) result.back().push_back(p.stage(s).name);
    std::sort(result.back().begin(), result.back().end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

RC_GTEST_PROP(MinCut, OfHarrisDoesNotDependOnTheOrderOfStages, (const std::vector<size_t>& choices)) {
  Pipeline p = examples::harris(), q = examples::reordered(p, choices);
  RC_ASSERT(names(p, partition(p, kepler, Strategy::MinCut).partition) ==
            names(q, partition(q, kepler, Strategy::MinCut).partition));
}

}  // namespace
}  // namespace heddle::stencil
