// When other cores are asked for help, after what was seen of a kernel's launches.
#include <gtest/gtest.h>

#define HD_API
extern "C" {
#include "runtime/backends/cpu_pace.h"
}

namespace heddle::runtime {
namespace {

constexpr double kMicrosecond = 1000;

TEST(CpuPace, WakesOthersForEnoughWork) {
  hd_cpu_pace pace = {};
  EXPECT_FALSE(hd_cpu_wakes(&pace, 15 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_wakes(&pace, 25 * kMicrosecond));
}

// That several cores were slower with little work says nothing about much.
TEST(CpuPace, SmallLaunchesLeaveLargeOnesToSeveralCores) {
  hd_cpu_pace pace = {};
  hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
  EXPECT_FALSE(hd_cpu_wakes(&pace, 50 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_wakes(&pace, 70 * kMicrosecond));
  EXPECT_TRUE(hd_cpu_wakes(&pace, 10'000 * kMicrosecond));
  // Nor do large ones, that several cores are faster with, say anything about small ones.
  hd_cpu_saw_together(&pace, 10'000 * kMicrosecond, 5'000 * kMicrosecond);
  EXPECT_FALSE(hd_cpu_wakes(&pace, 50 * kMicrosecond));
}

TEST(CpuPace, TriesAgainAfterSomeLaunches) {
  hd_cpu_pace pace = {};
  hd_cpu_saw_together(&pace, 30 * kMicrosecond, 50 * kMicrosecond);
  for (int i = 0; i < HD_LAUNCHES_ALONE; ++i) {
    EXPECT_FALSE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
    hd_cpu_stayed_alone(&pace, 5 * kMicrosecond);  // would have in any case
    hd_cpu_stayed_alone(&pace, 30 * kMicrosecond);
  }
  EXPECT_TRUE(hd_cpu_wakes(&pace, 30 * kMicrosecond));
}

TEST(CpuPace, ShortLaunchesAreNotTimedForAWhile) {
  hd_cpu_pace pace = {};
  EXPECT_FALSE(hd_cpu_is_short(&pace, 1));
  hd_cpu_saw_alone(&pace, 100);
  EXPECT_TRUE(hd_cpu_is_short(&pace, 10));
  EXPECT_FALSE(hd_cpu_is_short(&pace, 100));
}

}  // namespace
}  // namespace heddle::runtime
