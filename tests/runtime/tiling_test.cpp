#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "convolution_shape.h"

extern "C" {
#include "runtime/contraction/contraction_family.h"
#include "runtime/contraction/tiling_fit.h"
#include "runtime/families/choice_cache.h"
}

namespace heddle::runtime {
namespace {

// Each two of channels, window and size meet once; all threes are four times as many.
TEST(Tiling, WhatIsChosenFitsTheDevice) {
  const int64_t all_channels[] = {1, 3, 8, 64}, windows[] = {1, 2, 3, 5, 11, 17}, sizes[] = {17, 100, 1000, 4096};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      int64_t channels = all_channels[i], window = windows[j], size = sizes[(i + j) % 4];
      Convolution c{channels, channels, size, window};
      hd_contraction shape = c.shape();
      hd_tiling t;
      hd_tiling_cost cost;
      ASSERT_TRUE(choose(shape, &t, &cost)) << channels << " " << window << " " << size;
      int64_t lanes = 1;
      for (int p = 0; p < 3; ++p) lanes *= t.parallel[p].lanes;
      EXPECT_EQ(lanes, 32);
      EXPECT_LE(cost.threads, 1024);
      EXPECT_LE(cost.shared_bytes, kH100.shared_bytes_of_block);
      EXPECT_GE(cost.blocks_per_multiprocessor, 1);
      // No more arithmetic than the device can do.
      EXPECT_GE(cost.seconds, 0.99 * cost.fma_seconds);
      EXPECT_GE(cost.seconds, 0.99 * cost.memory_seconds);
    }
  }
}

TEST(Tiling, WindowsAreStagedAsAWhole) {
  Convolution c{8, 8, 500, 5};
  hd_contraction shape = c.shape();
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &t, &cost));
  for (int r : {1, 2}) {
    EXPECT_EQ(t.reduction[r].chunk, 5);
    EXPECT_TRUE(t.reduction[r].unroll == 1 || t.reduction[r].unroll == 5);
  }
}

TEST(Tiling, WidthsKeepToTheAlignment) {
  for (int64_t aligned : {1, 2, 4}) {
    Convolution c{8, 8, 500, 3, aligned, aligned};
    hd_contraction shape = c.shape();
    hd_tiling t;
    hd_tiling_cost cost;
    ASSERT_TRUE(choose(shape, &t, &cost));
    EXPECT_LE(t.operands[0].copy_width, aligned);
    EXPECT_LE(t.store_width, aligned);
    for (const auto& o : {t.operands[0], t.operands[1]}) EXPECT_EQ(o.padding % o.load_width, 0);
  }
}

TEST(Tiling, AnOddFirstColumnIsCopiedElementByElement) {
  Convolution c{8, 8, 500, 3};
  std::vector<int64_t> left = {0, -1, -1};
  c.operands[0].constants = left.data();
  hd_contraction shape = c.shape();
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &t, &cost));
  EXPECT_EQ(t.operands[0].copy_width, 1);
}

TEST(Tiling, WindowsThatAreTurnedBeginBeforeTheirTile) {
  // Of rows at x - j the first tile reads from 1 - window on.
  for (int64_t window : {2, 3, 5, 8, 9}) {
    Convolution c{8, 8, 512, window};
    std::vector<int64_t> transposed(c.operands[0].coefficients, c.operands[0].coefficients + 18);
    transposed[17] = -1;
    c.operands[0].coefficients = transposed.data();
    hd_contraction shape = c.shape();
    hd_tiling t;
    hd_tiling_cost cost;
    ASSERT_TRUE(choose(shape, &t, &cost));
    EXPECT_EQ((window - 1) % t.operands[0].copy_width, 0) << window;
  }
}

