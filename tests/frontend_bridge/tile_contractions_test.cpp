// Contractions as the host's block-level code: that they compute the same, read back, and are taken by the host's own
// passes.
#include "frontend_bridge/tile_contractions.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "frontend_bridge/pipeline.h"
#include "ir/seg/host_stms.h"
#include "ir/seg/printer.h"
#include "ir/seg/verify.h"
#include "rewrites/seg/expand_stms.h"
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
  Result<seg::Program> after = tile_contractions(program);
  EXPECT_TRUE(after) << (after ? "" : after.error().message);
  return after ? std::move(*after) : seg::Program{};
}

bool is_block_level(const seg::Stm& s) {
  const auto* op = std::get_if<seg::SegOp>(&s.exp);
  return op && op->level.kind == seg::LevelKind::Block;
}

bool has_block_level(const seg::Body& body) {
  return std::ranges::any_of(body.stms, [](const seg::StmPtr& s) { return is_block_level(*s); });
}

int num_blocks(const seg::Program& program) {
  int found = 0;
  seg::for_each_host_stm(program, [&](const seg::StmPtr& s) { found += is_block_level(*s); });
  return found;
}

// With what is tiled whatever the sizes, in flat tiles or in square ones.
seg::Program always_tiled(const seg::Program& program, bool in_flat) {
  auto block = [](const seg::BodyPtr& body) { return has_block_level(*body); };
  auto put = [&](const seg::Stm& s) {
    const auto* match = std::get_if<seg::Match>(&s.exp);
    if (!match || match->sort != seg::MatchSort::Equiv || match->cases.empty()) return seg::just(s);
    const seg::Body& choice = *match->cases[0].body;
    const auto* tiles = choice.stms.empty() ? nullptr : std::get_if<seg::Match>(&choice.stms.back()->exp);
    if (!tiles || !block(tiles->cases.at(0).body) || !block(tiles->otherwise)) return seg::just(s);
    const seg::Body& body = in_flat ? *tiles->cases[0].body : *tiles->otherwise;
    seg::Stms stms = body.stms;
    stms.push_back(std::make_shared<const seg::Stm>(
        seg::Stm{s.pat, s.attrs, s.certs, seg::Atom{body.result[0].value}, s.position}));
    return stms;
  };
  Result<seg::Program> forced = seg::expand_host_stms(program, put);
  EXPECT_TRUE(forced);
  EXPECT_EQ(2 * num_blocks(*forced), num_blocks(program));
  return forced ? std::move(*forced) : seg::Program{};
}

const seg::FunDef& entry_of(const seg::Program& program, const std::string& name) {
  for (const seg::FunDef& f : program.functions) {
    if (f.entry && f.entry->name == name) return f;
  }
  ADD_FAILURE() << "no " << name;
  return program.functions.at(0);
}

void expect_same(const seg::Program& before, const seg::Program& after, const std::string& entry,
                 const std::vector<std::vector<int64_t>>& sizes) {
  for (const std::vector<int64_t>& s : sizes) {
    SCOPED_TRACE(entry + " " + testing::PrintToString(s));
    seg::Comparison c = seg::compare(before, after, entry, seg::generated_inputs(before, entry_of(before, entry), s));
    EXPECT_EQ(c.difference, "");
    EXPECT_TRUE(c.evaluated);
  }
}

// Well-formed, and what it is when it is read again.
void expect_good(const seg::Program& program) {
  for (const seg::Problem& p : seg::verify(program)) ADD_FAILURE() << p.message;
  Result<seg::Program> again = read_program(seg::print(program), "printed");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == program);
}

TEST(TileContractions, AreBlockLevelCodeBesideWhatTheyWere) {
  seg::Program before = program_in("rewrites/data/conv.fut_gpu"), after = tiled(before);
  EXPECT_GOLDEN("frontend_bridge/tile_contractions/conv.fut_gpu", seg::print(after));
  expect_good(after);
  // Channels, image, filters, window.
  expect_same(before, after, "main", {{0, 3, 3, 2, 2}, {1, 4, 5, 3, 2}, {1, 13, 26, 20, 2}, {1, 3, 3, 2, 0}});
  for (bool in_flat : {false, true}) {
    expect_same(before, always_tiled(after, in_flat), "main",
                {{0, 3, 3, 2, 2}, {1, 1, 1, 1, 1}, {5, 3, 4, 2, 1}, {1, 3, 33, 33, 1}, {1, 18, 4, 2, 2}});
  }
}

