#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <regex>

#include "fixture.h"

namespace heddle::runtime {
namespace {

class LaunchTest : public OnBothBackends {};
HEDDLE_ON_BOTH_BACKENDS(LaunchTest);

// Runs count_threads and checks that each thread ran exactly once.
void check_grid(hd_context* ctx, int64_t num_blocks, int block_size) {
  size_t num_threads = static_cast<size_t>(num_blocks) * static_cast<size_t>(block_size);
  hd_array counts = upload(ctx, HD_I32, {static_cast<int64_t>(num_threads)}, std::vector<int32_t>(num_threads));
  hd_array sum = upload(ctx, HD_I64, {}, std::vector<int64_t>{0});
  void *counts_address = hd_array_address(&counts), *sum_address = hd_array_address(&sum);
  EXPECT_EQ(launch(ctx, COUNT_THREADS, num_blocks, block_size, 0, {&counts_address, &sum_address}), HD_SUCCESS);
  EXPECT_EQ(download<int32_t>(ctx, counts), std::vector<int32_t>(num_threads, 1)) << num_blocks << "x" << block_size;
  EXPECT_EQ(download<int64_t>(ctx, sum)[0], num_blocks * static_cast<int64_t>(num_threads));
  hd_array_release(ctx, &counts);
  hd_array_release(ctx, &sum);
}

TEST_P(LaunchTest, EveryThreadRunsOnce) {
  for (int64_t num_blocks : {1, 2, 7, 1000}) {
    for (int block_size : {1, 3, 32, 256, 1024}) check_grid(ctx(), num_blocks, block_size);
  }
}

TEST_P(LaunchTest, NothingHappensWithoutBlocks) {
  EXPECT_EQ(launch(ctx(), GIVE_UP, 0, 256, 0, {}), HD_SUCCESS);
  EXPECT_EQ(hd_sync(ctx()), HD_SUCCESS);
}

TEST_P(LaunchTest, BarriersSeparateTheSharedMemoryOfEachBlock) {
  const int block_size = 96;
  const int64_t num_blocks = 41;
  std::vector<int32_t> values(static_cast<size_t>(num_blocks * block_size));
  std::iota(values.begin(), values.end(), 0);
  hd_array array = upload(ctx(), HD_I32, {static_cast<int64_t>(values.size())}, values);
  void* address = hd_array_address(&array);
  EXPECT_EQ(launch(ctx(), REVERSE_BLOCKS, num_blocks, block_size, block_size * sizeof(int32_t), {&address}),
            HD_SUCCESS);
  for (int64_t b = 0; b < num_blocks; b++) {
    auto begin = values.begin() + b * block_size;
    std::reverse(begin, begin + block_size);
  }
  EXPECT_EQ(download<int32_t>(ctx(), array), values);
  hd_array_release(ctx(), &array);
}

TEST_P(LaunchTest, AtomicsLoseNothing) {
  const int64_t num_blocks = 30;
  const int block_size = 100;
  hd_array bytes = upload(ctx(), HD_I8, {4}, std::vector<int8_t>{11, 0, 13, 14});
  hd_array halves = upload(ctx(), HD_I16, {2}, std::vector<int16_t>{7, 0});
  hd_array f32 = upload(ctx(), HD_F32, {}, std::vector<float>{0});
  hd_array f64 = upload(ctx(), HD_F64, {}, std::vector<double>{0});
  void *a = hd_array_address(&bytes), *b = hd_array_address(&halves), *c = hd_array_address(&f32),
       *d = hd_array_address(&f64);
  EXPECT_EQ(launch(ctx(), TRY_ATOMICS, num_blocks, block_size, 0, {&a, &b, &c, &d}), HD_SUCCESS);
  const int total = 3000;
  EXPECT_EQ(download<int8_t>(ctx(), bytes), (std::vector<int8_t>{11, static_cast<int8_t>(total), 13, 14}));
  EXPECT_EQ(download<int16_t>(ctx(), halves), (std::vector<int16_t>{7, total}));
  EXPECT_EQ(download<float>(ctx(), f32)[0], total * 0.5f);
  EXPECT_EQ(download<double>(ctx(), f64)[0], total * 0.25);
  for (hd_array* x : {&bytes, &halves, &f32, &f64}) hd_array_release(ctx(), x);
}

TEST_P(LaunchTest, WhatDoesNotFitIsRefusedInWords) {
  EXPECT_EQ(launch(ctx(), GIVE_UP, INT64_C(1) << 31, 1, 0, {}), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(),
            "Kernel give_up needs a grid of 2147483648 blocks, but the device allows at most 2147483647.");
  EXPECT_EQ(launch(ctx(), GIVE_UP, 1, 1025, 0, {}), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(), "Kernel give_up needs blocks of 1025 threads, but the device allows 1 to 1024.");
  EXPECT_EQ(launch(ctx(), GIVE_UP, 1, 0, 0, {}), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error(), "Kernel give_up needs blocks of 0 threads, but the device allows 1 to 1024.");
  EXPECT_EQ(launch(ctx(), GIVE_UP, 1, 1, 1 << 20, {}), HD_ERROR_PROGRAM);
  EXPECT_EQ(runtime->error().substr(0, 64), "Kernel give_up needs 1048576 bytes of shared memory per block, b");
  EXPECT_EQ(hd_sync(ctx()), HD_SUCCESS);
}

TEST_P(LaunchTest, AllOfTheSharedMemoryCanBeUsed) {
  hd_array array = upload(ctx(), HD_I32, {64}, std::vector<int32_t>(64, 3));
  void* address = hd_array_address(&array);
  int64_t shared = hd_param_max(ctx(), HD_TUNE_SHARED_MEMORY);
  EXPECT_EQ(launch(ctx(), REVERSE_BLOCKS, 1, 64, shared, {&address}), HD_SUCCESS);
  EXPECT_EQ(download<int32_t>(ctx(), array), std::vector<int32_t>(64, 3));
  hd_array_release(ctx(), &array);
}

TEST_P(LaunchTest, ProfilingRecordsKernelsAndCopies) {
  hd_config_set_profiling(runtime->config(), true);
  check_grid(ctx(), 2, 32);
  char* report = hd_context_report(ctx());
  ASSERT_NE(report, nullptr);
  std::string text = report;
  std::free(report);
  for (const char* part :
       {"{\"memory\":{\"space 'device'\": ", "\"events\":[{\"name\":\"copy_host_to_dev\",\"duration\":",
        "\"name\":\"count_threads\"", "\"description\":\"Kernel count_threads with\\n  grid=(2,1,1)\\n",
        "\"name\":\"copy_dev_to_host\"", "\"provenance\":", "\"details\":{}}]}"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  EXPECT_TRUE(std::regex_search(text, std::regex(R"("duration":[0-9]+\.[0-9]{3},)"))) << text;
  // Reported once; and nothing is recorded during a pause.
  hd_context_pause_profiling(ctx());
  check_grid(ctx(), 2, 32);
  hd_context_unpause_profiling(ctx());
  report = hd_context_report(ctx());
  EXPECT_NE(std::string(report).find("\"events\":[]"), std::string::npos) << report;
  std::free(report);
}

// Of elements that come with others, which are no copies by themselves.
TEST_P(LaunchTest, ProfilingRecordsWhatIsReadAhead) {
  hd_config_set_profiling(runtime->config(), true);
  std::vector<int32_t> values(5000);
  std::iota(values.begin(), values.end(), 0);
  hd_array array = upload(ctx(), HD_I32, {5000}, values);
  for (int64_t i = 0; i < 500; i++) {
    int32_t value = -1;
    EXPECT_EQ(hd_array_read(ctx(), &array, &i, &value), HD_SUCCESS);
    EXPECT_EQ(value, i);
  }
  char* report = hd_context_report(ctx());
  ASSERT_NE(report, nullptr);
  const std::string text = report;
  std::free(report);
  std::vector<std::string> copies;
  const std::regex copy(R"re("copy_dev_to_host","duration":[0-9.]+,"description":"([^"]*)")re");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), copy); it != std::sregex_iterator(); ++it)
    copies.push_back((*it)[1]);
  EXPECT_EQ(copies, (std::vector<std::string>{"4 bytes", "4 bytes", "4096 bytes"})) << text;
  hd_array_release(ctx(), &array);
}

TEST(CpuThreads, AnyNumberOfThreadsGivesTheSame) {
  for (int num_threads : {1, 2, 5}) {
    Runtime runtime(HD_BACKEND_CPU);
    hd_config_set_num_threads(runtime.config(), num_threads);
    for (int64_t num_blocks : {1, 3, 5000}) check_grid(runtime.context(), num_blocks, 64);
  }
}

// Launches of a kernel that was seen to be short are not timed, whatever they are then.
TEST(CpuThreads, ShortAndLongLaunchesOfAKernelAlternate) {
  for (int num_threads : {1, 2, 5}) {
    Runtime runtime(HD_BACKEND_CPU);
    hd_config_set_num_threads(runtime.config(), num_threads);
    for (int i = 0; i < 40; i++) check_grid(runtime.context(), i % 10 == 9 ? 5000 : 1 + i % 3, i % 2 == 0 ? 1 : 64);
  }
}

// A forked child has none of its parent's threads.
TEST(CpuThreads, AForkedChildComputesAndFreesItsContext) {
  for (int64_t num_blocks : {0, 1, 5000}) {
    Runtime runtime(HD_BACKEND_CPU);
    hd_config_set_num_threads(runtime.config(), 3);
    check_grid(runtime.context(), 5000, 64);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);
      if (num_blocks > 0) check_grid(runtime.context(), num_blocks, 64);
      runtime.free_context();
      _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << num_blocks;
    check_grid(runtime.context(), 5000, 64);
  }
}

}  // namespace
}  // namespace heddle::runtime
