#include <fstream>
#include <sstream>

#include "convolution_shape.h"
#include "fixture.h"

extern "C" {
#include "runtime/contraction/contraction_family.h"
#include "runtime/families/tile_params.h"
}

namespace heddle::runtime {
namespace {

const hd_specialized_kernel kKernels[] = {
    {"a", "main.contraction_0", nullptr, 0, nullptr, hd_contraction_family},
    {"b", "main.contraction_10", nullptr, 0, nullptr, hd_contraction_family},
    {"c", "main.contraction_0_merged", nullptr, 0, nullptr, hd_contraction_family}};

class TileParamsTest : public testing::Test {
 protected:
  TileParamsTest() {
    program.backend_ops = hd_backend_cuda;
    program.num_specialized = 3;
    program.specialized = kKernels;
    config = hd_config_new(&program);
  }
  ~TileParamsTest() override {
    hd_config_free(config);
    std::remove(path.c_str());
  }
  bool set(const std::string& name, int64_t value) { return hd_config_set_param(config, name.c_str(), value) == 0; }
  // The points along the second index and the stages that a contraction gets.
  std::pair<int64_t, int64_t> applied(int kernel, Convolution& c) {
    hd_contraction shape = c.shape();
    hd_tiling t = {};
    int64_t values[HD_MAX_TILING_VALUES] = {};
    hd_tile_params_apply(config, kernel, &shape, values);
    hd_tiling_set_values(&shape, values, &t);
    return {t.parallel[1].points, t.stages};
  }
  std::string file() const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  hd_program program = {};
  hd_config* config = nullptr;
  std::string path = testing::TempDir() + "heddle_tile_params.tuning";
};

TEST_F(TileParamsTest, NamesAreChecked) {
  EXPECT_TRUE(set("main.contraction_0.8x98x98_8x3x3.points_1", 4));
  EXPECT_TRUE(set("main.contraction_10.8x98x98_8x3x3.stages", 3));
  for (const char* name :
       {"main.contraction_1.8x98x98_8x3x3.points_1", "main.contraction_0.8x98x98_8x3x3.points_3",
        "main.contraction_0.8x98x98_8x3x3.points", "main.contraction_0.8x98x98_8x3x3.stages_0",
        "main.contraction_0.8x98x98_8x3x3.store_width", "main.contraction_0.8x98x98.points_1",
        "main.contraction_0.8xx98_8x3x3.points_1", "main.contraction_0._8x3x3.points_1", "main.contraction_0.",
        "main.contraction_0", "main.contraction_0.-8x9_3.stages", "main.contraction_0.1x1x1x1x1x1x1x1x1_3.stages",
        "main.contraction_0.1x1x1x1x1x1x1x1_1x1x1x1x1x1x1x1x1.stages",
        "main.contraction_0.99999999999999999999_3.stages", "main.contraction_0.8_3"}) {
    EXPECT_FALSE(set(name, 4)) << name;
  }
}

TEST_F(TileParamsTest, TheNearestExtentsCount) {
  // 6 is what windows of 3 leave of 8, and so on.
  set("main.contraction_0.8x98x98_8x3x3.points_1", 2);
  set("main.contraction_0.8x98x98_8x3x3.stages", 3);
  set("main.contraction_0.8x198x198_8x3x3.points_1", 4);
  set("main.contraction_0.8x98x98_8x5x5.points_1", 7);
  Convolution exact{8, 8, 100, 3}, between{8, 8, 120, 3}, larger{8, 8, 300, 3}, far{8, 8, 500, 3}, wide{8, 8, 102, 5},
      wider{8, 8, 104, 7};
  using Values = std::pair<int64_t, int64_t>;
  EXPECT_EQ(applied(0, exact), Values(2, 3));
  EXPECT_EQ(applied(0, between), Values(2, 3));
  EXPECT_EQ(applied(0, larger), Values(4, 0));
  EXPECT_EQ(applied(0, far), Values(0, 0)) << "more than twice as large";
  EXPECT_EQ(applied(0, wide), Values(7, 0));
  EXPECT_EQ(applied(0, wider), Values(0, 0)) << "another window";
  EXPECT_EQ(applied(1, exact), Values(0, 0)) << "another contraction";
}

TEST_F(TileParamsTest, OfAnotherWayToComputeTheContractionDoNotCount) {
  EXPECT_TRUE(set("main.contraction_0_merged.8x98x98_8x3x3.stages", 3));
  Convolution c{8, 8, 100, 3};
  using Values = std::pair<int64_t, int64_t>;
  EXPECT_EQ(applied(0, c), Values(0, 0));
  EXPECT_EQ(applied(2, c), Values(0, 3));
}

TEST_F(TileParamsTest, WhatIsWrittenIsReadAgain) {
  std::ofstream(path) << "-- a comment\nmain.suff_outer_par_0=3\nmain.contraction_10.8x98x98_8x3x3.stages=4";
  Convolution c{8, 8, 100, 3};
  hd_contraction shape = c.shape();
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &t, &cost));
  int64_t written[HD_MAX_TILING_VALUES];
  for (int64_t points : {2, 4}) {  // the second takes the place of the first
    t.parallel[1].points = points;
    hd_tiling_values(&shape, &t, written);
    ASSERT_EQ(hd_tile_params_write(path.c_str(), &kKernels[0], &shape, written, "fast"), 0);
  }
  std::string text = file();
  EXPECT_EQ(text.find("-- a comment\nmain.suff_outer_par_0=3\nmain.contraction_10.8x98x98_8x3x3.stages=4\n-- main."),
            0u)
      << text;
  EXPECT_EQ(text.find("points_1=2"), std::string::npos) << text;
  EXPECT_EQ(text.find("fast"), text.rfind("fast")) << text;

  testing::internal::CaptureStderr();
  char* problem = hd_config_load_tuning(config, path.c_str());
  EXPECT_EQ(problem, nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "Note: Unknown name 'main.suff_outer_par_0' on line 2 of the tuning file is left out.\n");
  hd_tiling read;
  int64_t values[HD_MAX_TILING_VALUES] = {};
  ASSERT_TRUE(hd_tile_params_apply(config, 0, &shape, values));
  hd_tiling_set_values(&shape, values, &read);
  hd_tiling_complete(&shape, &read);
  hd_tiling_complete(&shape, &t);
  int64_t expected[HD_MAX_TILING_VALUES], got[HD_MAX_TILING_VALUES];
  int n = hd_tiling_values(&shape, &t, expected);
  hd_tiling_values(&shape, &read, got);
  for (int i = 0; i < n; ++i) EXPECT_EQ(got[i], expected[i]) << i;
}

TEST_F(TileParamsTest, AFileThatCannotBeWrittenIsSaid) {
  Convolution c{8, 8, 100, 3};
  hd_contraction shape = c.shape();
  const int64_t values[HD_MAX_TILING_VALUES] = {};
  EXPECT_EQ(hd_tile_params_write("/nonexistent/file", &kKernels[0], &shape, values, ""), ENOENT);
}

}  // namespace
}  // namespace heddle::runtime
