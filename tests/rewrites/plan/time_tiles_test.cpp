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

// The evaluator finds races, missing barriers, and reads of what nobody wrote. The second round is a rest.
TEST(TimeTiles, ThreadsWaitForEachOther) {
  seg::Program program = iterated();
  Result<host::Program> built = host::build(planned({.device = Device::Blocks, .time_tile = 3}), {true});
  ASSERT_TRUE(built);
  Result<host::Program> final = host::run_passes(*built, {true});
  ASSERT_TRUE(final);
  auto elements = std::make_shared<std::vector<int64_t>>();
  for (int i = 0; i < 6 * 7; ++i) elements->push_back(seg::to_cell(prim::Value::i32(i * i % 11)));
  seg::TypedValue image{seg::Array{prim::Type::I32, {6, 7}, elements}},
      line{seg::Array{prim::Type::I32, {42}, elements}};
  auto expect_same = [&](const std::string& entry, const std::vector<seg::TypedValue>& inputs) {
    seg::EvalOptions options;
    options.max_steps = 100'000'000;
    seg::EvalResult expected = seg::evaluate(program, entry, inputs, options);
    seg::EvalResult actual = host::evaluate(*final, entry, inputs, options);
    ASSERT_EQ(expected.outcome, seg::Outcome::Ok) << expected.message;
    ASSERT_EQ(actual.outcome, seg::Outcome::Ok) << actual.message;
    for (size_t k = 0; k < expected.values.size(); ++k)
      EXPECT_EQ(seg::to_text(actual.values[k].value), seg::to_text(expected.values[k].value)) << entry;
  };
  expect_same("fixed", {{prim::Value::i64(4)}, image});
  expect_same("pairs", {{prim::Value::i64(4)}, image, image});
  expect_same("counted", {{prim::Value::i64(4)}, line});
}

}  // namespace
}  // namespace heddle::lower
