// When operands are laid anew.
#include <gtest/gtest.h>

#include "convolution_shape.h"

extern "C" {
#include "relaying.h"
}

namespace heddle::runtime {
namespace {

bool pays_for_product(int64_t n) { return hd_relaying_pays_on(&kH100, n * n * n, 4 * n * n); }

TEST(Relaying, PaysWhereElementsAreUsedOften) {
  EXPECT_FALSE(pays_for_product(256));
  EXPECT_TRUE(pays_for_product(4096));
  // A row of few results, however long.
  EXPECT_FALSE(hd_relaying_pays_on(&kH100, int64_t{100} << 30, int64_t{4} << 30));
}

TEST(Relaying, DoesNotPayItsLaunchForLittleWork) {
  EXPECT_FALSE(hd_relaying_pays_on(&kH100, 0, 0));
  // 64 channels of 56 x 56 pixels, windows of 3 x 3: alone, and 32 of them.
  EXPECT_FALSE(hd_relaying_pays_on(&kH100, int64_t{64 * 64 * 9} * 56 * 56, 4 * 64 * 64 * 9));
  EXPECT_TRUE(hd_relaying_pays_on(&kH100, int64_t{64 * 64 * 9} * 56 * 56 * 32, 4 * 64 * 64 * 9));
}

TEST(Relaying, PaysForMoreWorkIfForLess) {
  bool before = false;
  for (int64_t n = 1; n < 10000; n += n / 4 + 1) {
    EXPECT_GE(pays_for_product(n), before) << n;
    before = pays_for_product(n);
  }
}

}  // namespace
}  // namespace heddle::runtime
