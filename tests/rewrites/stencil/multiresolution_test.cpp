// The model of pyramids' levels side by side, by hand; and which stages of a pipeline are levels.
#include "rewrites/stencil/multiresolution.h"

#include <gtest/gtest.h>

#include "rewrites/stencil/partition.h"
#include "rewrites/stencil/pyramid.h"
#include "tests/rewrites/stencil/images.h"

namespace heddle::stencil {
namespace {

// As in the thesis' figure 4.3: six blocks of any kernel have room on each of four multiprocessors.
const Device four{"four", 4, 32, 1, 100, 48 * kKiB, 48 * kKiB, 24, 6, 255};

PyramidKernel kernel(double us) { return {{128, 32, 0}, {us, us}}; }

// 16, 4 and 1 blocks.
Pyramid thesis_pyramid(double filter_us) {
  return {kernel(1), kernel(filter_us), kernel(1), {{4, 16, 16}, {1, 4, 4}, {0, 1, 0}}};
}

TEST(Multiresolution, CountsWavesAndTails) {
  const Needs needs{128, 32, 0};
  EXPECT_EQ(num_waves(four, needs, 16), 1);
  EXPECT_DOUBLE_EQ(tail_size(four, needs, 16), 16. / 24);
  EXPECT_EQ(num_waves(four, needs, 24), 1);
  EXPECT_EQ(tail_size(four, needs, 24), 0);
  EXPECT_EQ(num_waves(four, needs, 25), 2);
  EXPECT_EQ(num_waves(four, needs, 0), 0);
}

TEST(Multiresolution, IsAsInTheThesisFigure) {
  const Schedule s = schedule(four, thesis_pyramid(10), {.event_us = 2, .expand_event_us = 0, .parallel = 1});
  EXPECT_EQ(s.sets, (std::vector<int>{3}));
  EXPECT_DOUBLE_EQ(s.single_us, 2 * 1 + 3 * 10 + 2 * 1);
  EXPECT_DOUBLE_EQ(s.fine_us, 0);
  EXPECT_DOUBLE_EQ(s.coarse_us, 2 * (1 + 2) + 10);
  EXPECT_DOUBLE_EQ(s.expand_us, 2);
  EXPECT_DOUBLE_EQ(s.multi_us(), 18);
}

TEST(Multiresolution, OverheadsCountAsInTheThesis) {
  const Schedule s = schedule(four, thesis_pyramid(10), {.event_us = 3, .expand_event_us = 3, .parallel = 1.5});
  EXPECT_DOUBLE_EQ(s.coarse_us, (2 * (1 + 3) + 10) * 1.5);
  EXPECT_DOUBLE_EQ(s.expand_us, 2 * (1 + 3));
}

TEST(Multiresolution, GoesSideBySideAsFiltersGetDearer) {
  bool was_faster = false;
  for (double us : {0.5, 1., 2., 4., 8., 16., 32.}) {
    const Schedule s = schedule(four, thesis_pyramid(us));
    const bool faster = s.multi_us() < s.single_us;
    EXPECT_TRUE(faster || !was_faster) << us;
    EXPECT_FALSE(us == 1 && faster);
    was_faster = faster;
  }
  EXPECT_TRUE(was_faster);
}

TEST(Multiresolution, FineLevelsStayOneAfterTheOther) {
  Pyramid p = thesis_pyramid(10);
  p.levels.insert(p.levels.begin(), {{16, 64, 64}});
  const Schedule s = schedule(four, p, {.event_us = 2, .expand_event_us = 0, .parallel = 1});
  EXPECT_EQ(s.levels[0].waves, 3);
  EXPECT_EQ(s.levels[0].set, -1);
  EXPECT_EQ(s.levels[1].set, 0);
  EXPECT_DOUBLE_EQ(s.fine_us, 1 + 3 * 10);
  p.levels[0].filter = 24;  // one wave, which is full
  EXPECT_EQ(schedule(four, p).levels[0].set, -1);
}

TEST(Multiresolution, SetsEndWhereThereIsNoRoom) {
  Pyramid p{kernel(1), kernel(10), kernel(1), {{3, 16, 16}, {3, 12, 12}, {1, 12, 12}, {0, 1, 0}}};
  const Schedule s = schedule(four, p, {.event_us = 2, .expand_event_us = 0, .parallel = 1});
  EXPECT_EQ(s.sets, (std::vector<int>{1, 2, 1}));  // 16; 12 and 12; 1
  EXPECT_DOUBLE_EQ(s.coarse_us, (3 + 10) + (2 * 3 + 10) + 10);
}

TEST(Multiresolution, RoomIsOfEachResource) {
  const Needs registers{128, 128, 0}, shared{128, 0, 24 * kKiB};
  UsedResources used;
  EXPECT_TRUE(used.have_room(four, registers, 16));  // four on each
  EXPECT_FALSE(used.have_room(four, registers, 17));
  used.add(four, registers, 8);
  EXPECT_FALSE(used.have_room(four, registers, 9));
  EXPECT_TRUE(used.have_room(four, shared, 8));
  EXPECT_FALSE(used.have_room(four, shared, 9));
}

TEST(Multiresolution, WhatIsIdleMakesOthersFaster) {
  const PyramidKernel k{{128, 32, 0}, {8, 2}};
  EXPECT_DOUBLE_EQ(kernel_us(four, k, 24), 8);
  EXPECT_DOUBLE_EQ(kernel_us(four, k, 12), 4);
  EXPECT_DOUBLE_EQ(kernel_us(four, k, 1), 2);
  EXPECT_DOUBLE_EQ(kernel_us(four, k, 25), 10);
}

// ---- Levels among stages. ----

Stage level(const std::string& name, int64_t extent, std::vector<Read> reads, int64_t operations) {
  Stage s = image(name, std::move(reads));
  s.domain = {{0, extent - 1}, {0, extent - 1}};
  s.alu_ops = operations;
  return s;
}
Read read(Source source, int64_t num, int64_t den) {
  Window w{0, -1, 1, num, den};
  Window v = w;
  v.follows = 1;
  return {source, {w, v}};
}
Read of(size_t s, int64_t num = 1, int64_t den = 1) { return read({Source::Kind::Stage, s}, num, den); }

// p1, p2; f0, f1, f2; e1, e0
Pipeline three_levels(int64_t extent, int64_t operations) {
  const Source base{Source::Kind::Input, 0};
  std::vector<Stage> stages{
      level("p1", extent / 2, {read(base, 2, 1)}, 10),     level("p2", extent / 4, {of(0, 2, 1)}, 10),
      level("f0", extent, {read(base, 1, 1)}, operations), level("f1", extent / 2, {of(0)}, operations),
      level("f2", extent / 4, {of(1)}, operations),        level("e1", extent / 2, {of(3), of(4, 1, 2)}, 10),
      level("e0", extent, {of(2), of(5, 1, 2)}, 10),
  };
  stages.back().live_out = true;
  return *Pipeline::of({{"img", {{0, extent - 1}, {0, extent - 1}}}}, std::move(stages));
}

TEST(Pyramids, AreFoundByTheSizesOfWhatIsRead) {
  const Pipeline p = three_levels(512, 100);
  const std::vector<PyramidStages> levels = find_pyramid(p, std::vector<StageFacts>(p.size()));
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].reduce, (std::vector<size_t>{0}));
  EXPECT_EQ(levels[0].filter, (std::vector<size_t>{2}));
  EXPECT_EQ(levels[0].expand, (std::vector<size_t>{6}));
  EXPECT_EQ(levels[1].reduce, (std::vector<size_t>{1}));
  EXPECT_EQ(levels[1].filter, (std::vector<size_t>{3}));
  EXPECT_EQ(levels[1].expand, (std::vector<size_t>{5}));
  EXPECT_EQ(levels[2].filter, (std::vector<size_t>{4}));
}

