// Which operations become one kernel, and which stay apart because too much would be computed again.
#include <gtest/gtest.h>

#include <map>

#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/plan/host_ops.h"
#include "tests/golden/golden.h"
#include "tests/rewrites/planned.h"

namespace heddle::lower {
namespace {

PlannedProgram planned_with(const std::string& name, stencil::Strategy strategy, const stencil::Models& models = {}) {
  KernelOptions options;
  options.verify = true;
  options.for_blocks();
  options.plan.fusion = strategy;
  options.plan.models = models;
  return planned(test_program(name), options);
}

// With tiles whatever the image's size.
stencil::Models tiles_alone() {
  stencil::Models models;
  stencil::find_part("walks")->leave_out(models);
  return models;
}

// How many kernels each entry point launches.
std::map<std::string, size_t> kernels(const std::string& name, stencil::Strategy strategy) {
  PlannedProgram program = planned_with(name, strategy, tiles_alone());
  std::map<std::string, size_t> count;
  for (const HostOp& op : host_ops(program)) count[op.entry] += op.lowered->launches.size();
  return count;
}

// The kernels of an entry point.
std::string texts(const std::string& name, const std::string& entry, stencil::Strategy strategy,
                  const stencil::Models& models = {}) {
  PlannedProgram program = planned_with(name, strategy, models);
  std::string text;
  for (const HostOp& op : host_ops(program)) {
    if (op.entry != entry) continue;
    for (const Launch& l : op.lowered->launches) text += nest::to_text(l.kernel);
  }
  return text;
}

// Far from the borders nothing is left of them, and a thread has several rows.
TEST(FuseStages, ByStripsOfPoints) {
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/one_group.nest",
                texts("fused_or_not.fut_gpu", "windows", stencil::Strategy::Largest));
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/apart.nest",
                texts("fused_or_not.fut_gpu", "windows", stencil::Strategy::None));
}

// Each warp has a part of the shared memory, and waits for nobody else.
TEST(FuseStages, IntoTilesOfWarps) {
  stencil::Models models;
  models.fit.scope = stencil::TileScope::Warp;
  const std::string text = texts("fused_or_not.fut_gpu", "windows", stencil::Strategy::Largest, models);
  EXPECT_EQ(text.find("barrier;"), std::string::npos);
  EXPECT_NE(text.find("barrier (warp);"), std::string::npos);
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/one_group_by_warps.nest", text);
}

// Of warps' tiles the right part stays in registers: the more of it does, the less shared memory is needed, and the more lanes ask each other.
TEST(FuseStages, IntoHybridTiles) {
  struct Counts {
    int64_t shared = 0, shuffles = 0;
  };
  auto counted = [](const char* entry, double in_registers) {
    stencil::Models models;
    models.fit.scope = stencil::TileScope::Hybrid;
    models.fit.hybrid.in_registers = in_registers;
    PlannedProgram program = planned_with("stages.fut_gpu", stencil::Strategy::Largest, models);
    Counts counts;
    for (const HostOp& op : host_ops(program)) {
      if (op.entry != entry) continue;
      for (const Launch& l : op.lowered->launches) {
        nest::for_each_stmt(l.kernel.body, [&](const nest::Stmt& s) {
          counts.shuffles += std::holds_alternative<nest::Shuffle>(s->node);
          const auto* barrier = std::get_if<nest::Barrier>(&s->node);
          EXPECT_TRUE(!barrier || barrier->scope == nest::Scope::Warp);
          const auto* alloc = std::get_if<nest::Alloc>(&s->node);
          if (!alloc || alloc->buffer.space != nest::Space::Shared) return;
          int64_t bytes = prim::size_bytes(alloc->buffer.elem);
          for (const nest::Expr& d : alloc->buffer.dims) bytes *= *nest::int_constant(d);
          counts.shared += bytes;
        });
      }
    }
    return counts;
  };
  const Counts none = counted("wrapped", 0), some = counted("wrapped", 0.25), half = counted("wrapped", 0.5),
               all = counted("wrapped", 1);
  EXPECT_EQ(none.shuffles, 0);
  EXPECT_GT(none.shared, some.shared);
  EXPECT_GT(some.shared, half.shared);
  EXPECT_GT(half.shared, all.shared);
  EXPECT_GT(some.shuffles, 0);
  EXPECT_EQ(half.shuffles, 2 * some.shuffles);
  EXPECT_EQ(all.shuffles, 4 * some.shuffles);
  // Rows are the lane's own.
  EXPECT_EQ(counted("clamped", 1).shuffles, 0);
  // Sampled stages have tiles of warps, all in shared memory.
  EXPECT_EQ(counted("sampled", 0.5).shuffles, 0);
  EXPECT_GT(counted("sampled", 0.5).shared, 0);
}

