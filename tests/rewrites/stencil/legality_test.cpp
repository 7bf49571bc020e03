// Occupancy, and one group for each of Hipacc's rules that breaks it alone.
#include "rewrites/stencil/legality.h"

#include <gtest/gtest.h>

#include "rewrites/stencil/occupancy.h"
#include "tests/rewrites/stencil/small_pipelines.h"

namespace heddle::stencil {
namespace {

using namespace examples;  // NOLINT: test vocabulary

const Device& kepler = *find_device("K20c");

TEST(Occupancy, OfKeplerIsAsInTheThesis) {
  EXPECT_EQ(occupancy(kepler, {128, 32, 0}), 1);
  EXPECT_EQ(occupancy(kepler, {128, 18, 0}), 1);
  EXPECT_EQ(occupancy(kepler, {128, 40, 0}), 0.75);
  EXPECT_EQ(occupancy(kepler, {128, 63, 0}), 0.5);
}

TEST(Occupancy, IsLimitedByEachResource) {
  const Device& pascal = *find_device("GTX 1080 Ti");
  EXPECT_EQ(occupancy(pascal, {256, 0, 16448}), 0.625);  // PolyMage-GPU, section 5: blur with tiles of 16
  EXPECT_EQ(occupancy(pascal, {256, 32, 8256}), 1);
  EXPECT_EQ(occupancy(pascal, {32, 0, 0}), 0.25);  // 16 blocks
  EXPECT_EQ(resident_blocks(pascal, {2048, 0, 0}), 0);
  EXPECT_EQ(resident_blocks(pascal, {128, 300, 0}), 0);
  EXPECT_EQ(resident_blocks(pascal, {128, 0, 49 * kKiB}), 0);
}

Pipeline of(std::vector<Stage> stages) {
  return examples::pipeline({{"img", examples::size(2048, 2048)}, {"other", examples::size(2048, 2048)}},
                            std::move(stages));
}

std::string why(const Pipeline& p, const Group& g, const HipaccModel& model = {}) {
  return why_illegal(p, kepler, model, g).value_or("legal");
}

TEST(Legality, AllowsChainsAndSharedInputs) {
  EXPECT_EQ(why(of({point("a", {same(input())}), point("b", {same(stage(0)), same(input())})}), {{0, 1}}), "legal");
  EXPECT_EQ(why(examples::sobel(), {{0, 1, 2}}), "legal");
}

TEST(Legality, ForbidsExternalOutputs) {
  Pipeline p = of({point("a", {same(input())}), point("b", {same(stage(0))}), point("c", {same(stage(0))})});
  EXPECT_EQ(why(p, {{0, 1}}), "external output: a is read outside");
  std::vector<Stage> stages = p.stages();
  stages.pop_back();
  EXPECT_EQ(why(of(stages), {{0, 1}}), "legal");
  stages[0].live_out = true;
  EXPECT_EQ(why(of(stages), {{0, 1}}), "external output: a is read outside");
}

TEST(Legality, ForbidsExternalInputs) {
  Pipeline p = of({point("a", {same(input())}), point("b", {same(stage(0)), same(input(1))})});
  EXPECT_EQ(why(p, {{0, 1}}), "external input: no stage that begins it reads all of its inputs");
}

TEST(Legality, ForbidsWhatDoesNotHangTogether) {
  EXPECT_EQ(why(of({point("a", {same(input())}), point("b", {same(input())})}), {{0, 1}}),
            "its stages do not hang together");
}

Read at(Source source, int64_t lo, int64_t hi, int64_t num = 1) { return {source, {{0, 0, 0}, {1, lo, hi, num}}}; }

TEST(Legality, ForbidsOtherHeaders) {
  Stage a = point("a", {same(input())});
  EXPECT_EQ(why(of({a, point("b", {at(stage(0), 1, 1)})}), {{0, 1}}), "header: b reads a at an offset");
  EXPECT_EQ(why(of({a, local("b", {at(stage(0), 0, 1)})}), {{0, 1}}), "legal");
  EXPECT_EQ(why(of({a, point("b", {at(stage(0), 0, 0, 2)})}), {{0, 1}}), "header: b reads a with a stride");
  Stage b = point("b", {same(stage(0))});
  b.domain = examples::size(2048, 1024);
  EXPECT_EQ(why(of({a, b}), {{0, 1}}), "header: a and b differ in size");
}

TEST(Legality, ForbidsGlobalReaders) {
  Stage sum = point("sum", {same(stage(0))});
  sum.kind = StageKind::Global;
  EXPECT_EQ(why(of({point("a", {same(input())}), sum}), {{0, 1}}), "header: sum reads whole images");
}

TEST(Legality, ForbidsMuchMoreSharedMemory) {
  // Each window stages (32 + 2) * (4 + 2) elements; of the five, all lie in chains of two.
  EXPECT_EQ(why(examples::harris(), whole(examples::harris())),
            "resources: shared memory 4080 bytes, more than 2 times 816");
  HipaccModel generous;
  generous.most_shared = 5;
  EXPECT_EQ(why(examples::harris(), whole(examples::harris()), generous), "legal");
}

TEST(Legality, ForbidsMuchLessOccupancy) {
  HipaccModel model;
  model.resources = HipaccModel::Resources::Occupancy;
  std::vector<Stage> stages{local("a", {around(input(), {0, 64})}), local("b", {around(stage(0), {64, 64})})};
  EXPECT_EQ(why(of(stages), {{0, 1}}, model), "resources: occupancy 0.000, less than 0.5 of 1.000");
  stages[1].reads = {around(stage(0), {0, 64})};
  EXPECT_EQ(why(of(stages), {{0, 1}}, model), "legal");
  model.least_occupancy = 1;
  stages[1].reads = {around(stage(0), {8, 64})};
  EXPECT_EQ(why(of(stages), {{0, 1}}, model), "resources: occupancy 0.188, less than 1 of 1.000");
}

}  // namespace
}  // namespace heddle::stencil
