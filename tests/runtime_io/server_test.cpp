// The hand-written program as a server.
#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "process.h"

namespace {

// One command, and what the server answers before its "%%% OK". Runtimes are written as "runtime: N".
struct Exchange {
  std::string command;
  std::string answer;
};

std::string failure(const std::string& message) { return "%%% FAILURE\n" + message + "\n"; }

void converse(const std::vector<Exchange>& exchanges, const std::vector<std::string>& options = {}) {
  std::string input, expected = "%%% OK\n";
  for (const Exchange& e : exchanges) {
    input += e.command + "\n";
    expected += e.answer + "%%% OK\n";
  }
  std::vector<std::string> command = options;
  command.insert(command.begin(), IO_SERVER);
  ProcessResult result = run_process(command, input);
  EXPECT_EQ(std::regex_replace(result.out, std::regex("runtime: [0-9]+\n"), "runtime: N\n"), expected);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.exit_code, 0);
}

TEST(Server, DescribesTheProgram) {
  converse({
      {"inputs main", "[]i32\nf32\n"},
      {"outputs main", "f32\n[]i32\n"},
      {"inputs consume", "*[]i32\n"},
      {"outputs consume", "*[]i32\n"},
      {"inputs nope", failure("Unknown entry point: nope")},
      {"outputs nope", failure("Unknown entry point: nope")},
      {"inputs nothing", ""},
      {"fields pair", "count i32\nitems []i64\n"},
      {"fields \"{weight: f32, pair: pair}\"", "weight f32\npair pair\n"},
      {"fields i32", failure("Not a record type")},
      {"fields either", failure("Not a record type")},
      {"fields []pair", failure("Not a record type")},
      {"fields nope", failure("Unknown type nope")},
      {"tuning_params compare", "compare.suff_outer_par_0\n"},
      {"tuning_params consume", ""},
      {"tuning_params nope", failure("Unknown entry point: nope")},
      {"tuning_param_class compare.suff_outer_par_0", "threshold(def, !main.suff_outer_par_1)\n"},
      {"tuning_param_class main.tile_1", "tile_size\n"},
      {"tuning_param_class nope", failure("Unknown tuning parameter: nope")},
  });
}

TEST(Server, ListsTypesAndEntryPoints) {
  std::string out = run_process({IO_SERVER}, "types\nentry_points\n").out;
  EXPECT_EQ(out.rfind("%%% OK\ni8\ni16\ni32\ni64\nu8\nu16\nu32\nu64\nf16\nf32\nf64\nbool\n[]i8\n", 0), 0u);
  EXPECT_NE(out.find("\n{weight: f32, pair: pair}\n"), std::string::npos);
  EXPECT_NE(out.find("\nmake_pair\n"), std::string::npos);
}

TEST(Server, MalformedCommandsDoNotEndIt) {
  converse({
      {"", failure("Empty line")},
      {"   ", failure("Empty line")},
      {"nope", failure("Unknown command: nope")},
      {"fields \"a b", failure("Unclosed quote")},
      {"inputs", failure("Insufficient command args.")},
      {"call", failure("Insufficient command args.")},
      {"rename a", failure("Insufficient command args.")},
      {"project a b", failure("Insufficient command args.")},
      {"set_tuning_param a", failure("Insufficient command args.")},
      {std::string(5000, 'x'), failure("Unknown command: " + std::string(5000, 'x'))},
      {"\"inputs\" \"nothing\"", ""},
      {"\t inputs \t nothing \t", ""},
  });
}

TEST(Server, SaysThatItsAnswersCannotBeWritten) {
  ProcessResult result = run_process({"/bin/sh", "-c", std::string(IO_SERVER) + " >/dev/full"}, "types\n");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, std::string(IO_SERVER) + ": Cannot write the output: No space left on device\n");
}

TEST(Server, RestoresCallsAndStores) {
  TemporaryFolder folder;
  std::string in = folder.path("in"), out = folder.path("out");
  write_file(in, "[1,2,3] 2.5");
  converse({
      {"restore " + in + " x []i32 y f32", ""},
      {"call main a b x y", "runtime: N\n"},
      {"store " + out + " b a", ""},
      {"restore " + out + " x2 []i32 y2 f32", ""},
      {"call main a b x2 y2", failure("Variable already exists: a")},
      {"free a b", ""},
      {"call main a b x2 y2", "runtime: N\n"},
      {"call main c c x y", failure("Variable already exists: c")},
      {"free c", failure("Unknown variable: c")},
      {"call main c d y x", failure("Wrong input type.  Expected []i32, got f32.")},
      {"call main c d x nope", failure("Unknown variable: nope")},
      {"call main c d x", failure("Entry point main has 2 outputs and 2 inputs, but got 3 variables.")},
      {"call nope", failure("Unknown entry point: nope")},
      {"rename a x", failure("Variable already exists: x")},
      {"rename nope z", failure("Unknown variable: nope")},
      {"rename a z", ""},
      {"free a", failure("Unknown variable: a")},
      {"free z b", ""},
      {"store " + out, ""},
      {"store " + out + " nope", failure("Unknown variable: nope")},
      {"store /nonexistent/file x", failure("Failed to open /nonexistent/file: No such file or directory")},
      {"call consume c x", "runtime: N\n"},
      {"free x c", ""},
      {"clear", ""},
      {"free y", failure("Unknown variable: y")},
  });
}