// Of rows of windows six are gone through together in flat tiles and four in square ones, and up to five that are left. More than 17 columns are several chunks.
TEST(TileContractions, OfAllWindowsComputeTheSame) {
  seg::Program before = program_in("frontend_bridge/tile_contractions/windows.fut_gpu"), after = tiled(before);
  expect_good(after);
  for (bool in_flat : {false, true}) {
    // Channels, image, filters, window.
    expect_same(before, always_tiled(after, in_flat), "main",
                {{1, 4, 5, 2, 1, 1}, {1, 4, 5, 2, 2, 3}, {2, 5, 4, 1, 3, 1}, {1, 5, 6, 2, 4, 2}, {1, 6, 5, 1, 5, 1}});
    expect_same(before, always_tiled(after, in_flat), "main",
                {{1, 6, 3, 2, 6, 1}, {1, 11, 2, 1, 11, 1}, {1, 18, 2, 1, 18, 1}, {1, 2, 19, 1, 1, 18}});
  }
}

// Of six rows of a window a thread with eight points below each other reads 13 image rows, each once, and of four with 14 points 17.
TEST(TileContractions, ReadOnceWhatWindowsSlideOver) {
  const std::string conv = seg::print(tiled(program_in("rewrites/data/conv.fut_gpu")));
  for (const char* rows : {"scratch(f32, 13i64)", "scratch(f32, 9i64)", "scratch(f32, 17i64)", "scratch(f32, 15i64)"})
    EXPECT_NE(conv.find(rows), std::string::npos) << rows;
  // Two rows apart nothing is shared.
  const std::string kinds = seg::print(tiled(program_in("frontend_bridge/tile_contractions/kinds.fut_gpu")));
  const size_t flipped = kinds.find("entry(\"flipped\"");
  ASSERT_NE(flipped, std::string::npos);
  const std::string text = kinds.substr(flipped, kinds.find("entry(", flipped + 1) - flipped);
  for (const char* rows : {"scratch(f32, 13i64)", "scratch(f32, 17i64)"}) EXPECT_EQ(text.find(rows), std::string::npos);
  EXPECT_NE(text.find("scratch(f32, 8i64)"), std::string::npos);
}

// So that copies write what is there and beyond it without asking, tiles have room for more than is read; for two blocks still.
TEST(TileContractions, OfWindowsLeaveRoomForTwoBlocks) {
  const std::string text = seg::print(tiled(program_in("rewrites/data/conv.fut_gpu")));
  const std::regex bytes("sle64\\(([0-9]+)i64, room_");
  int found = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), bytes), end; it != end; ++it, ++found) {
    EXPECT_LE(std::stoi((*it)[1]), 112 * 1024);
  }
  EXPECT_EQ(found, 2);
}

TEST(TileContractions, OfSeveralKindsComputeTheSame) {
  seg::Program before = program_in("frontend_bridge/tile_contractions/kinds.fut_gpu"), after = tiled(before);
  EXPECT_EQ(num_blocks(after), 2 * 4);
  expect_good(after);
  for (bool in_flat : {false, true}) {
    seg::Program always = always_tiled(after, in_flat);
    expect_same(before, always, "strided", {{1, 3, 6, 3, 2, 2}, {1, 5, 4, 3, 2, 1}, {2, 3, 5, 1, 2, 1}});
    expect_same(before, always, "flipped", {{1, 5, 6, 2, 2}, {2, 3, 4, 33, 1}});
    expect_same(before, always, "same", {{1, 5, 6, 3, 2}, {2, 3, 4, 2, 1}});
    expect_same(before, always, "dilated", {{2, 5, 4, 2, 2}, {1, 17, 6, 33, 1}});
  }
  expect_same(before, after, "product", {{3, 4, 5}});
}

// Statements of two functions may have the same names, and do where the host has specialized one for two callers.
TEST(TileContractions, OfFunctionsThatShareNames) {
  seg::Program one = program_in("rewrites/data/conv.fut_gpu");
  std::string text = seg::print(one), twin = text.substr(text.find("entry(\"main\""));
  for (const seg::Param& p : one.functions.at(0).params) {
    twin = std::regex_replace(twin, std::regex("\\b" + p.name.text() + "\\b"), p.name.text() + "0");
  }
  twin = std::regex_replace(twin, std::regex("entry\\(\"main\""), "entry(\"twin\"");
  twin = std::regex_replace(twin, std::regex("entry_main"), "entry_twin");
  Result<seg::Program> before = read_program(text + "\n" + twin, "twins");
  ASSERT_TRUE(before) << before.error().message;
  seg::Program after = tiled(*before);
  EXPECT_EQ(num_blocks(after), 2 * 2);
  expect_good(after);
  for (const char* entry : {"main", "twin"}) {
    expect_same(*before, always_tiled(after, false), entry, {{1, 3, 4, 2, 1}, {1, 3, 33, 33, 1}});
  }
}

// What is read by columns is tiled, too. Where all sizes are equal only the results tell whether indices are mixed up.
TEST(TileContractions, OfTransposedArraysComputeTheSame) {
  seg::Program before = program_in("frontend_bridge/tile_contractions/transposed.fut_gpu"), after = tiled(before);
  EXPECT_EQ(num_blocks(after), 2 * 7);  // all but "rows", whose results are arrays
  expect_good(after);
  for (bool in_flat : {false, true}) {
    seg::Program always = always_tiled(after, in_flat);
    for (const char* entry : {"one", "both", "computed", "biased", "itself", "rows"}) {
      expect_same(before, always, entry, {{2, 3}, {3, 3}});
    }
    for (const char* entry : {"turned", "reversed"}) expect_same(before, always, entry, {{1}, {3}});
  }
}

