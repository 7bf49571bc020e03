// Sioutas' tiles and groups, as his thesis and code have them.
#include <gtest/gtest.h>

#include "rewrites/stencil/inline_stage.h"
#include "rewrites/stencil/nested.h"
#include "rewrites/stencil/partition.h"
#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using namespace examples;  // NOLINT: test vocabulary

const Device& turing = *find_device("RTX 2080 Ti");

TEST(SioutasTiles, HaveTheThesisBounds) {
  EXPECT_EQ(tile_sizes(1536, 2), (Interval{8, 48}));
  EXPECT_EQ(tile_sizes(2560, 2), (Interval{8, 80}));
  EXPECT_EQ(tile_sizes(1536, 1), (Interval{8, 12}));
  EXPECT_EQ(tile_sizes(20, 2), (Interval{2, 10}));
}

// The thesis' example, with H inlined: K, W, Z.
Pipeline kwz() {
  std::vector<Interval> planes{{0, 2047}, {0, 2047}, {0, 2}};
  Stage k = local("K", {{input(), {{0}, {1, -1, 1}, {2}}}});
  k.domain = planes;
  Stage w = local("W", {{stage(0), {{0}, {1}, {{}, 0, 2}}}, {input(), {{0}, {1}, {{}, 0, 0}}}});
  Stage z = local("Z", {around(stage(1), {2, 0})});
  return examples::pipeline({{"E", planes}}, {k, w, z});
}

TEST(SioutasCost, CountsThreadsByWhatStagesNeed) {
  Pipeline p = kwz();
  Result<Halos> halos = tight_halos(p, whole(p));
  ASSERT_TRUE(halos);
  std::optional<SioutasCost> c = sioutas_cost(p, turing, {}, *halos, {12, 32}, Phase::Grouping);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->block, (std::vector<int64_t>{16, 32}));
  EXPECT_EQ(c->shared_bytes, 2048 + 6144);
  EXPECT_EQ(c->occupancy, 0.75);  // of Z, with 384 threads of 64 registers; those of whole blocks have all warps
}

TEST(SioutasCost, RefusesWhatTheDeviceCannotRun) {
  Pipeline p = kwz();
  Result<Halos> halos = tight_halos(p, whole(p));
  ASSERT_TRUE(halos);
  auto runs = [&](const Tile& tile) { return sioutas_cost(p, turing, {}, *halos, tile, Phase::Tiling).has_value(); };
  EXPECT_TRUE(runs({12, 32}));
  EXPECT_FALSE(runs({12, 31}));    // 16 * 31 threads: no whole warps
  EXPECT_FALSE(runs({32, 32}));    // 1152 threads
  EXPECT_FALSE(runs({4, 256}));    // 2048 threads
  EXPECT_FALSE(runs({60, 2048}));  // less blocks than there are SMs, and too many threads
}

TEST(SioutasCost, OfFewBlocksIsNone) {
  std::vector<Stage> stages{point("a", {same(input())})};
  stages[0].domain = examples::size(64, 64);
  Pipeline p = examples::pipeline({{"img", examples::size(64, 64)}}, stages);
  Result<Halos> halos = tight_halos(p, whole(p));
  ASSERT_TRUE(halos);
  EXPECT_FALSE(sioutas_cost(p, turing, {}, *halos, {8, 8}, Phase::Grouping));  // 64 blocks, 68 SMs
  EXPECT_TRUE(sioutas_cost(p, turing, {}, *halos, {4, 8}, Phase::Grouping));
}

TEST(Nested, HasThreadsComputeWhatTheyDoNotShare) {
  Pipeline p = kwz();
  Result<Halos> halos = tight_halos(p, whole(p));
  ASSERT_TRUE(halos);
  std::vector<Placement> placed = nested(p, {}, *halos);
  EXPECT_EQ(placed, (std::vector<Placement>{{0, 1, Level::Thread}, {1, 2, Level::Block}, {2, 2, Level::Block}}));
  EXPECT_EQ(shared_bytes(p, *halos, {12, 32}, placed), 2048);
}