TEST(FuseStages, IntoHybridTilesOfOneTurn) {
  stencil::Models models;
  models.fit.scope = stencil::TileScope::Hybrid;
  models.fit.hybrid.shapes = {{64, 2}};
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/wrapped_hybrid.nest",
                texts("stages.fut_gpu", "wrapped", stencil::Strategy::Largest, models));
}

// Rows stay in registers where columns are read alone, without a barrier then; else they lie in shared memory, with one for each step.
TEST(FuseStages, IntoStreams) {
  stencil::Models models;
  models.fit.scope = stencil::TileScope::Stream;
  const std::string columns = texts("fused_or_not.fut_gpu", "windows", stencil::Strategy::Largest, models);
  EXPECT_EQ(columns.find("barrier"), std::string::npos);
  EXPECT_EQ(columns.find("shared"), std::string::npos);
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/one_group_streamed.nest", columns);
  PlannedProgram program = planned_with("stages.fut_gpu", stencil::Strategy::Largest, models);
  size_t barriers = 0, loops = 0;
  for (const HostOp& op : host_ops(program)) {
    if (op.entry != "weighted") continue;
    for (const Launch& l : op.lowered->launches) {
      nest::for_each_stmt(l.kernel.body, [&](const nest::Stmt& s) {
        barriers += std::holds_alternative<nest::Barrier>(s->node);
        const auto* loop = std::get_if<nest::For>(&s->node);
        loops += loop && loop->index.base == "step";
      });
    }
  }
  EXPECT_EQ(loops, 1);
  EXPECT_EQ(barriers, 1);
}

// Of images without borders: warps of large ones walk, each lane with rows of its own in registers, and what it reads under way in shared memory;
// small ones have tiles. One of the two kernels has no blocks.
TEST(FuseStages, IntoWalksOfLargeImages) {
  PlannedProgram program = planned_with("stages.fut_gpu", stencil::Strategy::Largest);
  size_t walks = 0;
  for (const HostOp& op : host_ops(program)) {
    if (op.lowered->launches.size() != 2 || op.lowered->recipe.find("group") == std::string::npos) continue;
    const Launch &walk = op.lowered->launches[0], &tiles = op.lowered->launches[1];
    ++walks;
    EXPECT_NE(walk.kernel.name.find("_walk"), std::string::npos);
    const auto *large = std::get_if<nest::Select>(&walk.num_blocks->node),
               *small = std::get_if<nest::Select>(&tiles.num_blocks->node);
    ASSERT_TRUE(large && small);
    EXPECT_TRUE(nest::equal(large->condition, nest::negate(small->condition)));
    size_t barriers = 0, shuffles = 0, copies = 0;
    nest::for_each_stmt(walk.kernel.body, [&](const nest::Stmt& s) {
      barriers += std::holds_alternative<nest::Barrier>(s->node);
      shuffles += std::holds_alternative<nest::Shuffle>(s->node);
      copies += std::holds_alternative<nest::AsyncCopy>(s->node);
    });
    EXPECT_EQ(barriers, 0U);
    EXPECT_GT(copies, 0U);
    EXPECT_GT(shuffles, 0U) << op.entry;
  }
  EXPECT_GT(walks, 0U);
}

// What is left out changes the text, and nothing else (Papers.ComputeTheSameInEachWay).
TEST(FuseStages, WithoutAPart) {
  const std::string with = texts("fused_or_not.fut_gpu", "windows", stencil::Strategy::Largest);
  stencil::Models models;
  stencil::find_part("partitioned-borders")->leave_out(models);
  EXPECT_NE(texts("fused_or_not.fut_gpu", "windows", stencil::Strategy::Largest, models), with);
  EXPECT_FALSE(stencil::find_part("nothing"));
}

TEST(FuseStages, WhereLittleIsComputedAgain) {
  EXPECT_EQ(kernels("fused_or_not.fut_gpu", stencil::Strategy::None),
            (std::map<std::string, size_t>{{"windows", 2}, {"rows", 2}, {"dear_rows", 2}}));
  EXPECT_EQ(kernels("fused_or_not.fut_gpu", stencil::Strategy::Largest),
            (std::map<std::string, size_t>{{"windows", 1}, {"rows", 2}, {"dear_rows", 2}}));
}

