// Whatever chooses, keeps, tunes and measures kernels works for a family that it knows nothing of: transpositions, in a
// program beside contractions.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "pretended_device.h"
#include "transposition.h"

extern "C" {
#include "runtime/contraction/contraction_family.h"
#include "runtime/families/choice_cache.h"
}

namespace heddle::runtime {
namespace {

const char* const kConstants[] = {"TILE_0", "TILE_1", "THREADS", "FIXED"};

class Family : public testing::Test {
 protected:
  ~Family() override { std::remove(path.c_str()); }

  bool set(const std::string& name, int64_t value) {
    return hd_config_set_param(device.config(), name.c_str(), value) == 0;
  }

  hd_kernel_variant* find(Transposition shape, int64_t fixed = 7, int64_t place = 0, bool changes = false) {
    hd_request request = {1, &shape, 1, &fixed, 1, &place, changes};
    values.assign(4, 0);
    return hd_find_variant(device.context(), &request, values.data());
  }

  // What a launch site does. Returns how often it launched.
  int run(const Transposition& shape) {
    const int64_t fixed = 7;
    const hd_request request = {1, &shape, 1, &fixed, 0, nullptr, false};
    values.assign(4, 0);
    hd_kernel_variant* v = hd_find_variant(device.context(), &request, values.data());
    if (v == nullptr || v->code == nullptr) return 0;
    int launches = 0;
    do {
      hd_launch launch{};
      launch.num_blocks = launch.block_size = 1;
      EXPECT_EQ(hd_launch_variant(device.context(), v, &launch), HD_SUCCESS);
      ++launches;
    } while (hd_repeat_variant(device.context(), v, values.data()));
    return launches;
  }