TEST(Nested, LeavesToTheBlockWhatIsReadAtSeveralPlaces) {
  // b is the block's, since c's points share it; so a is read at points of b and of c.
  std::vector<Stage> stages{point("a", {same(input())}), point("b", {same(stage(0))}),
                            local("c", {around(stage(1), {1, 1}), same(stage(0))})};
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, stages);
  Result<Halos> halos = tight_halos(p, whole(p));
  ASSERT_TRUE(halos);
  for (const Placement& placed : nested(p, {}, *halos)) EXPECT_EQ(placed.level, Level::Block);
  stages[2] = point("c", {same(stage(1)), same(stage(0))});
  p = examples::pipeline(p.inputs(), stages);
  halos = tight_halos(p, whole(p));
  std::vector<Placement> placed = nested(p, {}, *halos);
  EXPECT_EQ(placed[0], (Placement{0, 2, Level::Thread}));
  EXPECT_EQ(placed[1], (Placement{1, 2, Level::Thread}));
}

// Whether the points of a stage that reads so need the same elements.
bool is_shared(const std::vector<Read>& reads) {
  Stage a = point("a", {same(input())});
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, {a, local("b", reads)});
  return points_share(p, 0, 1);
}

TEST(Nested, LeavesToTheBlockWhatNeighboursNeed) {
  EXPECT_FALSE(is_shared({same(stage(0))}));
  EXPECT_FALSE(is_shared({{stage(0), {{0, 1, 1}, {1, -2, -2}}}}));  // elsewhere, but one for each
  EXPECT_TRUE(is_shared({{stage(0), {{0}, {1, 0, 1}}}}));
  EXPECT_TRUE(is_shared({same(stage(0)), {stage(0), {{0}, {1, 1, 1}}}}));  // in two reads
  EXPECT_FALSE(is_shared({{stage(0), {{0, 0, 1, 2}, {1, 0, 0, 2}}}}));     // two of every two
  EXPECT_TRUE(is_shared({{stage(0), {{0, 0, 2, 2}, {1, 0, 0, 2}}}}));
  EXPECT_TRUE(is_shared({{stage(0), {{0, 0, 0, 1, 2}, {1}}}}));               // one for two
  EXPECT_TRUE(is_shared({{stage(0), {{0}, {{}, 3, 3}}}}));                    // a column for all
  EXPECT_TRUE(is_shared({same(stage(0)), {stage(0), {{0, 0, 0, 2}, {1}}}}));  // at two rates
}

TEST(Nested, IsForBlocksThatNeedMuch) {
  SioutasCost c;
  c.occupancy = 0.5;  // 512 threads of this device
  EXPECT_FALSE(is_nesting_worth_it(turing, c));
  c.shared_bytes = 32769;
  EXPECT_TRUE(is_nesting_worth_it(turing, c));
  c = {};
  c.occupancy = 0.25;
  EXPECT_TRUE(is_nesting_worth_it(turing, c));
  c.occupancy = 1;
  EXPECT_TRUE(is_nesting_worth_it(turing, c));
}

TEST(InlineStage, ReadsThroughIt) {
  Stage a = point("a", {same(input())}, 3);
  Stage b = local("b", {around(stage(0), {1, 2})}, 5);
  Stage c = local("c", {{stage(1), {{0, 0, 1, 2}, {1, -1, 1}}}}, 1);
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, {a, b, c});
  Result<Pipeline> q = inline_stage(p, 1);
  ASSERT_TRUE(q);
  const Stage& reader = q->stage(1);
  EXPECT_EQ(reader.alu_ops, 1 + 6 * 5);
  EXPECT_EQ(reader.reads[0].windows[0].num, 2);
  EXPECT_EQ(reader.reads[0].windows[0].lo, -1);
  EXPECT_EQ(reader.reads[0].windows[0].hi, 2);
  EXPECT_EQ(reader.reads[0].windows[1].lo, -3);
  EXPECT_EQ(reader.reads[0].windows[1].hi, 3);
  EXPECT_FALSE(inline_stage(p, 2));
  b.reads[0].windows[0] = {0, -1, 0, 3};
  q = inline_stage(examples::pipeline(p.inputs(), {a, b, c}), 1);
  const Window& rows = q->stage(1).reads[0].windows[0];
  EXPECT_EQ((std::vector<int64_t>{rows.num, rows.den, rows.lo, rows.hi}), (std::vector<int64_t>{6, 1, -1, 3}));
  c.reads[0].windows[0] = {0, -1, 1};
  q = inline_stage(examples::pipeline(p.inputs(), {a, b, c}), 1);
  EXPECT_EQ(q->stage(1).reads[0].windows[0].lo, -4);
}