// Of each entry point, the last two operations are stages that become one kernel. `table` makes a table before; channels in front are none of the tile's dimensions.
TEST(FuseStages, WhateverBordersAndLayoutsAreLike) {
  EXPECT_EQ(kernels("stages.fut_gpu", stencil::Strategy::Largest), (std::map<std::string, size_t>{
                                                                       {"clamped", 1},
                                                                       {"clamped_below", 1},
                                                                       {"mirrored", 1},
                                                                       {"wrapped", 1},
                                                                       {"wrapped_by_choice", 1},
                                                                       {"constant", 1},
                                                                       {"guarded", 1},
                                                                       {"table", 2},
                                                                       {"by_data", 1},
                                                                       {"pairs", 1},
                                                                       {"channels_last", 1},
                                                                       {"channels_first", 1},
                                                                       {"weighted", 1},
                                                                       {"sampled", 1},
                                                                       {"by_functions", 1},
                                                                   }));
}

// What would be contractions by themselves, where they are filters and have something to be fused with.
TEST(FuseStages, OfFiltersByArraysOfTaps) {
  const std::map<std::string, size_t> fused = {{"zeros", 1},  {"valid", 1}, {"both", 1},
                                               {"pooled", 1}, {"alone", 1}, {"many", 2}};
  EXPECT_EQ(kernels("filters.fut_gpu", stencil::Strategy::Largest), fused);
  PlannedProgram program = planned_with("filters.fut_gpu", stencil::Strategy::Largest);
  for (const HostOp& op : host_ops(program))
    EXPECT_EQ(!op.lowered->specialized.empty(), op.entry == "alone" || op.entry == "many") << op.entry;
}

// Cheap images that several stages read are not stored, unless it is for others; so are dear ones.
TEST(FuseStages, ThatSeveralOthersCompute) {
  using Kernels = std::map<std::string, size_t>;
  EXPECT_EQ(kernels("computed_by_readers.fut_gpu", stencil::Strategy::Largest),
            (Kernels{{"cheap", 2}, {"extended", 2}, {"of_pairs", 2}, {"dear", 3}, {"returned", 3}, {"summed", 4}}));
  EXPECT_EQ(kernels("computed_by_readers.fut_gpu", stencil::Strategy::MinCut),
            (Kernels{{"cheap", 3}, {"extended", 3}, {"of_pairs", 3}, {"dear", 3}, {"returned", 3}, {"summed", 4}}));
}

// Images that go on beside the last one are stored by its kernel, where tiles cover them and nobody needs them before; by default those of
// its size.
// The loop's are one for several steps, and one for each that is left.
TEST(FuseStages, MayLeaveSeveralImages) {
  EXPECT_EQ(kernels("several_outputs.fut_gpu", stencil::Strategy::Largest),
            (std::map<std::string, size_t>{{"both", 1},
                                           {"accumulated", 2},
                                           {"larger", 2},
                                           {"halved", 2},
                                           {"doubled", 2},
                                           {"column", 1},
                                           {"diagonal", 2},
                                           {"in_turn", 3},
                                           {"far", 2}}));
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/several_outputs.nest",
                texts("several_outputs.fut_gpu", "both", stencil::Strategy::Largest));
}

// What is read at the point, in layers that are known, is in no shared memory: `gray` and `alpha` have a tile of rows alone.
TEST(FuseStages, KeepInRegistersWhatLayersHaveInCommon) {
  const std::map<std::string, size_t> expected = {{"gray", 1}, {"alpha", 1}, {"by_data", 2}, {"moved", 2}};
  PlannedProgram program = planned_with("colours.fut_gpu", stencil::Strategy::Largest);
  std::map<std::string, size_t> tiles;
  for (const HostOp& op : host_ops(program)) {
    for (const Launch& l : op.lowered->launches) {
      nest::for_each_stmt(l.kernel.body, [&](const nest::Stmt& s) {
        const auto* alloc = std::get_if<nest::Alloc>(&s->node);
        tiles[op.entry] += alloc && alloc->buffer.space == nest::Space::Shared;
      });
    }
  }
  EXPECT_EQ(tiles, expected);
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/colours.nest", texts("colours.fut_gpu", "gray", stencil::Strategy::Largest));
}

struct Found {
  std::string recipe;
  int tiles = 0, barriers = 0;
  bool operator==(const Found&) const = default;
};

