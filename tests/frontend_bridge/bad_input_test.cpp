// What users see who give the tool, or a program that it made, something wrong: an exit code by the kind of the error,
// one message, and no new files.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

using Words = std::vector<std::string>;

// Two entry points, as `futhark dev -s --extract-kernels -e` prints them.
const std::string kGood = R"(types {
}

entry("get", {xs: []i32, i: i64}, {i32})
entry_get (d_1 : i64, xs_2 : [d_1]i32, i_3 : i64) : {i32} = {
  let {x_4 : bool} = sle64(0i64, i_3)
  let {y_5 : bool} = slt64(i_3, d_1)
  let {bounds_check_6 : bool} = logand(x_4, y_5)
  let {index_certs_7 : unit} = assert(bounds_check_6, {"Index [", i_3 : i64, "] out of bounds."}, "good.fut:2:40-45")
  let {get_res_8 : i32} = #{index_certs_7} xs_2[i_3]
  in {get_res_8}
}

entry("main", {xs: []i32, ys: []i32}, {[]i32})
entry_main (n_1 : i64, xs_2 : [n_1]i32, ys_3 : [n_1]i32) : {[n_1]i32} = {
  let {size_4 : i64} = get_size(size_4, thread_block_size)
  let {groups_5 : i64} = sdiv_up64(n_1, size_4)
  let {res_6 : [n_1]i32} = segmap(thread; ; grid=groups_5; blocksize=size_4) (gtid_7 < n_1) (~tid_8) : {i32} {
    let {x_9 : i32} = xs_2[gtid_7]
    let {y_10 : i32} = ys_3[gtid_7]
    let {sum_11 : i32} = add32(x_9, y_10)
    return {returns sum_11}
  }
  in {res_6}
}

entry("ones", {n: i64}, {[]i32})
entry_ones (n_1 : i64) : {[n_1]i32} = {
  let {res_2 : [n_1]i32} = replicate([n_1], 1i32)
  in {res_2}
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string repeated(const std::string& part, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += part;
  return all;
}

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) files.insert(entry.path());
  return files;
}

