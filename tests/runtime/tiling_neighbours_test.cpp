#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>

#include "convolution_shape.h"

extern "C" {
#include "runtime/contraction/contraction_family.h"
#include "runtime/contraction/tiling_explain.h"
#include "runtime/contraction/tiling_fit.h"
#include "runtime/families/neighbourhood.h"
}

namespace heddle::runtime {
namespace {

std::string text_of(const hd_contraction& shape, const hd_tiling& t) {
  hd_text text{};
  hd_tiling_add(&text, &shape, &t);
  std::string result = text.chars;
  hd_text_clear(&text);
  return result;
}

std::string refusal(const hd_contraction& shape, hd_tiling t) {
  hd_tiling_cost cost;
  char* problem = hd_tiling_settle(&kH100, &shape, &t, &cost);
  std::string result = problem != nullptr ? problem : "";
  std::free(problem);
  return result;
}

TEST(Shortlist, BeginsWithTheChoiceAndHasDifferentPoints) {
  for (int64_t channels : {1, 8, 64}) {
    Convolution c{channels, channels, 300, 3};
    hd_contraction shape = c.shape();
    hd_tiling chosen;
    hd_tiling_cost cost;
    ASSERT_TRUE(choose(shape, &chosen, &cost));
    hd_ranked_tiling list[8];
    int n = hd_tiling_shortlist(&kH100, &shape, 8, list);
    ASSERT_EQ(n, 8);
    EXPECT_EQ(text_of(shape, list[0].tiling), text_of(shape, chosen));
    std::set<std::vector<int64_t>> points;
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(list[i].cost.seconds, list[i > 0 ? i - 1 : 0].cost.seconds);
      std::vector<int64_t> p;
      for (const auto& tile : list[i].tiling.parallel) p.push_back(tile.points);
      EXPECT_TRUE(points.insert({p.begin(), p.begin() + 3}).second) << text_of(shape, list[i].tiling);
      EXPECT_EQ(refusal(shape, list[i].tiling), "");
    }
  }
}

TEST(Settle, SaysWhatTheDeviceLacks) {
  Convolution c{64, 64, 500, 3};
  hd_contraction shape = c.shape();
  hd_tiling good;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &good, &cost));
  auto with = [&](const std::function<void(hd_tiling&)>& change) {
    hd_tiling t = good;
    change(t);
    return refusal(shape, t);
  };
  auto one_warp_wide = [](hd_tiling& t) {
    for (auto& p : t.parallel) p = {1, 1, 1, 1};
    t.parallel[2].lanes = 32;
    t.reduction[0] = {1, 1};
    t.stages = 2;
    t.ahead = 0;
    t.registers = 0;
  };
  EXPECT_EQ(with(one_warp_wide), "");
  EXPECT_EQ(
      with([&](hd_tiling& t) { one_warp_wide(t), t.parallel[0].points = t.parallel[1].points = 16; }).substr(0, 9),
      "it needs ");
  EXPECT_NE(with([&](hd_tiling& t) {
              one_warp_wide(t), t.parallel[0].points = t.parallel[1].points = 16;
            }).find(" registers per thread, but the device has 255"),
            std::string::npos);
  EXPECT_NE(with([&](hd_tiling& t) {
              one_warp_wide(t), t.reduction[0].chunk = 4096;
            }).find(" bytes of shared memory per block, but the device has 232448"),
            std::string::npos);
  EXPECT_EQ(with([&](hd_tiling& t) { one_warp_wide(t), t.parallel[0].warps = 32, t.parallel[0].points = 2; }), "");
  EXPECT_NE(with([&](hd_tiling& t) {
              one_warp_wide(t), t.parallel[0].warps = 32, t.parallel[0].points = t.parallel[1].points = 4;
              t.reduction[1] = t.reduction[2] = {3, 3};
            }).find(" registers per block, but the device has 65536"),
            std::string::npos);
  EXPECT_EQ(with([&](hd_tiling& t) { one_warp_wide(t), t.ahead = 1; }),
            "ahead is 1, but some chunk has an odd number of groups");
  EXPECT_EQ(with([&](hd_tiling& t) { one_warp_wide(t), t.reduction[0].chunk = 2, t.ahead = 1; }), "");
  EXPECT_EQ(with([&](hd_tiling& t) { one_warp_wide(t), t.parallel[0].warps = t.parallel[1].warps = 8; }),
            "the warps are more than the 32 of a block");
  EXPECT_EQ(with([](hd_tiling& t) { t.parallel[0].lanes *= 2; }), "the lanes do not make a warp of 32");
  EXPECT_EQ(with([](hd_tiling& t) { t.reduction[1] = {3, 2}; }), "unroll_1 is 2, which does not divide chunk_1");
  EXPECT_EQ(with([](hd_tiling& t) { t.reduction[1] = {4, 2}; }), "unroll_1 is 2, which does not divide the extent 3");
  EXPECT_EQ(with([](hd_tiling& t) { t.stages = 1; }), "stages is 1, which is not between 2 and 16");
  EXPECT_EQ(with([](hd_tiling& t) { t.parallel[1].points = 0; }), "points is 0, which is not between 1 and 64");
  EXPECT_EQ(with([](hd_tiling& t) { t.parallel[1].points = INT64_MAX; }).substr(0, 10), "points is ");
}