TEST(Tiling, ShortRowsAreCoveredByOddNumbersOfPoints) {
  for (int64_t image : {7, 14, 28}) {
    Convolution conv{256, 256, image + 2, 3, 1};
    hd_contraction c = conv.shape();
    hd_ranked_tiling list[16];
    int n = hd_tiling_shortlist(&kH100, &c, 16, list);
    bool exact = false;
    for (int i = 0; i < n; i++) {
      const auto& x = list[i].tiling.parallel[2];
      exact |= x.points % 7 == 0 && image % (x.warps * x.lanes * x.points) == 0;
    }
    EXPECT_TRUE(exact) << image;
  }
}

// Elements of a row of results that a block stores.
int64_t stored_together(const hd_tiling& t, int last) {
  return t.parallel[last].points * t.parallel[last].lanes * t.parallel[last].warps;
}

TEST(Tiling, BlocksStoreLongPartsOfRowsThatBeginWithinSectors) {
  Convolution conv{1, 64, 572, 3, 4, 2}, other{1, 64, 572, 3, 4, 4};
  hd_contraction c = conv.shape();
  hd_tiling t, shorter;
  hd_tiling_cost cost, of_shorter, of_aligned;
  ASSERT_TRUE(choose(c, &t, &cost));
  EXPECT_GE(stored_together(t, 2), 64);
  shorter = t;
  while (stored_together(shorter, 2) > 16)
    (shorter.parallel[2].warps > 1 ? shorter.parallel[2].warps : shorter.parallel[2].lanes) /= 2;
  ASSERT_TRUE(hd_tiling_evaluate(&kH100, &c, &shorter, &of_shorter));
  EXPECT_GT(of_shorter.memory_seconds, 1.5 * cost.memory_seconds);
  hd_contraction aligned = other.shape();
  ASSERT_TRUE(hd_tiling_evaluate(&kH100, &aligned, &shorter, &of_aligned));
  EXPECT_LT(of_aligned.memory_seconds, 1.2 * cost.memory_seconds);
}

// 32 images of 128 channels with 3x3 windows: tilings of 64 points a thread have room for chunks of 8, but for more blocks with chunks of 4.
TEST(Tiling, WindowsAreJudgedByShorterChunksToo) {
  const int64_t extents[] = {32, 128, 28, 28, 128, 3, 3}, zeros[] = {0, 0, 0, 0};
  const int64_t of_images[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1};
  const int64_t of_filters[] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0};
  const bool separable[] = {true, true, false, false}, windows[] = {false, true, true},
             overrun[] = {true, false, false};
  const hd_tiled_operand operands[] = {{4, 4, of_images, zeros, nullptr, 2, true, false},
                                       {4, 4, of_filters, zeros, nullptr, 4, false, false}};
  MadeContraction made({4, 3, 2, extents, separable, windows, overrun, 4, 4, operands, 0, {}, 1});
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(made.contraction(), &t, &cost));
  int64_t points = 1;
  for (int p = 0; p < 4; ++p) points *= t.parallel[p].points;
  EXPECT_EQ(points, 64);
  EXPECT_EQ(t.reduction[0].chunk, 4);
  EXPECT_EQ(cost.blocks_per_multiprocessor, 3);
}

// out[s][y][x] = sum over k of two products, of which each has an element of a row y and one of a column x.
TEST(Tiling, ComplexProductsKeepTheirRegisters) {
  const int64_t extents[] = {2, 2048, 2048, 2048}, zeros[] = {0, 0};
  const int64_t of_rows[] = {0, 0, 0, 1, 0, 1, 0, 0}, of_columns[] = {0, 0, 0, 1, 0, 0, 1, 0};
  const bool separable[] = {true, true, true}, windows[] = {false}, overrun[] = {true};
  const hd_tiled_operand rows = {2, 4, of_rows, zeros, nullptr, 4, false, false},
                         columns = {2, 4, of_columns, zeros, nullptr, 4, false, false};
  const hd_tiled_operand operands[] = {rows, columns, rows, columns};
  MadeContraction made({3, 1, 4, extents, separable, windows, overrun, 4, 4, operands, 0, {}, 2});
  const hd_contraction& c = made.contraction();
  EXPECT_TRUE(hd_counts_sums(&c, 0));
  EXPECT_FALSE(hd_counts_sums(&c, 1));
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(c, &t, &cost));
  EXPECT_EQ(t.parallel[0].points, 2);
  EXPECT_EQ(t.parallel[1].points * t.parallel[2].points, 64);
  EXPECT_LE(cost.least_registers - 8, hd_tiling_most_registers(&kH100, &cost));
}