void write_script(const std::string& path, const std::string& content) {
  write_file(path, content);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

// A command in `folder`, with some environment variables of its own.
ProcessResult run_in(const std::string& folder, const Words& environment, const Words& command,
                     const std::string& input) {
  Words words = {"/usr/bin/env", "-C", folder};
  words.insert(words.end(), environment.begin(), environment.end());
  words.insert(words.end(), command.begin(), command.end());
  return run_process(words, input);
}

struct ToolCase {
  Words environment;
  Words words;  // the tool's arguments
  int exit_code;
  std::string err;
};

TEST(BadInput, OfTheTool) {
  TemporaryFolder folder;
  const std::string place = folder.path("");
  write_file(folder.path("good.fut"), "entry main (x: i32) = x");
  write_file(folder.path("good.fut_gpu"), kGood);
  for (const char* extension : {"fut_gpu", "fut_soacs"}) {
    auto file = [&](const char* name) { return folder.path(fmt::format("{}.{}", name, extension)); };
    write_file(file("truncated"), kGood.substr(0, kGood.find(" = sle64")));
    write_file(file("garbled"),
               "\x7f"
               "ELF\x02\x01");
    write_file(file("deep"), "let {x_1 : i64} = " + repeated("gpu : {} {let {y_3 : i64} = ", 100000));
    write_file(file("newer"), "name_source {123}\n" + kGood);
    write_file(file("ill_typed"), replaced(kGood, "add32(", "add64("));
    write_file(file("out_of_scope"), replaced(kGood, "in {res_6}", "in {res_7}"));
    write_file(file("twice"), replaced(kGood, "entry_ones", "entry_main"));
  }
  write_file(folder.path("tiles.fut_gpu"), replaced(replaced(kGood, "let {sum_11 : i32} = add32(x_9, y_10)", R"(
    let {sum_11 : [1i64]i32} = replicate([1i64], x_9))"),
                                                    "returns sum_11", "tile(n_1 / 1i64) sum_11"));
  write_file(folder.path("file.txt"), kGood);
  const std::string version = "#!/bin/sh\n[ $1 = --version ] && echo Futhark 0.25.27. && exit 0\n";
  std::filesystem::create_directory(folder.path("newer"));
  write_script(folder.path("newer/futhark"), "#!/bin/sh\necho Futhark 0.25.32.\n");
  write_script(folder.path("silent"), version + "exit 0\n");
  write_script(folder.path("crashing"), version + "kill -ABRT $$\n");
  ASSERT_EQ(mkfifo(folder.path("pipe.fut_gpu").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(folder.path("pipe.fut").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder.path("endless.fut_gpu"));
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(folder.path("folder"));
  std::filesystem::create_directory(folder.path("folder.fut"));
  std::filesystem::create_directory(folder.path("made.h"));

  std::vector<ToolCase> cases = {
      // Files that cannot be read.
      {{}, {"check", "nope.fut_gpu"}, 1, "heddle: error: cannot read nope.fut_gpu: No such file or directory\n"},
      {{}, {"cpu", "nope.fut"}, 1, "heddle: error: cannot read nope.fut: No such file or directory\n"},
      {{}, {"cpu", "folder.fut"}, 1, "heddle: error: folder.fut is a folder, not a program\n"},
      {{}, {"check", "file.txt"}, 1, "heddle: error: file.txt: its extension must be .fut, .fut_soacs or .fut_gpu\n"},
      {{},
       {"cpu", "good"},
       1,
       "heddle: error: good: its extension must be .fut, .fut_soacs or .fut_gpu; did you mean good.fut?\n"},
      {{}, {"check", "pipe.fut_gpu"}, 1, "heddle: error: pipe.fut_gpu is no regular file\n"},
      {{}, {"check", "pipe.fut"}, 1, "heddle: error: pipe.fut is no regular file\n"},
      {{}, {"cpu", "pipe.fut"}, 1, "heddle: error: pipe.fut is no regular file\n"},
      {{}, {"check", "endless.fut_gpu"}, 1, "heddle: error: endless.fut_gpu is no regular file\n"},
      // Command lines.
      {{},
       {"frobnicate", "good.fut"},
       1,
       "heddle: error: there is no command frobnicate, nor has Futhark one; try 'heddle --help'\n"},
      {{},
       {"explian", "good.fut"},
       1,
       "heddle: error: there is no command explian, nor has Futhark one; did you mean explain? try 'heddle --help'\n"},
      {{},
       {"gpu", "good.fut"},
       1,
       "heddle: error: there is no command gpu, nor has Futhark one; did you mean cuda? try 'heddle --help'\n"},
      {{},
       {"good.fut"},
       1,
       "heddle: error: a command comes before good.fut, as in 'heddle cuda good.fut' or 'heddle cpu good.fut'\n"},
      {{},
       {"autotune", "--backend=cpu", "good.fut"},
       1,
       "heddle: error: futhark autotune knows no backend cpu; use 'heddle tune --backend=cpu'\n"},
      {{},
       {"autotune", "--back", "cpu", "good.fut"},
       1,
       "heddle: error: futhark autotune knows no backend cpu; use 'heddle tune --backend=cpu'\n"},
      {{}, {"check"}, 1, "heddle: error: FILE is required; try 'heddle check --help'\n"},
      {{},
       {"explain", "--nope", "good.fut_gpu"},
       1,
       "heddle: error: The following argument was not expected: --nope; try 'heddle explain --help'\n"},
      {{},
       {"compile", "--emit=nope", "good.fut_gpu"},
       1,
       "heddle: error: --emit: nope not in {cuda,nest,seg,host-ir,host}; try 'heddle compile --help'\n"},
      {{},
       {"compile", "--until=tiled", "good.fut_gpu"},
       1,
       "heddle: error: there is no step 'tiled' of a tiled kernel; the steps are map_threads, block_reduction, "
       "predicate_loads, stage_to_shared, drop_guards, stage_to_registers, serpentine, store_through_shared, "
       "slice_reduction, "
       "pipeline, prefetch, vectorize\n"},
      {{},
       {"cpu", "--until=pipeline", "good.fut_gpu"},
       1,
       "heddle: error: programs for the CPU have no tiled kernels, so --until says nothing about them\n"},
      {{},
       {"cpu", "--fusion=none", "good.fut_gpu"},
       1,
       "heddle: error: programs for the CPU have no fused stages, so --fusion says nothing about them\n"},
      {{},
       {"cuda", "--fusion=nope", "good.fut_gpu"},
       1,
       "heddle: error: --fusion=nope names no strategy; try --help\n"},
      {{},
       {"cpu", "--time-tile=4", "good.fut_gpu"},
       1,
       "heddle: error: programs for the CPU have no fused stages, so --time-tile says nothing about them\n"},
      {{},
       {"cuda", "--time-tile=0", "good.fut_gpu"},
       1,
       "heddle: error: --time-tile=0 is no number of steps; try --help\n"},
      {{},
       {"cpu", "--tile-scope=warp", "good.fut_gpu"},
       1,
       "heddle: error: programs for the CPU have no fused stages, so --tile-scope says nothing about them\n"},
      {{},
       {"cpu", "--register-fraction=0.5", "good.fut_gpu"},
       1,
       "heddle: error: programs for the CPU have no fused stages, so --register-fraction says nothing about them\n"},
      {{},
       {"cuda", "--register-fraction=1.5", "good.fut_gpu"},
       1,
       "heddle: error: --register-fraction=1.5 is no part of a tile; try --help\n"},
      {{},
       {"cpu", "--nested=forced", "good.fut_gpu"},
       1,
       "heddle: error: programs for the CPU have no fused stages, so --nested says nothing about them\n"},
      {{}, {"cuda", "--nested=deep", "good.fut_gpu"}, 1, "heddle: error: --nested=deep is none; try --help\n"},
      {{}, {"cuda", "--tile-scope=grid", "good.fut_gpu"}, 1, "heddle: error: --tile-scope=grid is none; try --help\n"},
      {{},
       {"cuda", "--without=sense", "good.fut_gpu"},
       1,
       "heddle: error: --without=sense names no part; try --help\n"},
      {{},
       {"cuda", "--nope", "good.fut_gpu"},
       1,
       "heddle cuda: unrecognized option '--nope'\nTry 'heddle cuda --help'.\n"},
      {{}, {"cpu"}, 1, "heddle: error: exactly one program must be given; try --help\n"},
      {{}, {"cpu", "good.fut_gpu", "good.fut"}, 1, "heddle: error: exactly one program must be given; try --help\n"},
      {{},
       {"cpu", "--library", "good.fut_gpu", "-o", "nope/good"},
       1,
       "heddle: error: cannot write nope/good.c: No such file or directory\n"},
      {{},
       {"cuda", "--library", "good.fut_gpu", "-o", "made"},
       1,
       "heddle: error: cannot write made.h: Is a directory\n"},
      // Places that cannot be written to.
      {{},
       {"cpu", "good.fut_gpu", "-o", "nope/good"},
       1,
       "heddle: error: cannot write nope/good.c: No such file or directory\n"},
      {{}, {"cuda", "good.fut_gpu", "-o", "folder"}, 1, "heddle: error: cannot write folder: it is a folder\n"},
      {{}, {"cpu", "good.fut_gpu", "-o", "pipe"}, 1, "heddle: error: cannot write pipe: it is no regular file\n"},
      {{},
       {"cpu", "good.fut_gpu", "-o", "./good.fut_gpu"},
       1,
       "heddle: error: the executable would overwrite the program good.fut_gpu; use another name with -o\n"},
      {{}, {"print", "good.fut_gpu", "-o", "folder"}, 1, "heddle: error: cannot write folder: Is a directory\n"},
      {{},
       {"compile", "good.fut_gpu", "-o", "file.txt/out"},
       1,
       "heddle: error: cannot write file.txt/out: Not a directory\n"},
      {{"TMPDIR=/nope"},
       {"run", "good.fut_gpu"},
       1,
       "heddle: error: cannot make a temporary folder in /nope: No such file or directory\n"},
      // Helpers that are missing or fail.
      {{"CC=/nope/cc"},
       {"cpu", "good.fut_gpu"},
       1,
       "heddle: error: cannot run the C compiler /nope/cc: install one, or name it by CC\n"},
      {{"CC=false"}, {"cpu", "good.fut_gpu"}, 1, "heddle: error: the C compiler false failed on the program made\n"},
      {{"CC=false"}, {"run", "good.fut_gpu"}, 1, "heddle: error: the C compiler false failed on the program made\n"},
      {{"HEDDLE_FUTHARK=/nope/futhark"},
       {"cpu", "good.fut"},
       1,
       "heddle: error: cannot run /nope/futhark: heddle needs Futhark 0.25.27, on PATH or named by HEDDLE_FUTHARK; "
       "'heddle doctor' says what to do\n"},
      {{"HEDDLE_FUTHARK=/nope/futhark"},
       {"bench", "good.fut"},
       1,
       "heddle: error: cannot run /nope/futhark: heddle needs Futhark 0.25.27, on PATH or named by HEDDLE_FUTHARK; "
       "'heddle doctor' says what to do\n"},
      {{"HEDDLE_FUTHARK=/bin/true"},
       {"cpu", "good.fut"},
       1,
       "heddle: error: /bin/true is not Futhark: heddle needs Futhark 0.25.27, on PATH or named by HEDDLE_FUTHARK; "
       "'heddle doctor' says what to do\n"},
      {{"PATH=" + place + "newer:/usr/bin:/bin", "HOME=/nope", "XDG_CACHE_HOME="},
       {"cpu", "good.fut"},
       1,
       "heddle: error: " + place +
           "newer/futhark is Futhark 0.25.32: heddle needs Futhark 0.25.27, on PATH or named by HEDDLE_FUTHARK; "
           "'heddle doctor' says what to do\n"},
      {{"HEDDLE_FUTHARK=newer/futhark"},
       {"dataset"},
       1,
       "heddle: error: newer/futhark is Futhark 0.25.32: heddle needs Futhark 0.25.27, on PATH or named by "
       "HEDDLE_FUTHARK; 'heddle doctor' says what to do\n"},
      {{"HEDDLE_FUTHARK=newer/futhark"},
       {"tune", "good.fut"},
       1,
       "heddle: error: newer/futhark is Futhark 0.25.32: heddle needs Futhark 0.25.27, on PATH or named by "
       "HEDDLE_FUTHARK; 'heddle doctor' says what to do\n"},
      {{"HEDDLE_FUTHARK=./silent"},
       {"cpu", "good.fut"},
       1,
       "heddle: error: ./silent printed no program for good.fut\n"},
      {{"HEDDLE_FUTHARK=./crashing"},
       {"cpu", "good.fut"},
       1,
       "heddle: error: futhark could not compile good.fut (it ended with 134)\n"},
      // What cannot be compiled yet.
      {{},
       {"cpu", "tiles.fut_gpu"},
       3,
       "heddle cannot do this yet: a kernel that returns tiles\n"
       "Nothing was written.\n"},
  };
  // Bad IR is refused alike by all who read it, whichever form it has. Futhark is not asked.
  for (const char* extension : {"fut_gpu", "fut_soacs"}) {
    auto bad = [&](const std::string& name, int exit_code, const std::string& err) {
      std::string file = name + "." + extension;
      std::string text = fmt::format(fmt::runtime(err), fmt::arg("file", file));
      for (const Words& words : {Words{"check"},
                                 {"print", "-o", "out"},
                                 {"compile", "-o", "out"},
                                 {"explain"},
                                 {"run"},
                                 {"cpu"},
                                 {"cuda"}}) {
        Words all = words;
        all.push_back(file);
        cases.push_back({{"HEDDLE_FUTHARK=/nope/futhark"}, all, exit_code, text});
      }
    };
    bad("truncated", 1,
        "heddle: error: {file}:6:19: expected `=`, but found the end of the file\n"
        "    let {{x_4 : bool}}\n"
        "                    ^\n");
    bad("garbled", 1,
        "heddle: error: {file}:1:1: expected `types`, `let`, `fun` or `entry`, but found `?`\n   ELF  \n  ^\n");
    bad("deep", 3,
        "heddle cannot do this yet: {file}:1:280012: nested deeper than the 10000 levels that heddle reads\n"
        "   gpu : {{}} {{let {{y_3 : i64}} = gpu : {{}} {{let {{y_3 : i64}} = gpu : {{}} {{let {{y_3 : i64}} = gpu : "
        "{{}} "
        "{{let {{\n"
        "                                                    ^\nNothing was written.\n");
    bad("newer", 3,
        "heddle cannot do this yet: {file}:1:1: this was printed by Futhark 0.25.33 (it starts with `name_source`) or "
        "later; heddle reads what Futhark 0.25.27 prints\n  name_source {{123}}\n  ^\nNothing was written.\n");
    bad("ill_typed", 1,
        "heddle: error: {file} is not a well-formed program:\n"
        "  line 21: An operand of add64 must be of type i64, but x_9 is of type i32.\n"
        "  line 21: An operand of add64 must be of type i64, but y_10 is of type i32.\n"
        "  line 21: sum_11 is declared to be of type i32, but its expression yields i64.\n");
    bad("out_of_scope", 1,
        "heddle: error: {file} is not a well-formed program:\n  line 18: res_7 is not bound here.\n");
    bad("twice", 1,
        "heddle: error: {file} is not a well-formed program:\n  line 27: There are several functions named "
        "entry_main.\n");
  }

  const std::set<std::string> before = files_in(place);
  for (const ToolCase& c : cases) {
    SCOPED_TRACE(fmt::format("heddle {} {}", c.words.front(), c.words.back()));
    Words command = {HEDDLE};
    command.insert(command.end(), c.words.begin(), c.words.end());
    ProcessResult result = run_in(place, c.environment, command, "");
    EXPECT_EQ(result.exit_code, c.exit_code);
    EXPECT_EQ(result.err, c.err);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(files_in(place), before);
  }
}

TEST(BadInput, WhatCanDoNothingIsWarnedOf) {
  TemporaryFolder folder;
  write_file(folder.path("none.fut_gpu"), "types {\n}\n\nfun\n  f (x_1 : i32) : {i32} = {\n  in {x_1}\n}\n");
  write_file(folder.path("good.fut_gpu"), kGood);
  ProcessResult result = run_in(folder.path(""), {"CFLAGS=-O0"}, {HEDDLE, "cpu", "none.fut_gpu"}, "");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(
      result.err,
      "heddle: warning: none.fut_gpu has no entry points, so what is made of it does nothing; 'entry' in place of "
      "'def' makes one of a function\n");
  EXPECT_EQ(run_in(folder.path(""), {"CFLAGS=-O0"}, {HEDDLE, "cpu", "-w", "none.fut_gpu"}, "").err, "");
  // A server may be asked for its types; `futhark test` makes one, and expects what Futhark says.
  EXPECT_EQ(run_in(folder.path(""), {"CFLAGS=-O0"}, {HEDDLE, "cpu", "--server", "none.fut_gpu"}, "").err, "");
  EXPECT_EQ(run_in(folder.path(""), {"CFLAGS=-O0"}, {HEDDLE, "cpu", "good.fut_gpu"}, "").err, "");
}

TEST(BadInput, AFullDiskIsReported) {
  TemporaryFolder folder;
  write_file(folder.path("good.fut_gpu"), kGood);
  for (const char* command : {"print", "compile --emit=host", "explain", "explain --json", "explain --passes", "--help",
                              "--version", "cpu --help", "explain --help"}) {
    std::string line = fmt::format("{} {} good.fut_gpu >/dev/full", HEDDLE, command);
    ProcessResult result = run_in(folder.path(""), {}, {"/bin/sh", "-c", line}, "");
    EXPECT_EQ(result.exit_code, 1) << command;
    EXPECT_EQ(result.err, "heddle: error: cannot write to standard output: No space left on device\n") << command;
  }
  std::filesystem::create_symlink("/dev/full", folder.path("full"));
  for (const char* command : {"print", "compile"}) {
    ProcessResult result = run_in(folder.path(""), {}, {HEDDLE, command, "good.fut_gpu", "-o", "full"}, "");
    EXPECT_EQ(result.exit_code, 1) << command;
    EXPECT_EQ(result.err, "heddle: error: cannot write full: No space left on device\n") << command;
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("full"))) << command;
  }
}

TEST(BadInput, FutharksOwnMessagesAreShown) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  TemporaryFolder folder;
  write_file(folder.path("bad.fut"), "entry main (x: i32) = x + 1i64\n");
  const std::set<std::string> before = files_in(folder.path(""));
  const Words environment = {"HEDDLE_FUTHARK=" FUTHARK, "LC_ALL=C.UTF-8"};
  ProcessResult stock = run_in(folder.path(""), environment, {FUTHARK, "check", "bad.fut"}, "");
  EXPECT_EQ(stock.exit_code, 2);
  for (const char* command : {"cpu", "cuda", "check", "run", "compile", "explain", "print", "tune"}) {
    ProcessResult result = run_in(folder.path(""), environment, {HEDDLE, command, "bad.fut"}, "");
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_EQ(result.err, stock.err) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_EQ(files_in(folder.path("")), before) << command;
  }
}

