// When other cores are asked for help, after what was seen of a kernel's launches.
#include <gtest/gtest.h>

#define HD_API
extern "C" {
#include "runtime/backends/cpu_pace.h"
}

namespace heddle::runtime {
namespace {

constexpr double kMicrosecond = 1000;

// A launch that one core does in all, of which the first hundredth says that it takes `said`.
void does_alone(hd_cpu_pace& pace, double said, double takes) {
  hd_cpu_begun begun = {100, 0, 0, 0};
  hd_cpu_saw_alone(&pace, &begun, 1, said / 100);
  const double left = hd_cpu_left(&pace, &begun);
  hd_cpu_saw_alone(&pace, &begun, 100, takes);
  hd_cpu_stayed_alone(&pace, &begun, left);
}

double left_after_first(hd_cpu_pace& pace, double said) {
  hd_cpu_begun begun = {100, 0, 0, 0};
  hd_cpu_saw_alone(&pace, &begun, 1, said / 100);
  return hd_cpu_left(&pace, &begun);
}

hd_cpu_pace seen_once() {
  hd_cpu_pace pace = {};
  does_alone(pace, 30 * kMicrosecond, 30 * kMicrosecond);
  return pace;
}

TEST(CpuPace, WakesOthersForEnoughWork) {
  hd_cpu_pace pace = seen_once();
  EXPECT_FALSE(hd_cpu_wakes(&pace, 15 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_wakes(&pace, 25 * kMicrosecond));
}

TEST(CpuPace, DoesLittleWorkAloneOnce) {
  hd_cpu_pace pace = {};
  EXPECT_FALSE(hd_cpu_wakes(&pace, 25 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_wakes(&pace, 2 * HD_WORTH_COMPARING_NANOSECONDS));
  EXPECT_FALSE(hd_cpu_compares(&pace, 25 * kMicrosecond));
  does_alone(pace, 30 * kMicrosecond, 30 * kMicrosecond);
  EXPECT_TRUE(hd_cpu_wakes(&pace, 25 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_compares(&pace, 25 * kMicrosecond));
  EXPECT_FALSE(hd_cpu_compares(&pace, 2 * HD_WORTH_COMPARING_NANOSECONDS));
}

TEST(CpuPace, PutsRightWhatFirstUnitsSay) {
  hd_cpu_pace pace = {};
  EXPECT_NEAR(left_after_first(pace, 40 * kMicrosecond), 39.6 * kMicrosecond, 1);
  does_alone(pace, 40 * kMicrosecond, 24 * kMicrosecond);
  EXPECT_NEAR(left_after_first(pace, 40 * kMicrosecond), 23.76 * kMicrosecond, 1);
  // What disturbed one launch is forgotten by the next.
  does_alone(pace, 40 * kMicrosecond, 400 * kMicrosecond);
  EXPECT_LT(left_after_first(pace, 40 * kMicrosecond), 28 * kMicrosecond);
  // Units that become longer are seen as they come, however little the first ones said.
  hd_cpu_begun begun = {100, 0, 0, 0};
  hd_cpu_saw_alone(&pace, &begun, 1, kMicrosecond);
  hd_cpu_saw_alone(&pace, &begun, 50, 1000 * kMicrosecond);
  EXPECT_GT(hd_cpu_left(&pace, &begun), 500 * kMicrosecond);
}

TEST(CpuPace, OneSlowLaunchIsChance) {
  hd_cpu_pace pace = seen_once();
  hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
  EXPECT_TRUE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
  for (int i = 0; i < 100; ++i) hd_cpu_saw_together(&pace, 30 * kMicrosecond, 20 * kMicrosecond);
  for (int i = 0; i < HD_TIMES_SLOWER - HD_LEAST_TIMES_SLOWER - 1; ++i) {
    hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
    EXPECT_TRUE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
  }
  hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
  EXPECT_FALSE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
}

// That several cores were slower with little work says nothing about much.
TEST(CpuPace, SmallLaunchesLeaveLargeOnesToSeveralCores) {
  hd_cpu_pace pace = seen_once();
  for (int i = 0; i < HD_TIMES_SLOWER; ++i) hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
  EXPECT_FALSE(hd_cpu_wakes(&pace, 50 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_wakes(&pace, 70 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_wakes(&pace, 10'000 * kMicrosecond));
  // Nor do large ones, that several cores are faster with, say anything about small ones.
  hd_cpu_saw_together(&pace, 10'000 * kMicrosecond, 5'000 * kMicrosecond);
  EXPECT_FALSE(hd_cpu_wakes(&pace, 50 * kMicrosecond));
}

TEST(CpuPace, TriesAgainAfterSomeLaunches) {
  hd_cpu_pace pace = seen_once();
  for (int i = 0; i < HD_TIMES_SLOWER; ++i) hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
  for (int i = 0; i < HD_LAUNCHES_ALONE; ++i) {
    EXPECT_FALSE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
    does_alone(pace, 5 * kMicrosecond, 5 * kMicrosecond);  // would have in any case
    does_alone(pace, 30 * kMicrosecond, 30 * kMicrosecond);
  }
  EXPECT_TRUE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
  hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
  EXPECT_FALSE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
}

TEST(CpuPace, ShortLaunchesAreNotTimedForAWhile) {
  hd_cpu_pace pace = {};
  EXPECT_FALSE(hd_cpu_is_short(&pace, 1));
  hd_cpu_begun begun = {1, 0, 0, 0};
  hd_cpu_saw_alone(&pace, &begun, 1, 100);
  EXPECT_TRUE(hd_cpu_is_short(&pace, 10));
  EXPECT_FALSE(hd_cpu_is_short(&pace, 100));
}

}  // namespace
}  // namespace heddle::runtime
