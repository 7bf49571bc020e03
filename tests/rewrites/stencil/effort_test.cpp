// What decisions cost, by the groups they look at: pipelines of 11, 50 and 100 stages, as deep and as wide as the
// papers'.
#include <gtest/gtest.h>

#include "rewrites/stencil/partition.h"
#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

// Rows of four stages, each of which reads two of the row before; points and windows in turn.
Pipeline lattice(size_t stages) {
  constexpr size_t kWidth = 4;
  std::vector<Stage> result;
  for (size_t s = 0; s < stages; ++s) {
    std::string name = "s" + std::to_string(s);
    if (s < kWidth) {
      result.push_back(examples::local(name, {examples::around(examples::input(), {1, 1})}));
      continue;
    }
    size_t row = s / kWidth, above = (row - 1) * kWidth;
    size_t one = above + s % kWidth, other = above + (s + 1) % kWidth;
    int64_t reach = row % 2;
    std::vector<Read> reads{examples::around(examples::stage(one), {reach, reach}),
                            examples::around(examples::stage(other), {reach, reach})};
    result.push_back(reach == 0 ? examples::point(name, reads) : examples::local(name, reads));
  }
  return examples::pipeline({{"img", examples::size(2048, 2048)}}, result);
}

class Effort : public testing::TestWithParam<Strategy> {};

TEST_P(Effort, IsBounded) {
  const Device& device = *find_device("H100");
  for (auto [stages, most] : {std::pair<size_t, int64_t>{11, 500}, {50, 2000}, {100, 6000}}) {
    Pipeline p = lattice(stages);
    Decision d = partition(p, device, GetParam());
    EXPECT_LE(d.trace.effort, most) << stages << " stages";
    RecordProperty("effort_" + std::to_string(stages), std::to_string(d.trace.effort));
    size_t placed = 0;
    for (const Group& g : d.partition.groups) placed += g.stages.size();
    EXPECT_GE(placed, stages);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, Effort,
                         testing::Values(Strategy::Pairwise, Strategy::MinCut, Strategy::Greedy, Strategy::Dp));

}  // namespace
}  // namespace heddle::stencil