struct ProgramCase {
  Words environment;
  Words words;
  std::string input;
  int exit_code;
  std::string err;
};

class BadInputOfPrograms : public testing::Test {
 protected:
  void SetUp() override { write_file(folder_.path("good.fut_gpu"), kGood); }

  // Compiles the good program to `name`.
  void compile(const Words& options, const std::string& name) {
    Words command = {HEDDLE};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"good.fut_gpu", "-o", name});
    ProcessResult result = run_in(folder_.path(""), {"CFLAGS=-O0"}, command, "");
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  void check(const Words& program, const std::vector<ProgramCase>& cases) {
    const std::set<std::string> before = files_in(folder_.path(""));
    for (const ProgramCase& c : cases) {
      Words command = program;
      command.insert(command.end(), c.words.begin(), c.words.end());
      SCOPED_TRACE(fmt::format("{} < {}", fmt::join(command, " "), c.input));
      Words environment = {"HEDDLE_CACHE="};
      environment.insert(environment.end(), c.environment.begin(), c.environment.end());
      ProcessResult result = run_in(folder_.path(""), environment, command, c.input);
      EXPECT_EQ(result.exit_code, c.exit_code);
      EXPECT_EQ(result.err, c.err);
      EXPECT_EQ(result.out.empty(), c.exit_code != 0) << result.out;
      EXPECT_EQ(files_in(folder_.path("")), before);
    }
  }

  TemporaryFolder folder_;
};