TEST(Server, BadDataIsRefusedWhole) {
  TemporaryFolder folder;
  std::string bad = folder.path("bad"), five = folder.path("five");
  write_file(bad, "5 [1,2");
  write_file(five, "5");
  converse({
      {"restore " + bad + " a i32 b []i32", failure("Failed to restore variable b.\nPossibly malformed data in " + bad +
                                                    " (line 1: expected ',' or ']', but the input ends)")},
      {"free a", failure("Unknown variable: a")},
      {"restore " + bad + " a i32", failure("Expected EOF after reading 1 values from " + bad)},
      {"free a", failure("Unknown variable: a")},
      {"restore " + five + " a i32 a i32", failure("Variable already exists: a")},
      {"restore " + five + " a nope", failure("Unknown type nope")},
      {"restore " + five + " a", failure("Variable a has no type.")},
      {"restore /nonexistent a i32", failure("Failed to open /nonexistent: No such file or directory")},
      {"restore " + five + " a pair", failure("Failed to restore variable a.\nPossibly malformed data in " + five +
                                              " (line 1: expected '[' or 'empty', but the input ends)")},
      {"restore " + five + " a i32", ""},
  });
}

TEST(Server, ReportsProgramErrors) {
  TemporaryFolder folder;
  std::string in = folder.path("in");
  write_file(in, "[1,2,3] 7i64");
  converse({
      {"restore " + in + " x []i32 i i64", ""},
      {"call index y x i",
       "runtime: N\n" + failure("Error: Index [7] out of bounds for array of shape [3].\n\nBacktrace:\n-> #0  "
                                "io.fut:6:33-37\n   #1  io.fut:6:1-37")},
      {"free y", failure("Unknown variable: y")},
      {"call i32_1 y x", "runtime: N\n"},
  });
}

TEST(Server, RecordsAreTakenApartAndPutTogether) {
  TemporaryFolder folder;
  std::string in = folder.path("in"), first = folder.path("first"), second = folder.path("second");
  write_file(in, "4 1.5");
  converse({
      {"restore " + in + " n i32 w f32", ""},
      {"call make_pair p n", "runtime: N\n"},
      {"project items p items", ""},
      {"project items p items", failure("Variable already exists: items")},
      {"project c p nope", failure("No such field")},
      {"project c n count", failure("Not a record type")},
      {"project c nope count", failure("Unknown variable: nope")},
      {"new q pair n items", ""},
      {"new q pair n items", failure("Variable already exists: q")},
      {"new r pair n", failure("2 fields expected but 1 values provided.")},
      {"new r pair items n", failure("Field count mismatch: expected type i32, got []i64")},
      {"new r pair nope items", failure("Unknown variable: nope")},
      {"new r i32 n", failure("Not a record type")},
      {"new r nope n", failure("Unknown type nope")},
      {"free p items", ""},
      {"new nest \"{weight: f32, pair: pair}\" w q", ""},
      {"call nested nest2 nest", "runtime: N\n"},
      {"project back nest2 pair", ""},
      {"free nest nest2", ""},
      {"call sum_pair s back", "runtime: N\n"},
      {"store " + first + " q s", ""},
      {"restore " + first + " q2 pair s2 i64", ""},
      {"store " + second + " back s2", ""},
  });
  using namespace std::string_literals;
  std::string count = "b\2\0 i32\4\0\0\0"s, items = "b\2\1 i64"s + "\4\0\0\0\0\0\0\0"s;
  for (char item : {0, 1, 4, 9}) items += std::string(1, item) + std::string(7, '\0');
  EXPECT_EQ(read_file(first), count + items + "b\2\0 i64\x12\0\0\0\0\0\0\0"s);
  EXPECT_EQ(read_file(second), read_file(first));
}

TEST(Server, OtherOpaqueValuesAreKept) {
  TemporaryFolder folder;
  std::string in = folder.path("in"), left = folder.path("left"), right = folder.path("right"),
              arrays = folder.path("a");
  write_file(in, "true false");
  using namespace std::string_literals;
  const std::string two = "\2\0\0\0\0\0\0\0"s;
  const std::string eithers = "b\2\1  i8"s + two + "\0\1"s + "b\2\1 i32"s + two + "\1\0\0\0\2\0\0\0"s;
  const std::string pairs =
      "b\2\1 i32"s + two + "\1\0\0\0\2\0\0\0"s + "b\2\2 i64"s + two + std::string(8, '\0') + "b\2\0bool\0"s;
  write_file(arrays, eithers + pairs);
  converse({
      {"restore " + in + " t bool f bool", ""},
      {"call make_either l t", "runtime: N\n"},
      {"call make_either r f", "runtime: N\n"},
      {"call either r2 r", "runtime: N\n"},
      {"store " + left + " l", ""},
      {"store " + right + " r2", ""},
      {"restore " + left + " l3 either", ""},
      {"restore " + arrays + " es []either ps []pair u ()", ""},
      {"call eithers es2 es", "runtime: N\n"},
      {"call pairs ps2 ps", "runtime: N\n"},
      {"call unit u2 u", "runtime: N\n"},
      {"store " + arrays + " es2 ps2 u2", ""},
  });
  EXPECT_EQ(read_file(left), "b\2\0  i8\0b\2\0 i32\x2a\0\0\0b\2\1 f32\0\0\0\0\0\0\0\0"s);
  EXPECT_EQ(read_file(right), "b\2\0  i8\1b\2\0 i32\x2a\0\0\0b\2\1 f32"s + two + "\0\0\xc0\x3f\0\0\0\xc0"s);
  EXPECT_EQ(read_file(arrays), eithers + pairs);
}

