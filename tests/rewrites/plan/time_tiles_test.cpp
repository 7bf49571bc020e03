// Which loops run several steps in a kernel, and what is said about it.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "ir/host/eval.h"
#include "ir/seg/host_stms.h"
#include "rewrites/host/build.h"
#include "rewrites/host/passes.h"

namespace heddle::lower {
namespace {

seg::Program iterated() {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/iterated.fut_gpu");
  std::stringstream text;
  text << file.rdbuf();
  Result<seg::Program> program = read_program(text.str(), "iterated.fut_gpu");
  if (!program) throw std::runtime_error(program.error().message);
  return std::move(*program);
}

PlannedProgram planned(const PlanOptions& plan) {
  KernelOptions options;
  options.verify = true;
  options.plan = plan;
  Result<PlannedProgram> result = compile_kernels(iterated(), options);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

// What was decided last about the loop of each entry point.
std::map<std::string, std::string> decisions(const PlanOptions& plan) {
  PlannedProgram program = planned(plan);
  std::map<std::string, std::string> decided;
  for (const seg::FunDef& f : program.program.functions) {
    seg::for_each_host_stm(f.body->stms, [&](const seg::StmPtr& s) {
      auto loop = program.loops.find(s.get());
      if (loop != program.loops.end()) decided[f.entry->name] = loop->second.back();
    });
  }
  return decided;
}

TEST(TimeTiles, OfLoopsWhoseStepsAreStages) {
  std::map<std::string, std::string> decided = decisions({.device = Device::Blocks});
  for (const char* entry : {"fixed", "counted", "pairs", "stages", "until"})
    EXPECT_TRUE(decided[entry].starts_with("time tile of ")) << entry << ": " << decided[entry];
  for (const char* entry : {"summed", "gathered"})
    EXPECT_TRUE(decided[entry].starts_with("no time tile: ")) << entry << ": " << decided[entry];
}

TEST(TimeTiles, OfAsManyStepsAsAreAskedFor) {
  EXPECT_EQ(decisions({.device = Device::Blocks, .time_tile = 5})["fixed"], "time tile of 5 steps, as was asked for");
  EXPECT_EQ(decisions({.device = Device::Blocks, .time_tile = 1})["fixed"], "no time tile, as was asked for");
}

TEST(TimeTiles, NoneWhereNothingIsFused) {
  EXPECT_TRUE(decisions({.device = Device::Blocks, .fusion = stencil::Strategy::None}).empty());
  EXPECT_TRUE(decisions({.device = Device::Threads}).empty());
}

// The evaluator finds races, missing barriers, and reads of what nobody wrote.
void expect_same(const PlanOptions& plan, int64_t h, int64_t w, int64_t steps,
                 const std::vector<std::string>& entries) {
  seg::Program program = iterated();
  Result<host::Program> built = host::build(planned(plan), {true});
  ASSERT_TRUE(built);
  Result<host::Program> final = host::run_passes(*built, {true});
  ASSERT_TRUE(final);
  // Numbers from `least` on.
  auto elements = [](std::vector<int64_t> shape, int64_t least) {
    seg::Array a{prim::Type::I32, std::move(shape), std::make_shared<std::vector<int64_t>>()};
    for (int64_t i = 0; i < *seg::element_count(a.shape); ++i)
      a.cells->push_back(seg::to_cell(prim::Value::i32(static_cast<int32_t>(i * i % 11 + least))));
    return seg::TypedValue{a};
  };
  const seg::TypedValue n{prim::Value::i64(steps)}, image = elements({h, w}, 0), line = elements({h * w}, 0);
  const std::map<std::string, std::vector<seg::TypedValue>> inputs = {
      {"fixed", {n, image}},
      {"pairs", {n, image, image}},
      {"stages", {n, image}},
      {"counted", {n, line}},
      {"looked_up", {n, elements({h, w}, 1), elements({121}, 1)}}};
  for (const std::string& entry : entries) {
    seg::EvalOptions options;
    options.max_steps = 500'000'000;
    seg::EvalResult expected = seg::evaluate(program, entry, inputs.at(entry), options);
    seg::EvalResult actual = host::evaluate(*final, entry, inputs.at(entry), options);
    ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
    ASSERT_EQ(actual.outcome, seg::Outcome::Ok) << entry << ": " << actual.message;
    for (size_t k = 0; k < expected.values.size(); ++k)
      EXPECT_EQ(seg::to_text(actual.values[k].value), seg::to_text(expected.values[k].value)) << entry;
  }
}

// The second round is a rest.
TEST(TimeTiles, ThreadsWaitForEachOther) {
  expect_same({.device = Device::Blocks, .time_tile = 3}, 6, 7, 4, {"fixed", "pairs", "counted"});
}

PlanOptions walked(int64_t steps) {
  PlanOptions plan{.device = Device::Blocks, .time_tile = steps};
  plan.models.fit.scope = stencil::TileScope::Walk;
  return plan;
}

PlanOptions streamed(int64_t steps) {
  PlanOptions plan = walked(steps);
  plan.models.fit.scope = stencil::TileScope::Stream;
  return plan;
}

TEST(TimeTiles, MayStream) {
  std::map<std::string, std::string> blocks = decisions(streamed(2)), warps = decisions(walked(2));
  for (const char* entry : {"fixed", "pairs", "stages"}) {
    EXPECT_EQ(blocks[entry], "time tile of 2 steps that stream, as was asked for") << entry;
    EXPECT_EQ(warps[entry], "time tile of 2 steps that warps walk, as was asked for") << entry;
  }
  EXPECT_EQ(blocks["counted"], "time tile of 2 steps, as was asked for");
  EXPECT_EQ(warps["counted"], "time tile of 2 steps, as was asked for");
}

const std::vector<std::pair<int64_t, int64_t>> kSmallImages = {{11, 37}, {1, 1}, {2, 50}, {19, 3}};

// Several segments of several strips, and images smaller than either.
TEST(TimeTiles, StreamsComputeWhatStepsDo) {
  PlanOptions small = streamed(3);
  small.models.fit.stream = {.threads = 24, .steps = {2, 1}, .most_beside = 0.9, .blocks = 1000, .least_segment = 4};
  for (const auto& [h, w] : kSmallImages) expect_same(small, h, w, 4, {"fixed", "pairs", "stages"});
  expect_same(streamed(2), 37, 270, 2, {"fixed"});
}

TEST(TimeTiles, WarpsWalkAsStepsDo) {
  for (int64_t columns : {1, 2, 4}) {
    PlanOptions small = walked(3);
    small.models.fit.walk.columns = {columns};
    small.models.fit.walk.least_segment = 4;
    for (const auto& [h, w] : kSmallImages) expect_same(small, h, w, 4, {"fixed", "pairs", "stages"});
    expect_same(small, 41, 32 * columns * 2 + 21, 4, {"fixed", "pairs", "stages"});
  }
  expect_same(walked(8), 37, 268, 11, {"fixed"});
  expect_same(walked(16), 50, 132, 16, {"fixed"});
}

// Streams compute points beside the image from nothing.
TEST(TimeTiles, OnlyPointsThatAreNeededReadWhereImagesSay) {
  PlanOptions tiled{.device = Device::Blocks, .time_tile = 3}, of_warps = tiled, hybrid = tiled;
  of_warps.models.fit.scope = stencil::TileScope::Warp;
  hybrid.models.fit.scope = stencil::TileScope::Hybrid;
  for (const PlanOptions& plan : {walked(3), streamed(3), tiled, of_warps, hybrid}) {
    const std::string decided = decisions(plan)["looked_up"];
    SCOPED_TRACE(decided);
    EXPECT_TRUE(decided.starts_with("time tile of 3 steps"));
    expect_same(plan, 70, 150, 7, {"looked_up"});
  }
}

}  // namespace
}  // namespace heddle::lower
