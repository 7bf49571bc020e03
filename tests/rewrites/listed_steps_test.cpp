// That what derives a tiled kernel uses nothing but rewrites that are listed, of nests or of schedules, under the names
// that they are listed by.
#include <gtest/gtest.h>

#include <algorithm>

#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/contraction/steps.h"
#include "rewrites/nest/rewrites.h"
#include "tests/rewrites/contraction_examples.h"

namespace heddle::contraction {
namespace {

TEST(NestRewrites, StepsOfADerivationAreListed) {
  NameSource names(1);
  for (const heddle::examples::Example& e : {examples::product(names), examples::convolution(names)}) {
    Derivation d = derive(e.contraction, e.direct);
    EXPECT_GT(d.steps.size(), 10u);
    for (const Step& step : d.steps) {
      bool of_nests =
          std::ranges::find(nest::nest_rewrites(), step.name, &nest::NestRewrite::name) != nest::nest_rewrites().end();
      bool of_schedules =
          std::ranges::find(schedule_rewrites(), step.name, &ScheduleRewrite::name) != schedule_rewrites().end();
      EXPECT_TRUE(of_nests || of_schedules) << step.name;
    }
  }
}

}  // namespace
}  // namespace heddle::contraction
