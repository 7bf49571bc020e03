// What decisions cost, by the groups they look at: pipelines of 11, 50 and 100 stages, as deep and as wide as the
// papers'. One test for each, so that what it prints tells how long each takes (bench/results/ablations-h100.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

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

struct Size {
  size_t stages;
  int64_t most;  // groups
};

class Effort : public testing::TestWithParam<std::tuple<NamedStrategy, Size>> {};

TEST_P(Effort, IsBounded) {
  auto [strategy, size] = GetParam();
  Decision d = partition(lattice(size.stages), *find_device("H100"), strategy.strategy);
  EXPECT_LE(d.trace.effort, size.most);
  RecordProperty("effort", std::to_string(d.trace.effort));
  size_t placed = 0;
  for (const Group& g : d.partition.groups) placed += g.stages.size();
  EXPECT_GE(placed, size.stages);
}

std::string case_name(const testing::TestParamInfo<Effort::ParamType>& info) {
  auto [strategy, size] = info.param;
  std::string name = std::string(strategy.name) + "_" + std::to_string(size.stages);
  std::ranges::replace(name, '-', '_');  // as googletest wants it
  return name;
}

INSTANTIATE_TEST_SUITE_P(Strategies, Effort,
                         testing::Combine(testing::ValuesIn(kStrategies),
                                          testing::Values(Size{11, 500}, Size{50, 2000}, Size{100, 6000})),
                         case_name);

}  // namespace
}  // namespace heddle::stencil