TEST(Settle, RegistersOfABlockAreLimited) {
  Convolution c{64, 64, 500, 3};
  hd_contraction shape = c.shape();
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &t, &cost));
  t.registers = 65536 / cost.threads;
  if (t.registers < 255) {
    EXPECT_EQ(refusal(shape, t), "");
    ++t.registers;
  } else {
    t.parallel[0].warps = 32 / (t.parallel[1].warps * t.parallel[2].warps);
    t.parallel[0].points = t.parallel[1].points = t.parallel[2].points = 1;
    t.registers = 255;
  }
  EXPECT_NE(refusal(shape, t).find(" registers per block, but the device has 65536"), std::string::npos);
  t.registers = 0;
  ASSERT_EQ(hd_tiling_settle(&kH100, &shape, &t, &cost), nullptr);
  EXPECT_EQ(t.registers, hd_tiling_register_limit(&kH100, &cost));
}

TEST(Settle, RunsDivideTheirPoints) {
  Convolution c{64, 64, 500, 3};
  hd_contraction shape = c.shape();
  hd_tiling chosen;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &chosen, &cost));
  for (int p = 0; p < 3; ++p) {
    for (int64_t points = 1; points <= 17; ++points) {
      hd_tiling t = chosen;
      for (auto& tile : t.parallel) tile.points = 1;
      for (auto& tile : t.reduction) tile.unroll = 1;
      t.parallel[p].points = points;
      t.registers = 0;
      char* problem = hd_tiling_settle(&kH100, &shape, &t, &cost);
      ASSERT_EQ(problem, nullptr) << problem;
      EXPECT_EQ(points % t.parallel[p].run, 0) << points << " points in runs of " << t.parallel[p].run;
    }
  }
}

TEST(Settle, ThreadsStoreWholeWordsOfTheirOwn) {
  Convolution c{8, 8, 502, 3, 4, 4};
  hd_contraction shape = c.shape();
  hd_tiling t;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &t, &cost));
  t.parallel[2].points = 6;
  for (int64_t through_shared : {0, 1}) {
    t.result_shared = through_shared;
    ASSERT_EQ(hd_tiling_settle(&kH100, &shape, &t, &cost), nullptr);
    EXPECT_EQ(t.result_shared, through_shared);
    EXPECT_EQ(6 % t.store_width, through_shared == 0 ? 0 : 6 % 4);
  }
}

// Runs a search to its end with a function of the tiling in place of the device.
struct Search {
  hd_contraction shape;
  hd_neighbourhood n;
  std::set<std::string> measured;
  Search(const hd_contraction& c, int most, const std::function<double(const hd_tiling&)>& time) : shape(c) {
    EXPECT_TRUE(hd_neighbourhood_init(&n, hd_contraction_family(), &kH100, &shape, most));
    for (int i; (i = hd_neighbourhood_next(&n)) >= 0;) {
      const hd_tiling t = tiling(i);
      EXPECT_EQ(refusal(shape, t), "") << text_of(shape, t);
      EXPECT_TRUE(measured.insert(text_of(shape, t)).second) << "measured twice: " << text_of(shape, t);
      EXPECT_LE(n.num_measured, hd_neighbourhood_total(&n));
      hd_neighbourhood_tell(&n, i, time(t));
    }
  }
  ~Search() { hd_neighbourhood_free(&n); }
  hd_tiling tiling(int candidate) const {
    hd_tiling t;
    hd_tiling_set_values(&shape, n.candidates[candidate].choice.values, &t);
    return t;
  }
  hd_tiling best() const { return tiling(n.best); }
};