// The products of Winograd's algorithm for images of 128 channels: out[e][o][t] = sum over c of filters[e][c][o] * images[e][c][t].
struct ProductsOfElements {
  int64_t tiles;
  std::vector<int64_t> extents = {17, 128, tiles, 128}, zeros = {0, 0, 0};
  std::vector<int64_t> of_filters = {1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0},
                       of_images = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0};
  bool separable[3] = {true, true, true}, windows[1] = {false}, overrun[1] = {true};
  hd_tiled_operand operands[2] = {{3, 4, of_filters.data(), zeros.data(), nullptr, 4, false, false},
                                  {3, 4, of_images.data(), zeros.data(), nullptr, 4, false, false}};
  MadeContraction made{{3, 1, 2, extents.data(), separable, windows, overrun, 4, 4, operands, 0, {}, 1}};
};

// 1 x 4 x 1 warps of 1 x 4 x 8 lanes with 1 x 8 x 8 points: blocks of 128 x 64 points.
hd_tiling small_blocks(const hd_contraction& c) {
  hd_tiling t{};
  const int64_t warps[] = {1, 4, 1}, lanes[] = {1, 4, 8}, points[] = {1, 8, 8};
  for (int p = 0; p < 3; ++p) {
    t.parallel[p].warps = warps[p];
    t.parallel[p].lanes = lanes[p];
    t.parallel[p].points = points[p];
  }
  t.reduction[0].chunk = t.reduction[0].unroll = 16;
  t.slices = 1;
  t.stages = 2;
  const hd_tile_geometry tiles = hd_tiling_tiles(&c, &t);
  hd_tiling_widths(&c, &tiles, &t);
  return t;
}

double seconds_of_small_blocks(int64_t tiles, int64_t* blocks, int64_t* at_once) {
  ProductsOfElements products{tiles};
  const hd_contraction& c = products.made.contraction();
  const hd_tiling t = small_blocks(c);
  hd_tiling_cost cost;
  EXPECT_TRUE(hd_tiling_evaluate(&kH100, &c, &t, &cost));
  *blocks = cost.num_blocks;
  *at_once = cost.blocks_per_multiprocessor;
  return cost.seconds;
}

// Behind three whole rounds, of four blocks on each multiprocessor, one block of a fourth takes less than four of it; and where there are no two
// rounds, no less.
TEST(Tiling, AShortLastRoundTakesLessThanAWholeOne) {
  int64_t blocks, at_once;
  const double some = seconds_of_small_blocks(98 * 64, &blocks, &at_once);
  EXPECT_EQ(blocks, 17 * 98);
  ASSERT_EQ(at_once, 4);
  ASSERT_GT(blocks, 3 * 4 * 132);
  const double three = seconds_of_small_blocks(93 * 64, &blocks, &at_once);
  ASSERT_LE(blocks, 3 * 4 * 132);
  const double four = seconds_of_small_blocks(124 * 64, &blocks, &at_once);
  ASSERT_LE(blocks, 4 * 4 * 132);
  EXPECT_GT(some, three);
  EXPECT_LT(some - three, 0.6 * (four - three));
  const double one = seconds_of_small_blocks(31 * 64, &blocks, &at_once);
  ASSERT_LE(blocks, 4 * 132);
  const double more = seconds_of_small_blocks(32 * 64, &blocks, &at_once);
  ASSERT_GT(blocks, 4 * 132);
  EXPECT_GT(more - one, 0.8 * (four - three));
}

