// Into how many parts reductions are split.
#include <gtest/gtest.h>

#include "convolution_shape.h"

extern "C" {
#include "runtime/contraction/parts.h"
}

namespace heddle::runtime {
namespace {

TEST(Parts, OnlyLongReductionsOfFewPoints) {
  EXPECT_EQ(hd_parts_on(&kH100, 16 * 16, 100, 1), 1);
  EXPECT_EQ(hd_parts_on(&kH100, 4096 * 4096, 4096, 1), 1);
  EXPECT_EQ(hd_parts_on(&kH100, 0, 4096, 1), 1);
  EXPECT_EQ(hd_parts_on(&kH100, 16, 0, 9), 1);
  // What two parts would save, a second launch would take.
  EXPECT_EQ(hd_parts_on(&kH100, 2048 * 7 * 7, 512, 1), 1);
  EXPECT_EQ(hd_parts_on(&kH100, 256 * 14 * 14, 256, 9), 1);
  // 512 channels of 7 x 7 pixels, windows of 3 x 3.
  EXPECT_EQ(hd_parts_on(&kH100, 512 * 7 * 7, 512, 9), 16);
  // An image's rows, of as many columns, for a convolution's weights.
  EXPECT_EQ(hd_parts_on(&kH100, 64 * 32 * 9, 128, 128), 16);
}

TEST(Parts, KeepTheDeviceBusyAndLeaveLittleOver) {
  for (int64_t extent : {int64_t{1000000}, int64_t{999983}, int64_t{65536}, int64_t{65537}}) {
    int64_t parts = hd_parts_on(&kH100, 16 * 16, extent, 1);
    EXPECT_GE(parts, 132 / 2) << extent;
    EXPECT_LE(parts, 2 * 132) << extent;
    EXPECT_LT(extent % parts, 8) << extent;
  }
  EXPECT_EQ(hd_parts_on(&kH100, 16 * 16, 1000000, 1), 250);
}

// A part has at least one index.
TEST(Parts, AreNotEmpty) {
  for (int64_t extent = 1; extent < 40; ++extent) {
    int64_t parts = hd_parts_on(&kH100, 64, extent, 100000);
    EXPECT_GE(parts, 1);
    EXPECT_LE(parts, extent);
  }
}

}  // namespace
}  // namespace heddle::runtime
