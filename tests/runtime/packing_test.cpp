// When operands are packed.
#include <gtest/gtest.h>

#include "convolution_shape.h"

extern "C" {
#include "runtime/contraction/packing.h"
}

namespace heddle::runtime {
namespace {

bool pays_for_product(int64_t n) { return hd_packing_pays_on(&kH100, n * n * n, 4 * n * n); }

TEST(Packing, PaysWhereElementsAreUsedOften) {
  EXPECT_FALSE(pays_for_product(256));
  EXPECT_TRUE(pays_for_product(4096));
  // A row of few results, however long.
  EXPECT_FALSE(hd_packing_pays_on(&kH100, int64_t{100} << 30, int64_t{4} << 30));
}

TEST(Packing, DoesNotPayItsLaunchForLittleWork) {
  EXPECT_FALSE(hd_packing_pays_on(&kH100, 0, 0));
  // 64 channels of 56 x 56 pixels, windows of 3 x 3: alone, and 32 of them.
  EXPECT_FALSE(hd_packing_pays_on(&kH100, int64_t{64 * 64 * 9} * 56 * 56, 4 * 64 * 64 * 9));
  EXPECT_TRUE(hd_packing_pays_on(&kH100, int64_t{64 * 64 * 9} * 56 * 56 * 32, 4 * 64 * 64 * 9));
}

TEST(Packing, PaysForMoreWorkIfForLess) {
  bool before = false;
  for (int64_t n = 1; n < 10000; n += n / 4 + 1) {
    EXPECT_GE(pays_for_product(n), before) << n;
    before = pays_for_product(n);
  }
}

}  // namespace
}  // namespace heddle::runtime