// Of those with few warps several are on a multiprocessor, each somewhere else in its instructions.
TEST(Tiling, BlocksOfFewWarpsWriteOutLess) {
  ProductsOfElements products{98 * 64};
  const hd_contraction& c = products.made.contraction();
  hd_ranked_tiling list[16];
  const int n = hd_tiling_shortlist(&kH100, &c, 16, list);
  ASSERT_GT(n, 0);
  for (int i = 0; i < n; ++i) {
    const hd_tiling& t = list[i].tiling;
    int64_t warps = 1, written_out = t.reduction[0].unroll;
    for (int p = 0; p < 3; ++p) {
      warps *= t.parallel[p].warps;
      written_out *= t.parallel[p].points;
    }
    EXPECT_LE(written_out, warps < 8 ? 1200 : 2400);
  }
}

TEST(Tiling, NothingIsFasterThanWhatMakesTilingsHopeless) {
  for (int64_t window : {1, 3, 9}) {
    for (int64_t size : {20, 300, 4096}) {
      Convolution conv{64, 64, size, window};
      hd_contraction c = conv.shape();
      hd_ranked_tiling list[16];
      int n = hd_tiling_shortlist(&kH100, &c, 16, list);
      ASSERT_GT(n, 0);
      for (int i = 0; i < n; i++) {
        EXPECT_LE(hd_tiling_least_seconds(&kH100, &c, &list[i].tiling), list[i].cost.seconds) << window << " " << size;
        // The search relies on it before it has chosen all warps.
        EXPECT_LE(hd_contraction_least_seconds(&kH100, &c), list[i].cost.seconds) << window << " " << size;
        list[i].tiling.parallel[0].warps = 1;
        EXPECT_LE(hd_tiling_least_seconds(&kH100, &c, &list[i].tiling), list[i].cost.seconds) << window << " " << size;
      }
    }
  }
}

TEST(Tiling, WhatDoesNotFitIsRefused) {
  Convolution c{8, 8, 500, 3};
  hd_contraction shape = c.shape();
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &t, &cost));
  hd_tiling large = t;
  large.reduction[0].chunk = 4096;
  EXPECT_FALSE(hd_tiling_evaluate(&kH100, &shape, &large, &cost));
  large = t;
  large.parallel[1].points *= 64;
  EXPECT_FALSE(hd_tiling_evaluate(&kH100, &shape, &large, &cost));
}

TEST(Tiling, WhatWasChosenIsKept) {
  std::string folder = testing::TempDir() + "heddle_tilings";
  std::filesystem::remove_all(folder);
  setenv("HEDDLE_CACHE", folder.c_str(), 1);
  auto num_kept = [&] { return std::distance(std::filesystem::directory_iterator(folder), {}); };
  Convolution c{8, 8, 500, 3};
  hd_contraction shape = c.shape();
  hd_choice chosen, kept;
  ASSERT_TRUE(hd_choose(hd_contraction_family(), &kH100, &shape, &chosen));
  EXPECT_EQ(num_kept(), 1);
  ASSERT_TRUE(hd_choose(hd_contraction_family(), &kH100, &shape, &kept));
  EXPECT_EQ(num_kept(), 1);
  for (int i = 0; i < HD_MAX_CHOSEN_VALUES; ++i) EXPECT_EQ(kept.values[i], chosen.values[i]);
  EXPECT_EQ(kept.seconds, chosen.seconds);
  EXPECT_EQ(kept.most_registers, chosen.most_registers);
  EXPECT_STREQ(kept.limit, chosen.limit);

  // Another device, another answer.
  hd_device_model smaller = kH100;
  smaller.shared_bytes_of_block = 16384;
  ASSERT_TRUE(hd_choose(hd_contraction_family(), &smaller, &shape, &kept));
  hd_tiling t;
  hd_tiling_cost cost;
  hd_tiling_set_values(&shape, kept.values, &t);
  EXPECT_EQ(hd_tiling_settle(&kH100, &shape, &t, &cost), nullptr);
  EXPECT_LE(cost.shared_bytes, 16384);
  EXPECT_EQ(num_kept(), 2);
  unsetenv("HEDDLE_CACHE");
}