TEST(InlineStage, ComposesSamplings) {
  Stage a = point("a", {same(input())});
  Stage up = local("up", {{stage(0), {{0, 0, 1, 1, 2}, {1}}}});
  Stage up2 = local("up2", {{stage(1), {{0, 1, 3, 1, 2}, {1}}}});
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, {a, up, up2});
  Result<Pipeline> q = inline_stage(p, 1);
  ASSERT_TRUE(q);
  const Window& w = q->stage(1).reads[0].windows[0];
  EXPECT_EQ((std::vector<int64_t>{w.num, w.den, w.lo, w.hi}), (std::vector<int64_t>{1, 4, 1, 5}));
  Stage down = local("down", {{stage(1), {{0, 0, 0, 2}, {1}}}});
  EXPECT_TRUE(inline_stage(examples::pipeline(p.inputs(), {a, up, down}), 1));
  Stage down3 = a;
  down3.reads = {{input(), {{0, 0, 0, 3}, {1}}}};
  up.reads[0].source = stage(0);
  EXPECT_FALSE(inline_stage(examples::pipeline(p.inputs(), {down3, up}), 0));
}

TEST(Greedy, HasHarrisAndUnsharpInOneKernel) {
  Pipeline p = examples::harris();
  Decision d = partition(p, turing, Strategy::Greedy);
  EXPECT_EQ(text(p, d.partition), "{dx, dy, sx, sxy, sy, gx, gxy, gy, hc}");
  EXPECT_EQ(d.partition.inlined, (std::vector<size_t>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(d.trace.lines.back(), "{dx, dy, hc}: tile 14x14, 16x16 threads, 2048 bytes shared, occupancy 1.00");
  Pipeline q = examples::unsharp();
  EXPECT_EQ(text(q, partition(q, turing, Strategy::Greedy).partition), "{blur, high, scaled, sharp}");
}

TEST(Greedy, LeavesStagesThatAreReadInSeveralGroupsAlone) {
  std::vector<Stage> stages{local("a", {around(input(), {1, 1})}), local("b", {around(stage(0), {1, 1})}),
                            local("c", {around(stage(0), {1, 1})})};
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, stages);
  EXPECT_EQ(text(p, partition(p, turing, Strategy::Greedy).partition), "{a} {b} {c}");
}

TEST(Greedy, DoesNotInlineWhatReadsWholeImages) {
  Stage sum = point("sum", {{input(), {{{}, 0, 2047}, {{}, 0, 2047}}}}, 1);
  sum.kind = StageKind::Global;
  sum.domain = {{0, 0}};
  std::vector<Stage> stages{sum, point("shifted", {same(input()), {stage(0), {{{}, 0, 0}}}})};
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, stages);
  EXPECT_TRUE(partition(p, turing, Strategy::Greedy).partition.inlined.empty());
}

// Unlike overlapped tiles, a cheap point is in both kernels that read it.
TEST(Greedy, HasInlinedStagesInAllGroupsThatReadThem) {
  std::vector<Stage> stages{point("a", {same(input())}), local("b", {around(stage(0), {1, 1})}),
                            local("c", {around(stage(0), {1, 1})})};
  Pipeline p = examples::pipeline({{"img", examples::size(2048, 2048)}}, stages);
  EXPECT_EQ(text(p, partition(p, turing, Strategy::Greedy).partition), "{a, b} {a, c}");
}

}  // namespace
}  // namespace heddle::stencil
