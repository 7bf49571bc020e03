// `heddle pass`, `--dump-passes` and `--emit=nest|cuda` as users call them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rewrites/host/passes.h"
#include "rewrites/nest/rewrites.h"
#include "rewrites/passes.h"
#include "tests/runtime_io/process.h"

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kConv = HEDDLE_SOURCE_DIR "/tests/rewrites/data/conv.fut_gpu";
const std::string kCalls = HEDDLE_SOURCE_DIR "/tests/rewrites/seg/data/inline-functions/calls.fut_gpu";

const std::string kCopy = R"(-- a comment
kernel copy(
    n_1: i64,
    in_2: global f32[n_1],
    out_3: global f32[n_1]) {
  for i_4 in n_1 (serial) {
    out_3[i_4] := in_2[i_4];
  }
}
)";

ProcessResult heddle(std::vector<std::string> words, const std::string& input = "") {
  words.insert(words.begin(), HEDDLE);
  return run_process(words, input);
}

void expect_error(const ProcessResult& r, int code, const std::string& message) {
  EXPECT_EQ(r.exit_code, code);
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(r.err, HasSubstr(message));
}

TEST(PassList, SaysWhatEachDoesAndWhyItStandsThere) {
  ProcessResult r = heddle({"pass", "--list"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  auto expect_entry = [&](std::string_view name, std::string_view what, std::string_view why) {
    std::string start = "\n  " + std::string(name);
    size_t at = std::min(r.out.find(start + "\n"), r.out.find(start + " "));
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_FALSE(what.empty() || why.empty()) << name;
    EXPECT_EQ(r.out.find(std::string("\n      ") + std::string(what) + "\n      " + std::string(why) + "\n", at),
              r.out.find('\n', at + 1))
        << name;
  };
  for (const heddle::SegPass& p : heddle::seg_passes()) expect_entry(p.name, p.description, p.why_here);
  for (const heddle::SegPass& p : heddle::seg_passes_of_planning()) expect_entry(p.name, p.description, p.why_here);
  for (const auto& w : heddle::nest::nest_rewrites()) expect_entry(w.name, w.description, w.why_here);
  for (const heddle::host::Pass& p : heddle::host::passes()) expect_entry(p.name, p.description, p.why_here);
  EXPECT_THAT(r.out, HasSubstr("  stripmine loop=LOOP by=SIZE [outer=WORD] [inner=WORD]\n"));
}

TEST(Pass, OfProgramsGoesFromTextToText) {
  ProcessResult file = heddle({"pass", "inline-functions", kCalls});
  EXPECT_EQ(file.exit_code, 0) << file.err;
  EXPECT_THAT(file.out, AllOf(HasSubstr("entry(\"main\""), Not(HasSubstr("apply "))));
  EXPECT_EQ(heddle({"pass", "inline_functions"}, read_file(kCalls)).out, file.out);
  EXPECT_EQ(heddle({"pass", "inline-functions", "-"}, read_file(kCalls)).out, file.out);
  // What it makes can be given to the next one.
  EXPECT_EQ(heddle({"pass", "by-threads"}, file.out).exit_code, 0);
}

TEST(Pass, OfHostProgramsGoesFromTextToText) {
  const std::string file = HEDDLE_SOURCE_DIR "/tests/rewrites/host/data/reuse-memory/chain";
  ProcessResult r = heddle({"pass", "reuse-memory", file + ".host"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out, read_file(file + ".after.host"));
  // What the compiler makes has gone through all of them, and is a program for them.
  ProcessResult made = heddle({"compile", kConv, "--emit=host-ir"});
  EXPECT_EQ(heddle({"pass", "free-early"}, made.out).out, made.out);
  expect_error(heddle({"pass", "free-early"}, "entry `f` () : () takes () {\n  yield a_1;\n}\n"), 1, "a_1");
  expect_error(heddle({"pass", "free-early"}, "entry `f` () : () takes (a_1: i8[]) {\n  yield a_1;\n}\n"), 1,
               "f: a_1 is borrowed");
}

TEST(Pass, OfKernelsTakesNamesFromTheText) {
  ProcessResult r = heddle({"pass", "stripmine", "loop=i_4", "by=8", "outer=tile"}, kCopy);
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out, R"(kernel copy(
    n_1: i64,
    in_2: global f32[n_1],
    out_3: global f32[n_1]) {
  for tile_5 in ceil(n_1 / 8) (serial) {
    for i_in_6 in min(8, n_1 - tile_5 * 8) (serial) {
      let i_4: i64 = tile_5 * 8 + i_in_6;
      out_3[i_4] := in_2[i_4];
    }
  }
}
)");
  EXPECT_THAT(r.err, AllOf(HasSubstr("legal, because "), HasSubstr("new loops: tile_5, i_in_6\n")));
  ProcessResult next = heddle({"pass", "parallelize", "loop=tile_5", "as=grid"}, r.out);
  EXPECT_EQ(next.exit_code, 0) << next.err;
  EXPECT_THAT(next.out, HasSubstr("for tile_5 in ceil(n_1 / 8) (grid) {"));
}

TEST(Pass, WritesWhereItIsTold) {
  TemporaryFolder folder;
  write_file(folder.path("copy.nest"), kCopy);
  ProcessResult r =
      heddle({"pass", "parallelize", "loop=i_4", "as=grid", folder.path("copy.nest"), "-o", folder.path("out.nest")});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(read_file(folder.path("out.nest")), HasSubstr("for i_4 in n_1 (grid) {"));
}

TEST(Pass, SaysWhyNot) {
  expect_error(heddle({"pass", "unroll", "loop=i_4"}, kCopy), 1, "unroll is refused: ");
  expect_error(heddle({"pass", "stripmine", "loop=i_4", "by=n_1"}, kCopy), 1, "a tile of n_1 may be empty");
  expect_error(heddle({"pass", "unroll", "loop=j_5"}, kCopy), 1, "loop=j_5: the kernel's loops are i_4");
  expect_error(heddle({"pass", "unroll"}, kCopy), 1, "unroll needs loop=...: the loop's index");
  expect_error(heddle({"pass", "unroll", "loops=i_4"}, kCopy), 1, "unroll has no parameter loops");
  expect_error(heddle({"pass", "unroll", "loop=i_4", "loop=i_4"}, kCopy), 1, "loop is given twice");
  expect_error(heddle({"pass", "stripmine", "loop=i_4", "by=8", "outer=a b"}, kCopy), 1, "outer=a b: ");
  expect_error(heddle({"pass", "stripmine", "loop=i_4", "by=4*m_9"}, kCopy), 1, "by=m_9: ");
  expect_error(heddle({"pass", "stage_to_shared", "before=i_4", "buffers=in_2", "rows=in_2"}, kCopy), 1, "rows=in_2: ");
  expect_error(heddle({"pass", "parallelize", "loop=i_4", "as=vector"}, kCopy), 1, "as=vector: ");
  expect_error(heddle({"pass", "reorder", "buffer=in_2", "order=1,x"}, kCopy), 1, "order=x: ");
  expect_error(heddle({"pass", "host-soacs", "loop=i_4", kCalls}), 1, "host-soacs has no parameter loop");
  expect_error(heddle({"pass", "no-such-pass"}, kCopy), 1, "there is no pass no-such-pass; try 'heddle pass --list'");
  expect_error(heddle({"pass"}), 1, "no pass is named");
  expect_error(heddle({"pass", "unroll", "a.nest", "b.nest"}), 1, "both a.nest and b.nest are given");
  expect_error(heddle({"pass", "unroll", "loop=i_4", "/nowhere/k.nest"}), 1, "cannot read /nowhere/k.nest");
  expect_error(heddle({"pass", "unroll", "loop=i_4"}, "kernel {"), 1, "standard input:1:8: ");
  expect_error(heddle({"pass", "discharge"}, "kernel k(out_1: global f32[4]) { for i_2 in 4 (lane) { } }"), 1,
               "standard input is not a well-formed kernel: ");
  expect_error(heddle({"pass", "qualify-keys"}, "types {"), 1, "standard input");
}

TEST(DumpPasses, OfEachCommandThatRunsThem) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"compile"}, {"explain"}, {"cpu", "--library", "-o", "OUT"}}) {
    TemporaryFolder folder;
    std::vector<std::string> words = command;
    for (std::string& w : words) {
      if (w == "OUT") w = folder.path("program");
    }
    words.push_back("--dump-passes=" + folder.path("dump"));
    words.push_back(kConv);
    ProcessResult r = heddle(words);
    EXPECT_EQ(r.exit_code, 0) << command[0] << ": " << r.err;
    EXPECT_THAT(
        read_file(folder.path("dump/index.txt")),
        AllOf(StartsWith("00-read.fut_gpu: "), HasSubstr("01-qualify-keys.fut_gpu"), HasSubstr(".nest: main: ")));
  }
}

TEST(Emit, ShowsTiledKernelsWithTheirConstants) {
  ProcessResult nest = heddle({"compile", "--emit=nest", kConv});
  EXPECT_EQ(nest.exit_code, 0) << nest.err;
  EXPECT_THAT(nest.out,
              AllOf(HasSubstr("\n-- way: tiled"), HasSubstr(": constant,\n"), HasSubstr("-- constants, found ")));
  ProcessResult cuda = heddle({"compile", "--emit=cuda", kConv});
  EXPECT_EQ(cuda.exit_code, 0) << cuda.err;
  EXPECT_THAT(cuda.out, AllOf(HasSubstr("\n// way: tiled"), HasSubstr("// constants, found ")));
}

}  // namespace