TEST(Tiling, AChoiceIsWhatItSettlesTo) {
  const hd_family* family = hd_contraction_family();
  for (int64_t window : {1, 3, 9}) {
    for (int64_t size : {20, 300, 4096}) {
      Convolution conv{64, 64, size, window};
      hd_contraction c = conv.shape();
      hd_choice list[HD_MAX_SHORTLIST] = {};
      int n = family->choose(&kH100, &c, HD_MAX_SHORTLIST, list);
      ASSERT_GT(n, 1);
      for (int i = 0; i < n; ++i) {
        hd_choice settled = list[i];
        ASSERT_EQ(family->settle(&kH100, &c, &settled), nullptr);
        for (int v = 0; v < HD_MAX_CHOSEN_VALUES; ++v) EXPECT_EQ(settled.values[v], list[i].values[v]);
        EXPECT_DOUBLE_EQ(settled.seconds, list[i].seconds);
        EXPECT_EQ(settled.most_registers, list[i].most_registers);
        EXPECT_STREQ(settled.limit, list[i].limit);
      }
    }
  }
}

TEST(Tiling, KernelsAreToldApartByWhatChoicesDependOn) {
  auto key = [](const Convolution& c) {
    hd_contraction shape = c.shape();
    hd_text text{};
    hd_contraction_family()->add_key(&shape, &text);
    std::string bytes(text.chars, text.length);
    hd_text_clear(&text);
    return bytes;
  };
  Convolution c{8, 8, 500, 3}, aligned{8, 8, 500, 3, 2}, larger{8, 8, 501, 3}, left{8, 8, 500, 3}, above{8, 8, 500, 3};
  std::vector<int64_t> one_left = {0, 0, -1}, four_left = {0, 0, -4}, one_above = {0, -1, 0};
  EXPECT_EQ(key(Convolution{8, 8, 500, 3}), key(c));
  EXPECT_NE(key(aligned), key(c));
  EXPECT_NE(key(larger), key(c));
  left.operands[0].constants = one_left.data();
  EXPECT_NE(key(left), key(c));
  // Places that are as good as these: a loop may go through them.
  left.operands[0].constants = four_left.data();
  EXPECT_EQ(key(left), key(c));
  above.operands[0].constants = one_above.data();
  EXPECT_EQ(key(above), key(c));
}

TEST(Tiling, ValuesAreInTheOrderOfTheKernelsConstants) {
  Convolution c{8, 8, 500, 3};
  hd_contraction shape = c.shape();
  hd_tiling t = {};
  int64_t next = 1;
  for (int p = 0; p < 3; ++p) t.parallel[p] = {next, next + 1, next + 2, next + 3}, next += 4;
  for (int r = 0; r < 3; ++r) t.reduction[r] = {next, next + 1}, next += 2;
  for (int o = 0; o < 2; ++o) t.operands[o] = {next, next + 1, next + 2, 1}, next += 3;
  t.slices = next++;
  t.store_width = next++;
  t.result_shared = next++;
  t.stages = next++;
  t.ahead = next++;
  t.registers = next++;
  int64_t values[64];
  ASSERT_EQ(hd_tiling_values(&shape, &t, values), 30);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(values[i], i + 1);
  hd_tiling again;
  hd_tiling_set_values(&shape, values, &again);
  int64_t values_again[64];
  ASSERT_EQ(hd_tiling_values(&shape, &again, values_again), 30);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(values_again[i], i + 1);
}

}  // namespace
}  // namespace heddle::runtime
