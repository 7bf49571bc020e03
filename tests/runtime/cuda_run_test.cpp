#include <gtest/gtest.h>

#include <vector>

extern "C" {
#define HD_API
#include "runtime/backends/cuda_run.h"
#include "runtime/core/mem.h"
}

namespace heddle::runtime {
namespace {

// Memory at 0, 1000, 2000, ...
class CudaRun : public testing::Test {
 protected:
  struct Use {
    int memory;
    bool written;
  };

  int32_t launch(const std::vector<Use>& uses, bool beside_next, double share = 0.1) {
    std::vector<hd_mem> memories(uses.size());
    std::vector<hd_array> arrays(uses.size());
    std::vector<hd_use> given(uses.size());
    for (size_t i = 0; i < uses.size(); ++i) {
      memories[i].address = reinterpret_cast<void*>(static_cast<uintptr_t>(1000 * (uses[i].memory + 1)));
      memories[i].size = 1000;
      arrays[i].mem = &memories[i];
      given[i] = {&arrays[i], uses[i].written};
    }
    hd_launch l = {};
    l.beside_next = beside_next;
    l.num_uses = static_cast<int>(given.size());
    l.uses = given.data();
    return hd_cuda_run_go_on(&run_, &l, share);
  }

  hd_cuda_run run_ = {};
};

constexpr bool kBesideNext = true, kAlone = false;

TEST_F(CudaRun, HasWhatReadsTheSame) {
  EXPECT_EQ(launch({{0, false}, {1, true}}, kBesideNext), HD_LETS_NEXT_BEGIN);
  EXPECT_EQ(launch({{0, false}, {2, true}}, kBesideNext), HD_LETS_NEXT_BEGIN | HD_WAITS_LAST);
  EXPECT_EQ(launch({{0, false}, {3, true}}, kAlone), HD_WAITS_LAST);
  EXPECT_EQ(launch({{0, false}, {4, true}}, kAlone), 0);
}

TEST_F(CudaRun, EndsWhereMemoryOfAnEarlierKernelIsUsed) {
  EXPECT_EQ(launch({{0, false}, {1, true}}, kBesideNext), HD_LETS_NEXT_BEGIN);
  EXPECT_EQ(launch({{2, false}, {3, true}}, kBesideNext), HD_LETS_NEXT_BEGIN | HD_WAITS_LAST);
  // Written over what the first reads.
  EXPECT_EQ(launch({{4, false}, {0, true}}, kBesideNext), HD_LETS_NEXT_BEGIN);
  // The run has begun anew: what the first wrote is there.
  EXPECT_EQ(launch({{1, false}, {5, true}}, kBesideNext), HD_LETS_NEXT_BEGIN | HD_WAITS_LAST);
  EXPECT_EQ(launch({{5, false}, {6, true}}, kBesideNext), HD_LETS_NEXT_BEGIN);
}

TEST_F(CudaRun, EndsWhereSomethingElseIsQueued) {
  EXPECT_EQ(launch({{0, false}, {1, true}}, kBesideNext), HD_LETS_NEXT_BEGIN);
  hd_cuda_run_end(&run_);
  EXPECT_EQ(launch({{2, false}, {3, true}}, kAlone), 0);
}

TEST_F(CudaRun, EndsWhereItsMembersUseTooMuch) {
  std::vector<Use> many(HD_MOST_EXTENTS, {0, false});
  EXPECT_EQ(launch({{1, true}}, kBesideNext), HD_LETS_NEXT_BEGIN);
  EXPECT_EQ(launch(many, kBesideNext), HD_LETS_NEXT_BEGIN);
  EXPECT_EQ(launch({{2, true}}, kBesideNext), HD_LETS_NEXT_BEGIN);
}

TEST_F(CudaRun, HasRoomOnTheDevice) {
  EXPECT_EQ(launch({{0, true}}, kBesideNext, 0.5), HD_LETS_NEXT_BEGIN);
  EXPECT_EQ(launch({{1, true}}, kBesideNext, 0.4), HD_LETS_NEXT_BEGIN | HD_WAITS_LAST);
  EXPECT_EQ(launch({{2, true}}, kBesideNext, 0.2), HD_LETS_NEXT_BEGIN);
  EXPECT_EQ(launch({{3, true}}, kBesideNext, 7), 0);
  EXPECT_EQ(launch({{4, true}}, kBesideNext, 0.2), HD_LETS_NEXT_BEGIN);
}

}  // namespace
}  // namespace heddle::runtime