// The host takes what is tiled only where both versions fit: where the flat one asked for 393216 bytes, neither was taken. Few points
// are left to what the host makes of them.
TEST(TileContractions, WithoutWindowsLeaveRoomForTwoBlocks) {
  const std::string text = seg::print(tiled(program_in("frontend_bridge/tile_contractions/transposed.fut_gpu")));
  const std::regex bytes("sle64\\((\\w+), room_");
  int found = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), bytes), end; it != end; ++it, ++found) {
    const std::string asked = (*it)[1];
    EXPECT_TRUE(std::ranges::all_of(asked.substr(0, 5), isdigit)) << asked;
    EXPECT_LE(std::atoi(asked.c_str()), 66 * 1024) << asked;
  }
  EXPECT_EQ(found, 2 * 7);
  EXPECT_NE(text.find("threshold(4194304,)"), std::string::npos);
}

// Before all versions of the host's incremental flattening.
TEST(TileContractions, StandBesideAllVersions) {
  seg::Program before = program_in("frontend_bridge/tile_contractions/versions.fut_gpu"), after = tiled(before);
  EXPECT_EQ(num_blocks(after), num_blocks(before) + 2);
  expect_good(after);
  const seg::FunDef& f = entry_of(after, "main");
  size_t first = 0;
  while (first < f.body->stms.size() && !std::holds_alternative<seg::Match>(f.body->stms[first]->exp)) ++first;
  ASSERT_LT(first, f.body->stms.size());
  // A result: those of the others that lie in another order are copied among them.
  EXPECT_EQ(f.body->stms[first]->pat.at(0).type.rank(), 1);
  const seg::StmPtr& tile = std::get<seg::Match>(f.body->stms[first]->exp).cases.at(0).body->stms.back();
  ASSERT_TRUE(std::holds_alternative<seg::Match>(tile->exp));
  EXPECT_TRUE(has_block_level(*std::get<seg::Match>(tile->exp).cases.at(0).body));
  expect_same(before, after, "main", {{2, 4, 5, 3, 2}, {1, 13, 26, 20, 2}});
}

TEST(TileContractions, LeaveEverythingElse) {
  for (const char* file : {"rewrites/data/stages.fut_gpu", "ir/data/scans.fut_gpu", "rewrites/data/sums.fut_gpu"}) {
    seg::Program before = program_in(file);
    EXPECT_EQ(seg::print(tiled(before)), seg::print(before)) << file;
  }
}

// Of arrays of several dimensions that are one of several versions the host's compiler forgets how they lie, and copies them.
TEST(TileContractions, AreVersionsOfOneDimension) {
  for (const char* dump :
       {"rewrites/data/conv.fut_gpu", "frontend_bridge/tile_contractions/kinds.fut_gpu",
        "frontend_bridge/tile_contractions/transposed.fut_gpu", "frontend_bridge/tile_contractions/windows.fut_gpu"}) {
    int found = 0;
    seg::for_each_host_stm(tiled(program_in(dump)), [&](const seg::StmPtr& s) {
      const auto* match = std::get_if<seg::Match>(&s->exp);
      if (!match || !has_block_level(*match->cases.at(0).body)) return;
      ++found;
      EXPECT_EQ(s->pat.at(0).type.rank(), 1) << dump << " " << s->pat.at(0).name.text();
    });
    EXPECT_GT(found, 0) << dump;
  }
}

TEST(TileContractions, AreTakenByTheHostsOwnPasses) {
  const std::string futhark = FUTHARK;
  HEDDLE_NEED(!futhark.empty(), "there is no futhark");
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() / ("heddle-contractions-" + std::to_string(getpid()) + ".fut_gpu");
  for (const char* dump :
       {"rewrites/data/conv.fut_gpu", "frontend_bridge/tile_contractions/kinds.fut_gpu",
        "frontend_bridge/tile_contractions/transposed.fut_gpu", "frontend_bridge/tile_contractions/versions.fut_gpu"}) {
    std::ofstream(file) << seg::print(tiled(program_in(dump)));
    // Type checks after each pass, down to planned memory.
    ProcessResult r =
        run_process({futhark, "dev", file.string(), "-e", "--tile-loops", "-e", "--unstream", "--cse", "-e", "--sink",
                     "--optimise-array-layout-gpu", "-e", "--cse", "-a", "-e", "--double-buffer-gpu", "-e"},
                    "");
    EXPECT_EQ(r.exit_code, 0) << dump << r.err.substr(0, 2000);
  }
  fs::remove(file);
}

}  // namespace
}  // namespace heddle