  std::string file() const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  PretendedDevice device{{{"c", "main.contraction_0", nullptr, 0, nullptr, hd_contraction_family},
                          {"t", "main.transposition_0", nullptr, 4, kConstants, transposition_family}}};
  std::vector<int64_t> values;
  std::string path = testing::TempDir() + "heddle_family.tuning";
};

using Values = std::vector<int64_t>;

TEST_F(Family, KernelsHaveWhatItChoosesAndTheFixedValues) {
  ASSERT_NE(find({1000, 500}), nullptr);
  EXPECT_EQ(values, (Values{128, 256, 1024, 7}));
  ASSERT_EQ(device.compiled.size(), 1u);
  EXPECT_EQ(device.compiled[0], (Defines{{"TILE_0", 128}, {"TILE_1", 256}, {"THREADS", 1024}, {"FIXED", 7}}));
}

// Sizes for which the same kernel is about as good share it.
TEST_F(Family, OneKernelForEachChoiceAndFixedValue) {
  hd_kernel_variant* first = find({1000, 500});
  EXPECT_EQ(find({1000, 500}), first);
  EXPECT_EQ(device.compiled.size(), 1u);
  hd_kernel_variant* second = find({500, 1000});
  EXPECT_NE(second, first);
  EXPECT_EQ(second->code, first->code);
  EXPECT_EQ(device.compiled.size(), 1u);
  EXPECT_NE(find({1000, 500}, 8)->code, first->code);
  EXPECT_EQ(device.compiled.size(), 2u);
  EXPECT_EQ(find({1000, 500}), first);
}

// 6 % worse here, by a tuning file for other sizes.
TEST_F(Family, AKernelThatIsALittleWorseIsTakenForSizesThatChangeOnly) {
  ASSERT_TRUE(set("main.transposition_0.1000x500.tile_0", 64));
  hd_kernel_variant* tuned = find({1000, 500});
  device.config()->num_tile_params = 0;
  EXPECT_EQ(find({1000, 4000}, 7, 0, true)->code, tuned->code);
  EXPECT_EQ(device.compiled.size(), 1u);
  EXPECT_NE(find({1000, 5000})->code, tuned->code);
  EXPECT_EQ(device.compiled.size(), 2u);
}

TEST_F(Family, ItIsAskedForSizesThatComeAgainOrAreLarge) {
  device.config()->specialize_after = 1;
  const int before = times_chosen;
  hd_kernel_variant* small = find({1000, 500});
  ASSERT_NE(small, nullptr);
  EXPECT_EQ(small->code, nullptr);
  EXPECT_EQ(times_chosen, before);
  EXPECT_EQ(find({1000, 500}), small);
  EXPECT_NE(small->code, nullptr);
  EXPECT_EQ(times_chosen, before + 1);
  EXPECT_NE(find({200000000, 1000})->code, nullptr);
  EXPECT_EQ(times_chosen, before + 2);
}

// As those of a loop, here with a distance by columns alone.
TEST_F(Family, SizesThatChangeHaveNoKernelUntilTimeIsLost) {
  device.config()->specialize_after = 1;
  const int before = times_chosen;
  int rounds = 0;
  for (; rounds < 10000 && times_chosen == before; rounds++) {
    for (int64_t columns = 200; columns > 0; columns--) find({90000, columns}, 7, 0, true);
  }
  EXPECT_GT(rounds, 5);
  EXPECT_LT(rounds, 1000);
  // Those within an octave of the first have one now.
  EXPECT_NE(find({90000, 190}, 7, 0, true)->code, nullptr);
  EXPECT_EQ(find({90000, 5}, 7, 0, true)->code, nullptr);
  EXPECT_EQ(times_chosen, before + 1);
  EXPECT_EQ(device.compiled.size(), 1u);
  EXPECT_EQ(find({90000, 190}, 8, 0, true)->code, nullptr) << "another fixed value";
  // Those that do not change have what is best for them.
  find({90000, 201});
  find({90000, 201});
  EXPECT_EQ(times_chosen, before + 2);
}

TEST_F(Family, SizesThatChangeTakeOverKernelsOfNearOnes) {
  device.config()->specialize_after = 0;
  const int before = times_chosen;
  for (int64_t columns = 200; columns > 0; columns--) EXPECT_NE(find({9, columns}, 7, 0, true)->code, nullptr);
  EXPECT_EQ(times_chosen, before + 7) << "200, 99, 49, 24, 11, 5, 2";
  EXPECT_EQ(device.compiled.size(), 1u);
}

TEST_F(Family, SizesThatChangeHaveAKernelOfTheirOwnWhereTimeIsLost) {
  ASSERT_TRUE(set("main.transposition_0.16000000x500.tile_0", 8));
  ASSERT_NE(find({16000000, 500}, 7, 0, true)->code, nullptr);
  EXPECT_EQ(values[0], 8);
  device.config()->num_tile_params = 0;
  const int before = times_chosen;
  int launches = 0;
  for (; launches < 1000 && times_chosen == before; launches++) find({16000000, 600}, 7, 0, true);
  // 21 ms at least, and as much again with such narrow tiles.
  EXPECT_GT(launches, 30);
  EXPECT_LT(launches, 70);
  EXPECT_EQ(values[0], 128);
  EXPECT_EQ(device.compiled.size(), 2u);
}

TEST_F(Family, ItSaysWhichShapesSuit) {
  EXPECT_EQ(find({0, 500}), nullptr);
  EXPECT_EQ(find({HD_MOST_NARROW + 1, 1}), nullptr);
  EXPECT_NE(find({HD_MOST_NARROW, 1}), nullptr);
  EXPECT_EQ(find({1000, 500}, 7, HD_MOST_NARROW + 1), nullptr);
  EXPECT_EQ(find({1000, 500}, 7, -HD_MOST_NARROW - 1), nullptr);
}

TEST_F(Family, ItsNamesStandInTuningFiles) {
  EXPECT_TRUE(set("main.transposition_0.1000x500.tile_1", 16));
  EXPECT_TRUE(set("main.contraction_0.10x20_30.stages", 3));
  for (const char* name :
       {"main.transposition_0.1000x500.tile", "main.transposition_0.1000x500.tile_2",
        "main.transposition_0.1000x500.threads", "main.transposition_0.1000x500_3.tile_1",
        "main.transposition_0.1000.tile_1", "main.transposition_0.tile_1", "main.transposition_0.1x2x3.tile_1",
        "main.transposition_0.1_2_3_4_5.tile_1", "main.transposition_0.1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1.tile_1",
        "main.contraction_0.1000x500.tile_1", "main.transposition_1.1000x500.tile_1"}) {
    EXPECT_FALSE(set(name, 4)) << name;
  }
  ASSERT_NE(find({1000, 500}), nullptr);
  EXPECT_EQ(values, (Values{128, 16, 1024, 7}));
  ASSERT_NE(find({3, 900}), nullptr) << "near enough";
  EXPECT_EQ(values[1], 16);
  ASSERT_NE(find({1000, 1100}), nullptr) << "too far";
  EXPECT_EQ(values[1], 256);
}

TEST_F(Family, AValueThatDoesNotFitIsRefusedInItsWords) {
  EXPECT_TRUE(set("main.transposition_0.1000x500.tile_0", 0));
  EXPECT_TRUE(set("main.transposition_0.1000x2000.tile_0", 256));
  testing::internal::CaptureStderr();
  ASSERT_NE(find({1000, 500}), nullptr);
  EXPECT_EQ(values, (Values{128, 256, 1024, 7}));
  ASSERT_NE(find({1000, 2000}), nullptr);
  EXPECT_EQ(values, (Values{128, 256, 1024, 7}));
  const std::string start =
      "Note: The tiling given for main.transposition_0 is refused, and the model's used instead: ";
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            start + "tile_0 is 0, which is not between 1 and 256.\n" + start +
                "it needs 262144 bytes of shared memory per block, but the device has 232448.\n");
}

TEST_F(Family, WhatIsChosenIsLogged) {
  char* text = nullptr;
  size_t length = 0;
  device.context()->logging = true;
  device.context()->log = open_memstream(&text, &length);
  ASSERT_NE(find({1000, 500}), nullptr);
  std::fclose(device.context()->log);
  std::string log = text;
  std::free(text);
  EXPECT_NE(log.find(" for main.transposition_0.1000x500: tile 128x256; the model expects 1.5 us, limited by device "
                     "memory.\n"),
            std::string::npos)
      << log;
  EXPECT_NE(log.find("Specialized t for TILE_0=128 TILE_1=256 THREADS=1024 FIXED=7 in "), std::string::npos) << log;
}

TEST_F(Family, TheFastestIsFoundByMeasuringAndUsedByTheNextProgram) {
  std::ofstream(path) << "main.contraction_0.10x20_30.stages=3\n";
  // A device that likes 32 rows and 64 columns.
  device.microseconds = [](const Defines& d) {
    return 100 + 10 * std::abs(std::log2(static_cast<double>(d.at("TILE_0")) / 32)) +
           10 * std::abs(std::log2(static_cast<double>(d.at("TILE_1")) / 64));
  };
  hd_config_set_tune_tilings(device.config(), path.c_str());
  hd_config_set_tune_runs(device.config(), 1);
  int progress[2];
  ASSERT_EQ(pipe(progress), 0);
  hd_config_set_tune_progress(device.config(), progress[1]);
  const std::string record = path + ".record";
  std::filesystem::remove(record);
  hd_config_set_tune_record(device.config(), record.c_str());
  EXPECT_GT(run({1000, 500}), 12);
  EXPECT_EQ(values, (Values{32, 64, 1024, 7}));
  EXPECT_EQ(run({1000, 500}), 1) << "it is measured once";
  close(progress[1]);
  char said[4096] = {};
  EXPECT_GT(read(progress[0], said, sizeof said - 1), 0);
  close(progress[0]);
  EXPECT_EQ(std::string(said).find("main.transposition_0.1000x500: 1 of 6 measured, best 140.0 us"), 0u) << said;

  const std::string name = "main.transposition_0.1000x500";
  const std::string expected =
      "main.contraction_0.10x20_30.stages=3\n-- " + name + ": 100.0 us, the model's choice 140.0 us; ";
  EXPECT_EQ(file().substr(0, expected.size()), expected) << file();
  std::ifstream tried(record);
  std::string first;
  std::getline(tried, first);
  EXPECT_EQ(first, R"({"of": ")" + name + R"(", "expected": 1.530, "measured": 140.000, "values": "tile 128x256"})");
  const auto others = std::count(std::istreambuf_iterator<char>(tried), {}, '\n');
  EXPECT_NE(file().find(" choice 140.0 us; " + std::to_string(others + 1) + " tilings"), std::string::npos) << file();
  std::filesystem::remove(record);

  const std::string settings = " tilings measured\n" + name + ".tile_0=32\n" + name + ".tile_1=64\n";
  EXPECT_EQ(file().substr(file().find(" tilings")), settings) << file();

  hd_config_set_tune_tilings(device.config(), nullptr);
  hd_variants_free(device.context());
  EXPECT_EQ(hd_config_load_tuning(device.config(), path.c_str()), nullptr);
  EXPECT_EQ(run({1000, 500}), 1);
  EXPECT_EQ(values, (Values{32, 64, 1024, 7}));
}

TEST_F(Family, ChoicesAreKeptForOneRevisionOfTheModel) {
  std::string folder = testing::TempDir() + "heddle_choices";
  std::filesystem::remove_all(folder);
  setenv("HEDDLE_CACHE", folder.c_str(), 1);
  auto asked = [&](const hd_family& family, const Transposition& shape, const hd_device_model& model = kH100) {
    int before = times_chosen;
    hd_choice choice;
    EXPECT_TRUE(hd_choose(&family, &model, &shape, &choice));
    EXPECT_EQ(choice.values[0] * choice.values[1], 32768);
    EXPECT_STREQ(choice.limit, "device memory");
    return times_chosen - before;
  };
  const hd_family first = transposition_with_revision("1"), second = transposition_with_revision("2");
  hd_family other = first;
  other.name = "copy";
  hd_device_model faster = kH100;
  faster.bytes_per_second *= 2;
  EXPECT_EQ(asked(first, {1000, 500}), 1);
  EXPECT_EQ(asked(first, {1000, 500}), 0);
  EXPECT_EQ(asked(first, {500, 1000}), 1);
  EXPECT_EQ(asked(first, {1000, 500}, faster), 1);
  EXPECT_EQ(asked(second, {1000, 500}), 1);
  EXPECT_EQ(asked(second, {1000, 500}), 0);
  EXPECT_EQ(asked(other, {1000, 500}), 1);
  EXPECT_EQ(asked(first, {1000, 500}), 0);
}

TEST_F(Family, ItExplains) {
  Transposition shape{1000, 500};
  hd_text text{};
  EXPECT_GT(hd_explain(&text, transposition_family(), &kH100, "an H100", &shape, 2), 1e-6);
  EXPECT_STREQ(text.chars, "1000x500 on an H100, microseconds:\n1 1.5 128x256\n2 1.5 256x128\n");
  hd_text_clear(&text);
  hd_device_model none = kH100;
  none.shared_bytes_of_block = 0;
  EXPECT_LT(hd_explain(&text, transposition_family(), &none, "nothing", &shape, 2), 0);
  hd_text_clear(&text);
}

}  // namespace
}  // namespace heddle::runtime
