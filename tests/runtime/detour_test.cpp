// When it pays to move operands first.
#include <gtest/gtest.h>

#include "convolution_shape.h"

extern "C" {
#include "runtime/contraction/detour.h"
}

namespace heddle::runtime {
namespace {

// Of a reduction of so many steps and operands of so many bytes: a fifth of its time, and each byte read and written.
bool packing_pays(int64_t steps, int64_t bytes) { return hd_detour_pays_on(&kH100, steps / 5, 2 * bytes, 1); }

bool pays_for_product(int64_t n) { return packing_pays(n * n * n, 4 * n * n); }

TEST(Detour, PaysWhereElementsAreUsedOften) {
  EXPECT_FALSE(pays_for_product(256));
  EXPECT_TRUE(pays_for_product(4096));
  // A row of few results, however long.
  EXPECT_FALSE(packing_pays(int64_t{100} << 30, int64_t{4} << 30));
}

TEST(Detour, DoesNotPayItsLaunchForLittleWork) {
  EXPECT_FALSE(packing_pays(0, 0));
  // 64 channels of 56 x 56 pixels, windows of 3 x 3: alone, and 32 of them.
  EXPECT_FALSE(packing_pays(int64_t{64 * 64 * 9} * 56 * 56, 4 * 64 * 64 * 9));
  EXPECT_TRUE(packing_pays(int64_t{64 * 64 * 9} * 56 * 56 * 32, 4 * 64 * 64 * 9));
}

TEST(Detour, PaysForMoreWorkIfForLess) {
  bool before = false;
  for (int64_t n = 1; n < 10000; n += n / 4 + 1) {
    EXPECT_GE(pays_for_product(n), before) << n;
    before = pays_for_product(n);
  }
}

}  // namespace
}  // namespace heddle::runtime
