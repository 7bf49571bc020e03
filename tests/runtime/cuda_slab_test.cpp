#include <gtest/gtest.h>

#include <cstdint>
#include <set>

extern "C" {
#define HD_API
#include "runtime/backends/cuda_slab.h"
}

namespace heddle::runtime {
namespace {

constexpr uint64_t kBegin = 4096;

TEST(CudaSlab, HasRoomForItsPartsAndNoMore) {
  hd_cuda_slab slab{kBegin, 0, nullptr};
  std::set<uint64_t> parts;
  for (int i = 0; i < HD_SLAB_PARTS; ++i) parts.insert(hd_cuda_slab_take(&slab));
  EXPECT_EQ(parts.size(), size_t{HD_SLAB_PARTS});
  EXPECT_EQ(*parts.begin(), kBegin);
  EXPECT_EQ(*parts.rbegin(), kBegin + HD_SLAB_BYTES - HD_SLAB_PART_BYTES);
  EXPECT_EQ(hd_cuda_slab_take(&slab), 0u);
  hd_cuda_slab* slabs = &slab;
  EXPECT_FALSE(hd_cuda_slab_give(&slabs, &slab, kBegin + 5 * HD_SLAB_PART_BYTES));
  EXPECT_EQ(hd_cuda_slab_take(&slab), kBegin + 5 * HD_SLAB_PART_BYTES);
}

TEST(CudaSlab, IsFoundByItsAddresses) {
  hd_cuda_slab last{2 * kBegin, 0, nullptr}, first{kBegin, 0, &last};
  EXPECT_EQ(hd_cuda_slab_of(&first, kBegin), &first);
  EXPECT_EQ(hd_cuda_slab_of(&first, kBegin + HD_SLAB_BYTES - 1), &first);
  EXPECT_EQ(hd_cuda_slab_of(&first, kBegin + HD_SLAB_BYTES), nullptr);
  EXPECT_EQ(hd_cuda_slab_of(&first, kBegin - 1), nullptr);
  EXPECT_EQ(hd_cuda_slab_of(&first, 2 * kBegin), &last);
  EXPECT_EQ(hd_cuda_slab_of(nullptr, kBegin), nullptr);
}

TEST(CudaSlab, LeavesTheListWithItsLastPart) {
  hd_cuda_slab last{2 * kBegin, 0, nullptr}, first{kBegin, UINT64_MAX, &last};
  hd_cuda_slab* slabs = &first;
  uint64_t a = hd_cuda_slab_take(slabs), b = hd_cuda_slab_take(slabs);
  EXPECT_EQ(hd_cuda_slab_of(slabs, a), &last);
  EXPECT_FALSE(hd_cuda_slab_give(&slabs, &last, a));
  EXPECT_TRUE(hd_cuda_slab_give(&slabs, &last, b));
  EXPECT_EQ(slabs, &first);
  EXPECT_EQ(first.next, nullptr);
}

}  // namespace
}  // namespace heddle::runtime
