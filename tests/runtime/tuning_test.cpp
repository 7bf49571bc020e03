#include <cstdio>
#include <fstream>

#include "fixture.h"

namespace heddle::runtime {
namespace {

class TuningTest : public testing::Test {
 protected:
  std::string load(const std::string& content) {
    std::string path = testing::TempDir() + "heddle_runtime_test.tuning";
    std::ofstream(path) << content;
    char* problem = hd_config_load_tuning(runtime.config(), path.c_str());
    std::string text = problem != nullptr ? problem : "";
    std::free(problem);
    std::remove(path.c_str());
    return text;
  }
  int64_t value(int i) { return hd_param(runtime.context(), i); }

  Runtime runtime{HD_BACKEND_CPU};
};

TEST_F(TuningTest, DefaultsOfTheClasses) {
  hd_config_set_num_threads(runtime.config(), 2);
  EXPECT_EQ(value(0), 2 * 8);
  EXPECT_EQ(value(1), 77);
  EXPECT_EQ(value(2), 256);
  EXPECT_EQ(value(3), 2 * 2048 / 256);
  EXPECT_EQ(value(4), 2 * value(3));
  EXPECT_EQ(value(5), 32);
  EXPECT_EQ(value(6), 12);
}

TEST_F(TuningTest, AFileSetsParametersAndDefaults) {
  EXPECT_EQ(load("-- a comment\n\n  \nmain.suff_outer_par_0=5\ndefault_tile_size=16\n main.block_size_2 = 64 \r\n"
                 "default_threshold=9\nmine=4"),
            "");
  EXPECT_EQ(value(0), 5);
  EXPECT_EQ(value(1), 77);
  EXPECT_EQ(value(2), 64);
  EXPECT_EQ(value(5), 16);
  EXPECT_EQ(value(6), 4);
}

TEST_F(TuningTest, WhatIsWrongWithAFileIsSaid) {
  for (const char* line : {"mine", "mine=", "mine=x", "mine=1 2", "mine=99999999999999999999"}) {
    EXPECT_EQ(load(line), "Invalid line 1 (must be of form 'name=int').") << line;
  }
  char* problem = hd_config_load_tuning(runtime.config(), "/nonexistent/file");
  EXPECT_STREQ(problem, "Cannot open file: No such file or directory");
  std::free(problem);
}

TEST_F(TuningTest, UnknownNamesInAFileAreLeftOutWithANote) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(load("main.suff_outer_par_0=5\nyours=2\nmine=1\n"), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Note: Unknown name 'yours' on line 2 of the tuning file is left out.\n");
  EXPECT_EQ(value(0), 5);
  EXPECT_EQ(value(6), 1);
}

TEST_F(TuningTest, ValuesAboveTheDevicesLimitAreLoweredWithANote) {
  hd_config_set_param(runtime.config(), "main.block_size_2", 5000);
  hd_config_set_default(runtime.config(), HD_DEFAULT_TILE_SIZE, 100);
  testing::internal::CaptureStderr();
  EXPECT_EQ(value(2), 1024);
  EXPECT_EQ(value(5), 32);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Note: Device limits default tile size to 32 (down from 100).\n"
            "Note: Device limits main.block_size_2 to 1024 (down from 5000)\n");
}

TEST_F(TuningTest, NegativeValuesAreLeftOutWithANote) {
  testing::internal::CaptureStderr();
  hd_config_set_num_threads(runtime.config(), 1);
  EXPECT_EQ(load("main.suff_outer_par_0=-5\ndefault_tile_size=-1\nmine=0\n"), "");
  EXPECT_EQ(value(0), 1);
  EXPECT_EQ(value(5), 32);
  EXPECT_EQ(value(6), 12);
  EXPECT_EQ(hd_context_set_param(runtime.context(), "mine", -7), 0);
  EXPECT_EQ(value(6), 12);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Note: default_tile_size cannot be -1, and is as if nothing were said\n"
            "Note: main.suff_outer_par_0 cannot be -5, and is as if nothing were said\n"
            "Note: mine cannot be -7, and is as if nothing were said\n");
}

TEST_F(TuningTest, ThresholdsAreComparedAndLogged) {
  EXPECT_EQ(hd_config_set_param(runtime.config(), "nobody", 1), 1);
  hd_config_set_logging(runtime.config(), true);
  testing::internal::CaptureStderr();
  hd_context* ctx = runtime.context();
  testing::internal::GetCapturedStderr();
  char* text = nullptr;
  size_t length = 0;
  FILE* log = open_memstream(&text, &length);
  hd_context_set_log(ctx, log);
  EXPECT_TRUE(hd_compare_threshold(ctx, 1, 77));
  EXPECT_FALSE(hd_compare_threshold(ctx, 1, 76));
  EXPECT_EQ(hd_context_set_param(ctx, "main.suff_outer_par_1", 10), 0);
  EXPECT_TRUE(hd_compare_threshold(ctx, 1, 76));
  EXPECT_EQ(hd_context_set_param(ctx, "nobody", 10), 1);
  std::fclose(log);
  EXPECT_STREQ(text,
               "Compared main.suff_outer_par_1 <= 77: true.\n"
               "Compared main.suff_outer_par_1 <= 76: false.\n"
               "Compared main.suff_outer_par_1 <= 76: true.\n");
  std::free(text);
  hd_context_set_log(ctx, stderr);
}

}  // namespace
}  // namespace heddle::runtime
