#include "fixture.h"

namespace heddle::runtime {
namespace {

class MemoryTest : public OnBothBackends {
 protected:
  hd_mem* alloc(int64_t bytes) {
    hd_mem* mem = nullptr;
    EXPECT_EQ(hd_mem_alloc(ctx(), &mem, bytes), HD_SUCCESS);
    return mem;
  }
};
HEDDLE_ON_BOTH_BACKENDS(MemoryTest);

TEST_P(MemoryTest, ReleasedBlocksAreUsedAgain) {
  hd_mem* first = alloc(100000);
  void* address = first->address;
  hd_mem_share(first);
  hd_mem_release(ctx(), first);
  hd_mem* other = alloc(100000);
  EXPECT_NE(other->address, address) << "the first block still has an owner";
  hd_mem_release(ctx(), first);
  hd_mem* third = alloc(99990);
  EXPECT_EQ(third->address, address);
  hd_mem_release(ctx(), third);
  hd_mem_release(ctx(), other);
  hd_mem_release(ctx(), nullptr);
}

TEST_P(MemoryTest, ElementsForTheHostStayAmongThemselves) {
  hd_mem* element = nullptr;
  EXPECT_EQ(hd_mem_alloc_for_host(ctx(), &element, 4), HD_SUCCESS);
  void* address = element->address;
  hd_mem_release(ctx(), element);
  hd_mem* other = alloc(4);
  EXPECT_NE(other->address, address);
  EXPECT_EQ(hd_mem_alloc_for_host(ctx(), &element, 8), HD_SUCCESS);
  EXPECT_EQ(element->address, address);
  hd_mem_release(ctx(), element);
  hd_mem_release(ctx(), other);
}

TEST_P(MemoryTest, TheBestFittingBlockIsTaken) {
  hd_mem *large = alloc(1 << 20), *middle = alloc(700000), *small = alloc(600000);
  void* address = middle->address;
  for (hd_mem* mem : {large, middle, small}) hd_mem_release(ctx(), mem);
  hd_mem* fits = alloc(650000);
  EXPECT_EQ(fits->address, address);
  // A block more than twice as large as needed waits for a better use.
  hd_mem* tiny = alloc(1000);
  EXPECT_LT(tiny->capacity, 2048);
  hd_mem_release(ctx(), fits);
  hd_mem_release(ctx(), tiny);
}

TEST_P(MemoryTest, FreeBlocksAreGivenBackBeforeGivingUp) {
  runtime->config()->memory_limit = 1 << 20;
  hd_mem* half = alloc(1 << 19);
  hd_mem_release(ctx(), half);
  hd_mem* most = alloc(900000);
  hd_mem* mem = nullptr;
  EXPECT_EQ(hd_mem_alloc(ctx(), &mem, 200000), HD_ERROR_MEMORY);
  EXPECT_EQ(mem, nullptr);
  EXPECT_EQ(runtime->error(),
            "Failed to allocate memory in space 'device'.\nAttempted allocation:       200000 bytes\n"
            "Currently allocated:        900016 bytes\n");
  hd_mem_release(ctx(), most);
  hd_mem_release(ctx(), alloc(200000));
}

TEST_P(MemoryTest, RoomIsKnownBeforeItIsTaken) {
  runtime->config()->memory_limit = 1 << 20;
  EXPECT_TRUE(hd_mem_has_room(ctx(), 900000));
  EXPECT_FALSE(hd_mem_has_room(ctx(), (1 << 20) + 1));
  EXPECT_FALSE(hd_mem_has_room(ctx(), -1));
  hd_mem* half = alloc(500000);
  EXPECT_TRUE(hd_mem_has_room(ctx(), 400000));
  EXPECT_FALSE(hd_mem_has_room(ctx(), 600000));
  hd_mem* other = alloc(500000);
  EXPECT_FALSE(hd_mem_has_room(ctx(), 100000));
  hd_mem_release(ctx(), half);
  EXPECT_TRUE(hd_mem_has_room(ctx(), 100000));
  hd_mem_release(ctx(), other);
  EXPECT_EQ(runtime->error(), "");
}

TEST_P(MemoryTest, MoreThanTheDeviceHasIsRefused) {
  hd_mem* mem = nullptr;
  EXPECT_EQ(hd_mem_alloc(ctx(), &mem, INT64_C(1) << 60), HD_ERROR_MEMORY);
  EXPECT_NE(runtime->error().find("Attempted allocation: 1152921504606846976 bytes"), std::string::npos);
  EXPECT_EQ(hd_mem_alloc(ctx(), &mem, INT64_MAX), HD_ERROR_MEMORY);
  EXPECT_NE(runtime->error(), "");
  hd_mem_release(ctx(), alloc(0));
}

TEST_P(MemoryTest, ThePeakIsReportedAndForgotten) {
  hd_mem* mem = alloc(1000000);
  hd_mem_release(ctx(), mem);
  auto peak = [&] {
    char* report = hd_context_report(ctx());
    std::string text = report != nullptr ? report : "";
    std::free(report);
    return text;
  };
  EXPECT_EQ(peak(), "{\"memory\":{\"space 'device'\": 1000016},\"events\":[]}");
  EXPECT_EQ(hd_context_clear_caches(ctx()), HD_SUCCESS);
  EXPECT_EQ(peak(), "{\"memory\":{\"space 'device'\": 16},\"events\":[]}");
}

}  // namespace
}  // namespace heddle::runtime