TEST(Server, TuningParametersChangeAtRunTime) {
  TemporaryFolder folder;
  std::string in = folder.path("in"), out = folder.path("out");
  write_file(in, "3i64");
  converse({
      {"restore " + in + " x i64", ""},
      {"set_tuning_param compare.suff_outer_par_0 3", ""},
      {"call compare a x", "runtime: N\n"},
      {"set_tuning_param compare.suff_outer_par_0 4", ""},
      {"call compare b x", "runtime: N\n"},
      {"store " + out + " a b", ""},
      {"set_tuning_param nope 4", failure("Failed to set tuning parameter nope to 4")},
      {"set_tuning_param compare.suff_outer_par_0 x", failure("Tuning parameters are whole numbers, not x")},
  });
  using namespace std::string_literals;
  EXPECT_EQ(read_file(out), "b\2\0bool\1b\2\0bool\0"s);
}

TEST(Server, LogsToStdout) {
  TemporaryFolder folder;
  std::string in = folder.path("in");
  write_file(in, "3i64");
  ProcessResult result = run_process({IO_SERVER, "-L"}, "restore " + in + " x i64\ncall compare a x\n");
  EXPECT_NE(result.out.find("Compared compare.suff_outer_par_0 <= 3: false.\n"), std::string::npos) << result.out;
}

TEST(Server, ReportsAsJson) {
  std::string out = run_process({IO_SERVER, "-P"}, "pause_profiling\nunpause_profiling\nreport\n").out;
  EXPECT_TRUE(std::regex_match(
      out, std::regex("%%% OK\n%%% OK\n%%% OK\n\\{\"memory\":\\{[^}]*\\},\"events\":\\[.*\\]\\}\n%%% OK\n")))
      << out;
}

TEST(Server, TakesItsOwnOptionsOnly) {
  ProcessResult excess = run_process({IO_SERVER, "excess"}, "");
  EXPECT_EQ(excess.err, std::string(IO_SERVER) + ": Excess non-option: excess\n");
  EXPECT_EQ(excess.exit_code, 1);
  EXPECT_EQ(run_process({IO_SERVER, "-b"}, "").exit_code, 1);
  EXPECT_EQ(run_process({IO_SERVER, "--print-params"}, "").out,
            "compare.suff_outer_par_0 (threshold(def, !main.suff_outer_par_1))\nmain.tile_1 (tile_size)\n");
}

// Commands put together at random succeed or fail, and every one of them is answered; the sanitizers watch.
TEST(Server, AnswersEveryCommand) {
  TemporaryFolder folder;
  std::string data = folder.path("data"), scratch = folder.path("scratch");
  write_file(data, "[3,1,2]");
  const std::vector<std::string> commands = {"call",           "restore",
                                             "store",          "free",
                                             "rename",         "inputs",
                                             "outputs",        "clear",
                                             "report",         "set_tuning_param",
                                             "tuning_params",  "tuning_param_class",
                                             "fields",         "new",
                                             "project",        "types",
                                             "pause_profiling"};
  const std::vector<std::string> words = {
      "a",     "b",       "c",         "pair",   "i32",   "[]i32",     "\"{weight: f32, pair: pair}\"",
      "main",  "consume", "make_pair", "nested", "i32_1", "transpose", data,
      scratch, "count",   "items",     "3",      "-1",    "\"",        "\"\"",
      "*"};
  std::mt19937 random(4711);
  const int num_commands = 3000;
  std::string input;
  for (int i = 0; i < num_commands; i++) {
    // Some lines can work, so that there are variables to work on.
    if (i % 3 == 0) {
      input += "restore " + data + " " + words[random() % 3] + " []i32\n";
      continue;
    }
    if (i % 5 == 0) {
      input += "call consume " + words[random() % 3] + " " + words[random() % 3] + "\n";
      continue;
    }
    input += commands[random() % commands.size()];
    for (uint32_t n = random() % 6; n > 0; n--) input += " " + words[random() % words.size()];
    input += "\n";
  }
  ProcessResult result = run_process({IO_SERVER}, input);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  size_t answers = 0;
  for (size_t at = 0; (at = result.out.find("%%% OK\n", at)) != std::string::npos; at++) answers++;
  EXPECT_EQ(answers, num_commands + 1u);
  EXPECT_NE(result.out.find("runtime: "), std::string::npos);
}

}  // namespace
