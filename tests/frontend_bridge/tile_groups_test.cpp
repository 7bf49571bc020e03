// Fused stages as the host's block-level code: that it computes the same, reads back, and is taken by the host's own
// passes.
#include "frontend_bridge/tile_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontend_bridge/pipeline.h"
#include "ir/seg/has_checks.h"
#include "ir/seg/host_stms.h"
#include "ir/seg/printer.h"
#include "ir/seg/verify.h"
#include "tests/golden/golden.h"
#include "tests/need.h"
#include "tests/rewrites/seg/generated_inputs.h"
#include "tests/runtime_io/process.h"

namespace heddle {
namespace {

const std::string kTests = HEDDLE_SOURCE_DIR "/tests/";

seg::Program program_in(const std::string& file) {
  Result<seg::Program> program = load_as_written(kTests + file, {});
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  return program ? std::move(*program) : seg::Program{};
}

seg::Program tiled(const seg::Program& program) {
  Result<seg::Program> after = tile_groups(program);
  EXPECT_TRUE(after) << (after ? "" : after.error().message);
  return after ? std::move(*after) : seg::Program{};
}

int num_segmaps(const seg::Program& program, seg::LevelKind level) {
  int found = 0;
  seg::for_each_host_stm(program, [&](const seg::StmPtr& s) {
    const auto* op = std::get_if<seg::SegOp>(&s->exp);
    found += op && op->level.kind == level;
  });
  return found;
}

// Checks that the second is well-formed, reads back as what it is, and computes the same as the first.
void expect_same(const seg::Program& before, const seg::Program& after) {
  for (const seg::Problem& p : seg::verify(after)) ADD_FAILURE() << p.message;
  Result<seg::Program> again = read_program(seg::print(after), "printed");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == after);
  EXPECT_EQ(seg::print(*again), seg::print(after));  // names included, of which the comparison sees the tags
  size_t compared = 0;
  for (const seg::FunDef& f : before.functions) {
    if (!f.entry) continue;
    for (const std::vector<int64_t>& sizes : seg::kAwkwardSizes) {
      seg::Comparison c = seg::compare(before, after, f.entry->name, seg::generated_inputs(before, f, sizes));
      EXPECT_EQ(c.difference, "") << f.entry->name;
      compared += c.evaluated;
    }
  }
  EXPECT_GT(compared, 0u);
}

// A blur of rows, then of columns, of images with one row or column more than two tiles.
TEST(TileGroups, AreBlockLevelCodeWithSharedTilesAndRegisters) {
  seg::Program before = program_in("frontend_bridge/tile_groups/blur.fut_gpu");
  seg::Program after = tiled(before);
  EXPECT_GOLDEN("frontend_bridge/tile_groups/blur.fut_gpu", seg::print(after));
  expect_same(before, after);
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{65, 1}, {1, 129}, {33, 65}, {32, 64}, {31, 63}}) {
    const seg::FunDef& f = before.functions.at(0);
    seg::Comparison c = seg::compare(before, after, "main", seg::generated_inputs(before, f, sizes));
    EXPECT_EQ(c.difference, "");
    EXPECT_TRUE(c.evaluated);
  }
}

TEST(TileGroups, OfAllKindsOfStagesComputeTheSame) {
  for (const auto& [file, blocks] : {std::pair("rewrites/data/stages.fut_gpu", 12),
                                     {"frontend_bridge/papers.fut_gpu", 6},
                                     {"rewrites/data/fused_or_not.fut_gpu", 1}}) {
    SCOPED_TRACE(file);
    seg::Program before = program_in(file), after = tiled(before);
    EXPECT_EQ(num_segmaps(after, seg::LevelKind::Block), blocks);
    EXPECT_LT(num_segmaps(after, seg::LevelKind::Thread), num_segmaps(before, seg::LevelKind::Thread));
    expect_same(before, after);
  }
}

// Such as a brightness, with which all colours of a point scale.
TEST(TileGroups, OfStagesOfFewerDimensionsComputeTheSame) {
  seg::Program before = program_in("frontend_bridge/tile_groups/colours.fut_gpu"), after = tiled(before);
  EXPECT_EQ(num_segmaps(after, seg::LevelKind::Block), 3);
  // The function that all entry points call, and the last stage of the one whose number of colours is not known.
  EXPECT_EQ(num_segmaps(after, seg::LevelKind::Thread), 3);
  expect_same(before, after);
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{3, 65, 2}, {33, 3, 2}, {2, 2, 2}}) {
    for (const seg::FunDef& f : before.functions) {
      if (!f.entry) continue;
      seg::Comparison c = seg::compare(before, after, f.entry->name, seg::generated_inputs(before, f, sizes));
      EXPECT_EQ(c.difference, "") << f.entry->name << testing::PrintToString(sizes);
      EXPECT_TRUE(c.evaluated) << f.entry->name << testing::PrintToString(sizes);
    }
  }
}