// What the only kernel of each entry point has.
std::map<std::string, Found> found_in(const std::string& name, const stencil::Models& models = {}) {
  PlannedProgram program = planned_with(name, stencil::Strategy::Largest, models);
  std::map<std::string, Found> found;
  for (const HostOp& op : host_ops(program)) {
    for (const Launch& l : op.lowered->launches) {
      Found& here = found[op.entry];
      here.recipe += op.lowered->recipe.substr(0, op.lowered->recipe.find(':'));
      nest::for_each_stmt(l.kernel.body, [&](const nest::Stmt& s) {
        const auto* alloc = std::get_if<nest::Alloc>(&s->node);
        here.tiles += alloc && alloc->buffer.space == nest::Space::Shared;
        here.barriers += std::holds_alternative<nest::Barrier>(s->node);
      });
    }
  }
  return found;
}

// Stages that a thread reads in its own column alone it computes itself, where it has several columns at once; what only says where in a
// tile elements are is no stage of its own. Stages that need nothing of each other do not wait for each other; each barrier is there twice,
// inside and at borders.
TEST(FuseStages, WithoutTilesThatAreNotNeeded) {
  EXPECT_EQ(found_in("columns.fut_gpu", tiles_alone()),
            (std::map<std::string, Found>{{"narrow", {"strips of points", 0, 0}},
                                          {"narrow_pair", {"strips of points", 0, 0}},
                                          {"wide", {"group of stages", 1, 2}},
                                          {"turned", {"group of stages", 1, 2}},
                                          {"mosaic", {"group of stages", 3, 4}}}));
  EXPECT_GOLDEN("rewrites/plan/fuse_stages/narrow.nest",
                texts("columns.fut_gpu", "narrow", stencil::Strategy::Largest));
  stencil::Models models = tiles_alone();
  models.dissolve_in_groups = false;
  EXPECT_EQ(found_in("columns.fut_gpu", models),
            (std::map<std::string, Found>{{"narrow", {"group of stages", 1, 2}},
                                          {"narrow_pair", {"group of stages", 1, 2}},
                                          {"wide", {"group of stages", 1, 2}},
                                          {"turned", {"group of stages", 1, 2}},
                                          {"mosaic", {"group of stages", 4, 6}}}));
}

// As many as what they read has room for in registers.
TEST(FuseStages, RowsThatShare) {
  PlannedProgram program = planned_with("columns.fut_gpu", stencil::Strategy::Largest, tiles_alone());
  std::map<std::string, int64_t> rows;
  for (const HostOp& op : host_ops(program)) {
    if (op.lowered->recipe != "strips of points") continue;
    nest::for_each_stmt(op.lowered->launches[0].kernel.body, [&](const nest::Stmt& s) {
      const auto* loop = std::get_if<nest::For>(&s->node);
      if (!loop || loop->index.base != "row") return;
      const std::optional<int64_t> times = nest::int_constant(loop->extent);
      rows[op.entry] = std::max(rows[op.entry], times.value_or(0));
    });
  }
  EXPECT_EQ(rows, (std::map<std::string, int64_t>{{"narrow", 18}, {"narrow_pair", 10}}));
}

// A stage that reads another's result by both of its names reads one array.
TEST(FuseStages, ThatAreReadByTwoNames) {
  PlannedProgram program = planned_with("two_names.fut_gpu", stencil::Strategy::Largest);
  for (const HostOp& op : host_ops(program)) {
    for (const Launch& l : op.lowered->launches) EXPECT_EQ(l.kernel.buffers.size(), 2);
  }
}

// Steps that nothing can be fused with, because they put layers in their places, have several points in a thread, too.
TEST(FuseStages, ByThemselvesMayUpdateArrays) {
  PlannedProgram program = planned_with("layers.fut_gpu", stencil::Strategy::Largest);
  std::map<std::string, int> of_strips;
  for (const HostOp& op : host_ops(program)) of_strips[op.entry] += op.lowered->recipe == "strips of points";
  // What is scattered, but not where it goes.
  EXPECT_EQ(of_strips, (std::map<std::string, int>{{"main", 2}, {"at_places", 1}}));
}

// What the kernel of a group does not check the host does, where the kernel is launched.
TEST(FuseStages, WithChecksByTheHost) {
  PlannedProgram program = planned_with("stages.fut_gpu", stencil::Strategy::Largest);
  for (const HostOp& op : host_ops(program)) {
    for (const Launch& l : op.lowered->launches) {
      bool depends_on_sizes = op.entry == "sampled" || op.entry == "mirrored";
      EXPECT_EQ(l.checks.empty(), !depends_on_sizes) << op.entry;
      for (const HostCheck& c : l.checks) EXPECT_LT(static_cast<size_t>(c.failure), program.failures.size());
    }
  }
}

}  // namespace
}  // namespace heddle::lower
