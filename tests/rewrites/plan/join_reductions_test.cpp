// Reductions of what stages compute, in the kernels of these: which, and that they yield what the program does.
#include "rewrites/plan/join_reductions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ir/seg/host_stms.h"
#include "tests/rewrites/evaluated_kernels.h"

namespace heddle::lower {
namespace {

KernelOptions options_for(std::optional<int64_t> time_tile = {}) {
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  options.plan.time_tile = time_tile;
  return options;
}

// How many stages of the entry point fold, and what was decided about its first loop.
struct Seen {
  int joined = 0;
  std::string loop;
};
Seen seen(const PlannedProgram& program, const std::string& entry) {
  Seen result;
  for (const seg::FunDef& f : program.program.functions) {
    if (f.entry->name != entry) continue;
    seg::for_each_host_stm(f.body->stms, [&](const seg::StmPtr& s) {
      auto plan = program.plans.find(s.get());
      if (plan != program.plans.end() && plan->second.launches.size() == 2 && !plan->second.temporaries.empty())
        result.joined += static_cast<int>(plan->second.temporaries.size());
      auto loop = program.loops.find(s.get());
      if (loop != program.loops.end() && result.loop.empty()) result.loop = loop->second.back();
    });
  }
  return result;
}

TEST(JoinReductions, OfWhatStagesComputeAtTheirPoints) {
  const PlannedProgram program = planned(test_program("reduced_stages.fut_gpu"), options_for());
  EXPECT_EQ(seen(program, "alone").joined, 1);
  EXPECT_EQ(seen(program, "volume").joined, 1);
  EXPECT_EQ(seen(program, "grouped").joined, 3);  // values
  EXPECT_EQ(seen(program, "scaled").joined, 1);
  EXPECT_EQ(seen(program, "ordered").joined, 0);
}

TEST(JoinReductions, OnlyByDefault) {
  KernelOptions options = options_for();
  options.plan.fusion = stencil::Strategy::None;
  EXPECT_EQ(seen(planned(test_program("reduced_stages.fut_gpu"), options), "alone").joined, 0);
}

TEST(JoinReductions, LoopsThatDecideByThemTakeSeveralSteps) {
  const PlannedProgram program = planned(test_program("reduced_stages.fut_gpu"), options_for(3));
  for (const char* entry : {"settled", "steady", "while_any", "masked"}) {
    EXPECT_EQ(seen(program, entry).loop, "time tile of 3 steps, as was asked for") << entry;
    EXPECT_EQ(seen(program, entry).joined, 3 + 1) << entry;
  }
  EXPECT_TRUE(seen(program, "indexed").loop.starts_with("no time tile: ")) << seen(program, "indexed").loop;
  for (const char* entry : {"unchecked", "guarded", "directed"}) {
    EXPECT_EQ(seen(program, entry).loop,
              "no time tile: a step that there may be too many might read what does not exist")
        << entry;
  }
}

class Evaluated : public EvaluatedKernels, public testing::WithParamInterface<std::optional<int64_t>> {
 protected:
  Evaluated() : EvaluatedKernels("reduced_stages.fut_gpu", options_for(GetParam())) {}

  static seg::TypedValue floats(std::vector<int64_t> shape, int64_t nan_at = -1) {
    seg::Array a{prim::Type::F32, std::move(shape), nullptr};
    a.cells = std::make_shared<std::vector<int64_t>>();
    for (int64_t i = 0; i < *seg::element_count(a.shape); ++i) {
      const float value = i == nan_at ? std::nanf("") : static_cast<float>(i * i % 19);
      a.cells->push_back(seg::to_cell(prim::Value::f32(value)));
    }
    return {a};
  }
};

struct Shape {
  int64_t rows, columns;
};
// Empty, single points, smaller than tiles and around them.
constexpr Shape kShapes[] = {{0, 0}, {0, 5}, {4, 0}, {1, 1}, {2, 1}, {3, 7}, {33, 65}, {35, 130}};

TEST_P(Evaluated, OfAllShapes) {
  for (const Shape& s : kShapes) {
    SCOPED_TRACE(std::to_string(s.rows) + " x " + std::to_string(s.columns));
    for (const char* entry : {"alone", "grouped", "ordered", "scaled", "between"})
      expect_same(entry, {integers({s.rows, s.columns})});
    expect_same("volume", {integers({2, s.rows, s.columns})});
  }
}

// Loops that end before their first step, in each place of a round, and by counting.
TEST_P(Evaluated, OfAllNumbersOfSteps) {
  for (int32_t most : {0, 1, 2, 3, 4, 5, 7, 30}) {
    SCOPED_TRACE(std::to_string(most));
    expect_same("settled", {{prim::Value::i32(most)}, integers({5, 9})});
    expect_same("settled", {{prim::Value::i32(most)}, integers({0, 9})});
    expect_same("steady", {{prim::Value::i32(most)}, floats({6, 5})});
    expect_same("steady", {{prim::Value::i32(most)}, floats({6, 5}, 13)});
  }
  for (int32_t limit : {-99, 90, 91, 92, 93, 94, 95, 99})
    expect_same("while_any", {integers({3, 5}), {prim::Value::i32(limit)}});
  for (int32_t limit : {-99, 84, 86, 88, 91}) expect_same("masked", {{prim::Value::i32(limit)}, integers({5, 9})});
  expect_same("settled", {{prim::Value::i32(6)}, integers({35, 67})});
}

INSTANTIATE_TEST_SUITE_P(, Evaluated, testing::Values(std::nullopt, 1, 2, 3, 5), [](const auto& info) {
  return info.param ? std::to_string(*info.param) : std::string("model");
});

}  // namespace
}  // namespace heddle::lower
