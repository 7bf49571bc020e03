// Levels of pyramids one after the other and side by side: bench/pyramids, with a cheap filter and a dear one.
#include <gmock/gmock.h>

#include <regex>

#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Pyramids : public CpuAsGpu {
 protected:
  void make(const std::string& size, const std::string& of_pixel) {
    std::string text = read_file(HEDDLE_SOURCE_DIR "/bench/pyramids/pyramid.fut");
    text = std::regex_replace(text, std::regex("SIZEi64"), size + "i64");
    write("pyramid.fut", std::regex_replace(text, std::regex("= OF_PIXEL"), "= " + of_pixel));
  }

  std::string explained(const std::string& without = "") const {
    Words command = {HEDDLE, "explain", "pyramid.fut", "--plan"};
    if (!without.empty()) command.push_back("--without=" + without);
    return run(command).out;
  }

  // What a program of these options computes, and how many of its kernels ran beside others.
  std::pair<std::string, long> outcome(const Words& options) const {
    Words command = {HEDDLE, "cuda", "pyramid.fut", "-o", "pyramid"};
    command.insert(command.end(), options.begin(), options.end());
    EXPECT_EQ(run(command).exit_code, 0);
    const ProcessResult ran = run({"CPU_AS_GPU_CALLS=calls", "./pyramid", "-e", "main"}, picture_);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    std::istringstream calls(read("calls"));
    std::string name;
    for (long times = 0; calls >> name >> times;) {
      if (name == "beside") return {ran.out, times};
    }
    return {ran.out, 0};
  }

  std::string reference() const {
    EXPECT_EQ(run({FUTHARK, "c", "pyramid.fut", "-o", "reference"}).exit_code, 0);
    return run({"./reference", "-e", "main"}, picture_).out;
  }

 private:
  // Two pyramids on 64x64 points.
  const std::string picture_ = "2i32 " + run({FUTHARK, "dataset", "-g", "[256][256]f32"}).out;
};

TEST_F(Pyramids, HaveDearFiltersRunBesideEachOther) {
  make("9", "f32.exp (v * -0.5 - 1) + f32.cos (v * 0.3)");
  EXPECT_THAT(explained(), HasSubstr("chosen: filters of coarse levels side by side"));
  EXPECT_THAT(explained("side-by-side"), HasSubstr("chosen: one after the other"));
  const std::string expected = reference();
  EXPECT_THAT(expected, HasSubstr("f32"));
  // Level 0 is nearly a wave by itself.
  EXPECT_EQ(outcome({}), std::pair(expected, 12L));
  EXPECT_EQ(outcome({"--without=side-by-side"}), std::pair(expected, 0L));
  EXPECT_EQ(outcome({"--fusion=none"}), std::pair(expected, 14L));
  EXPECT_EQ(outcome({"--fusion=none", "--without=side-by-side"}), std::pair(expected, 0L));
}

TEST_F(Pyramids, HaveCheapFiltersFused) {
  make("3", "v * 0.7");
  EXPECT_THAT(explained(), HasSubstr("chosen: one after the other"));
  EXPECT_THAT(explained(), Not(HasSubstr("chosen: filters")));
  EXPECT_EQ(outcome({}), std::pair(reference(), 0L));
}

}  // namespace