TEST(Neighbourhood, FindsWhatTheModelDoesNotKnow) {
  Convolution c{16, 16, 300, 5};
  hd_contraction shape = c.shape();
  // A device that likes 3 points along y, 8 along x, three stages and results that are stored directly.
  auto time = [](const hd_tiling& t) {
    return 1e-3 * (1 + std::abs(std::log2(static_cast<double>(t.parallel[1].points) / 3)) +
                   std::abs(std::log2(static_cast<double>(t.parallel[2].points) / 8)) +
                   static_cast<double>(std::abs(t.stages - 3)) + static_cast<double>(t.result_shared));
  };
  Search search(shape, 400, time);
  EXPECT_EQ(search.best().parallel[1].points, 3);
  EXPECT_EQ(search.best().parallel[2].points, 8);
  EXPECT_EQ(search.best().stages, 3);
  EXPECT_EQ(search.best().result_shared, 0);
}

TEST(Neighbourhood, MeasuresNoMoreThanItMay) {
  Convolution c{16, 16, 300, 5};
  hd_contraction shape = c.shape();
  for (int most : {1, 3, 7, 30}) {
    Search search(shape, most, [](const hd_tiling& t) { return 1.0 / static_cast<double>(t.parallel[1].points); });
    EXPECT_EQ(search.n.num_measured, most);
    EXPECT_GE(search.n.best, 0);
  }
}

TEST(Neighbourhood, BeginsWithTheModelsChoice) {
  Convolution c{16, 16, 300, 5};
  hd_contraction shape = c.shape();
  hd_tiling chosen;
  hd_tiling_cost cost;
  ASSERT_TRUE(choose(shape, &chosen, &cost));
  Search search(shape, 1, [](const hd_tiling&) { return 1.0; });
  EXPECT_EQ(search.measured, std::set<std::string>{text_of(shape, chosen)});
}

TEST(Neighbourhood, GoesOnWhenSomeCannotBeRun) {
  Convolution c{16, 16, 300, 5};
  hd_contraction shape = c.shape();
  int number = 0;
  Search search(shape, 60, [&](const hd_tiling&) { return number++ % 2 == 0 ? -1.0 : 1.0 / number; });
  EXPECT_EQ(search.n.num_measured, 60);
  ASSERT_GE(search.n.best, 0);
  EXPECT_TRUE(std::isfinite(search.n.candidates[search.n.best].measured));
  Search hopeless(shape, 60, [](const hd_tiling&) { return -1.0; });
  EXPECT_EQ(hopeless.n.best, -1);
}

TEST(Explain, NamesTheChoiceAndWhyOthersAreSlower) {
  Convolution c{64, 64, 1000, 3};
  hd_contraction shape = c.shape();
  hd_ranked_tiling list[4];
  int n = hd_tiling_shortlist(&kH100, &shape, 4, list);
  hd_text text{};
  hd_tiling_add_ranking(&text, &kH100, &shape, n, list);
  std::string got = text.chars;
  hd_text_clear(&text);
  EXPECT_NE(got.find("chosen; limited by issuing instructions, "), std::string::npos) << got;
  size_t slower = 0;
  for (size_t at = 0; (at = got.find(" % slower: ", at)) != std::string::npos; ++at) ++slower;
  EXPECT_EQ(slower, 3u) << got;
  for (int i = 0; i < n; ++i) EXPECT_NE(got.find(text_of(shape, list[i].tiling)), std::string::npos);
}

TEST(Explain, NamesWhatLimits) {
  hd_tiling_cost cost = {};
  cost.issue_seconds = 2, cost.shared_seconds = 1, cost.memory_seconds = 1;
  EXPECT_STREQ(hd_tiling_limit(&cost), "issuing instructions");
  cost.shared_seconds = 3;
  EXPECT_STREQ(hd_tiling_limit(&cost), "shared memory");
  cost.waits_for_memory = true;
  EXPECT_STREQ(hd_tiling_limit(&cost), "latency of device memory");
  cost.memory_seconds = 4;
  EXPECT_STREQ(hd_tiling_limit(&cost), "device memory");
}

}  // namespace
}  // namespace heddle::runtime