TEST(Pyramids, AreNoneWithoutFiltersOrTables) {
  std::vector<Stage> stages{level("a", 256, {read({Source::Kind::Input, 0}, 1, 1)}, 10), level("b", 256, {of(0)}, 10)};
  Stage table = image("table", {});
  table.domain = {{0, 255}};
  stages.insert(stages.begin(), table);
  stages.back().live_out = true;
  stages[2].reads = {of(1)};
  const Pipeline p = *Pipeline::of({{"img", {{0, 255}, {0, 255}}}}, std::move(stages));
  EXPECT_TRUE(find_pyramid(p, {{}, {}, {{0}, 1}}).empty());
}

std::vector<size_t> apart(int64_t extent, int64_t operations) {
  const Pipeline p = three_levels(extent, operations);
  const Device& h100 = *find_device("H100");
  const std::vector<StageFacts> facts(p.size());
  const Decision d = partition(p, h100, Strategy::Largest);
  return decide_pyramid(p, facts, h100, d.partition.groups, {})->filters_apart();
}

TEST(Pyramids, HaveTheirDearFiltersApart) {
  EXPECT_EQ(apart(512, 10), (std::vector<size_t>{}));
  EXPECT_EQ(apart(256, 20000), (std::vector<size_t>{2, 3, 4}));
  EXPECT_EQ(apart(2048, 20000), (std::vector<size_t>{}));  // 16 waves, then 4: fine, and a set of one level
}

TEST(Pyramids, StagesApartAreKernelsOfTheirOwn) {
  const Pipeline p = three_levels(256, 20000);
  std::vector<Stage> stages = p.stages();
  for (size_t s : {2, 3, 4}) stages[s].alone = true;
  const Decision d = partition(*Pipeline::of(p.inputs(), std::move(stages)), *find_device("H100"), Strategy::Largest);
  for (const Group& g : d.partition.groups) {
    const bool is_filter = g.contains(2) || g.contains(3) || g.contains(4);
    EXPECT_TRUE(!is_filter || g.stages.size() == 1);
  }
}

}  // namespace
}  // namespace heddle::stencil