// `heddle run` compiles and runs; its temporary files must be gone, and the messages must not name them.
TEST_F(BadInputOfPrograms, Data) {
  const Words low = {"CFLAGS=-O0", "TMPDIR=" + folder_.path("")};
  check({HEDDLE, "run", "good.fut_gpu"},
        {
            {low, {}, "[1,2] [3,4]", 0, ""},
            {low, {}, "[1,2] [3,4,5]", 1, "good: Error: entry point arguments have invalid sizes.\n"},
            {low,
             {},
             "[1,2] [3,x]",
             1,
             "good: Cannot read input #1 of type []i32 (line 1: expected i32, but got 'x').\n"},
        });
  compile({"cpu"}, "good");
  const std::string unknown = "No entry point 'nope'.  Select another with --entry-point.  Options are:\n";
  check({"./good"},
        {
            {{}, {"-e", "nope"}, "", 1, unknown + "get\nmain\nones\n"},
            {{},
             {},
             "[1,2] [3",
             1,
             "./good: Cannot read input #1 of type []i32 (line 1: expected ',' or ']', but the input ends).\n"},
        });
}

TEST_F(BadInputOfPrograms, Machine) {
  compile({"cuda"}, "good");
  const Words preload = {"LD_PRELOAD=" PRETENDED_GPU};
  auto pretend = [&](const char* what) { return Words{preload[0], fmt::format("PRETENDED_GPU={}", what)}; };
  check({"./good"},
        {
            {pretend("no driver"),
             {},
             "[1] [2]",
             1,
             "./good: No CUDA driver was found (libcuda.so.1 cannot be loaded), so this machine cannot run CUDA "
             "programs; those that heddle cpu makes need none.\n"},
            {pretend("no device"),
             {},
             "[1] [2]",
             1,
             "./good: The CUDA driver is installed, but there is no CUDA device.\n"},
            {pretend("no nvrtc"),
             {},
             "[1] [2]",
             1,
             "./good: NVRTC, the CUDA run-time compiler, was not found: install the CUDA toolkit (12 or 13), or say "
             "where it is with CUDA_HOME.\n"},
            {pretend("a device"), {"-e", "ones"}, "10i64", 0, ""},
            {pretend("a device"),
             {"-e", "ones"},
             "1000000i64",
             1,
             "./good: Failed to allocate memory in space 'device'.\nAttempted allocation:      4000000 "
             "bytes\nCurrently allocated:            16 bytes\n"},
        });
}

}  // namespace