// A thread's only point is no update of its registers: of one the host's simplifier makes an array of the wrong shape.
TEST(TileGroups, OfFewPointsComputeTheSame) {
  seg::Program before = program_in("frontend_bridge/tile_groups/few.fut_gpu"), after = tiled(before);
  EXPECT_EQ(num_segmaps(after, seg::LevelKind::Block), 1);
  for (int64_t n : {4, 5}) {
    const seg::FunDef& f = before.functions.at(0);
    seg::Comparison c = seg::compare(before, after, "main", seg::generated_inputs(before, f, {n}));
    EXPECT_EQ(c.difference, "");
    EXPECT_TRUE(c.evaluated);
  }
}

// Whether some point of its block-level code is checked.
bool checks_points(const seg::FunDef& f) {
  bool found = false;
  seg::for_each_host_stm(f.body->stms, [&](const seg::StmPtr& s) {
    const auto* op = std::get_if<seg::SegOp>(&s->exp);
    found |= op && op->level.kind == seg::LevelKind::Block && seg::has_checks(op->body->stms);
  });
  return found;
}

// Where the host has to check something before heddle's own kernel would run, points check it here.
TEST(TileGroups, CheckOnlyWhatIsNotKnownToHold) {
  seg::Program before = program_in("frontend_bridge/tile_groups/checks.fut_gpu"), after = tiled(before);
  EXPECT_EQ(num_segmaps(after, seg::LevelKind::Block), 2);
  for (const seg::FunDef& f : after.functions) {
    if (!f.entry) continue;
    EXPECT_EQ(checks_points(f), f.entry->name == "perhaps") << f.entry->name;
  }
  expect_same(before, after);
}

// A tile would keep one element for each column of points that it stores, which the host's kernels read as well.
TEST(TileGroups, LeavesStagesOfWhichLittleIsRead) {
  seg::Program before = program_in("frontend_bridge/tile_groups/columns.fut_gpu"), after = tiled(before);
  EXPECT_EQ(num_segmaps(after, seg::LevelKind::Block), 1);
  for (size_t f = 0; f < before.functions.size(); ++f) {
    const bool same = seg::print(before.functions[f]) == seg::print(after.functions[f]);
    EXPECT_EQ(same, before.functions[f].entry->name == "columns");
  }
  expect_same(before, after);
}

// As arguments they are the host's `*` before a name: `apply log32(**_lhs_1)`.
TEST(TileGroups, HaveNoNamesThatBeginWithAStar) {
  const seg::Program before = program_in("frontend_bridge/tile_groups/starred.fut_gpu");
  EXPECT_THAT(seg::print(before), testing::HasSubstr("(**_lhs_"));
  const seg::Program after = tiled(before);
  EXPECT_EQ(num_segmaps(after, seg::LevelKind::Block), 1);
  EXPECT_THAT(seg::print(after),
              testing::AllOf(testing::HasSubstr("apply log32(op**_lhs_"), testing::HasSubstr("{op**_lhs_"),
                             testing::Not(testing::ContainsRegex("[ ({]\\*+_"))));
  expect_same(before, after);
}

TEST(TileGroups, LeavesEverythingElse) {
  for (const char* file :
       {"rewrites/data/conv.fut_gpu", "ir/data/scans.fut_gpu", "rewrites/data/changed_images.fut_gpu"}) {
    seg::Program before = program_in(file);
    EXPECT_EQ(seg::print(tiled(before)), seg::print(before)) << file;
  }
}

TEST(TileGroups, AreTakenByTheHostsOwnPasses) {
  const std::string futhark = FUTHARK;
  HEDDLE_NEED(!futhark.empty(), "there is no futhark");
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() / ("heddle-tile-groups-" + std::to_string(getpid()) + ".fut_gpu");
  for (const char* dump : {"frontend_bridge/tile_groups/blur.fut_gpu", "frontend_bridge/tile_groups/colours.fut_gpu",
                           "frontend_bridge/tile_groups/few.fut_gpu", "frontend_bridge/tile_groups/checks.fut_gpu",
                           "frontend_bridge/tile_groups/starred.fut_gpu", "frontend_bridge/papers.fut_gpu"}) {
    std::ofstream(file) << seg::print(tiled(program_in(dump)));
    // Type checks after each pass, down to planned memory.
    ProcessResult r =
        run_process({futhark, "dev", file.string(), "-e", "--cse", "-e", "--sink", "--optimise-array-layout-gpu", "-e",
                     "--cse", "-a", "-e", "--double-buffer-gpu", "-e"},
                    "");
    EXPECT_EQ(r.exit_code, 0) << r.err.substr(0, 2000);
  }
  fs::remove(file);
}

}  // namespace
}  // namespace heddle
