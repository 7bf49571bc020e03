// A signal that ends heddle while the C compiler runs ends what the compiler started, too, and leaves no files.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/runtime_io/process.h"

namespace {

// Like a compiler, it lets others do the work, and half of that is done when the signal comes. Several may run at once.
const std::string kCompiler = R"(#!/bin/sh
sleep 1000 & echo $! >>workers
while [ "$1" != -o ]; do shift; done
echo half >"$2"
kill -$SIGNAL $PPID
wait
)";

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) files.insert(entry.path());
  return files;
}

bool runs(const std::string& process) {
  const std::string stat = read_file("/proc/" + process + "/stat");
  return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

TEST(Signals, NothingIsLeftOver) {
  TemporaryFolder folder;
  write_file(folder.path("ones.fut_gpu"), R"(types {
}

entry("ones", {n: i64}, {[]i32})
entry_ones (n_1 : i64) : {[n_1]i32} = {
  let {res_2 : [n_1]i32} = replicate([n_1], 1i32)
  in {res_2}
}
)");
  write_file(folder.path("compiler"), kCompiler);
  std::filesystem::permissions(folder.path("compiler"), std::filesystem::perms::owner_all);
  write_file(folder.path("workers"), "");
  const std::set<std::string> before = files_in(folder.path(""));
  for (const char* command : {"cpu", "cuda", "run"}) {
    for (auto [name, number] : {std::pair{"HUP", SIGHUP}, {"INT", SIGINT}, {"PIPE", SIGPIPE}, {"TERM", SIGTERM}}) {
      SCOPED_TRACE(std::string(command) + " " + name);
      write_file(folder.path("workers"), "");
      ProcessResult result =
          run_process({"/usr/bin/env", "-C", folder.path(""), "CC=./compiler", "TMPDIR=" + folder.path(""),
                       std::string("SIGNAL=") + name, HEDDLE, command, "ones.fut_gpu"},
                      "");
      EXPECT_EQ(result.exit_code, 128 + number);
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(result.err, "");
      EXPECT_EQ(files_in(folder.path("")), before);
      std::istringstream workers(read_file(folder.path("workers")));
      int count = 0;
      for (std::string worker; workers >> worker; ++count) {
        EXPECT_FALSE(runs(worker));
        if (runs(worker)) kill(std::stoi(worker), SIGKILL);
      }
      EXPECT_GT(count, 0);
    }
  }
}

// As nohup arranges it.
TEST(Signals, ThatAreIgnoredStayIgnored) {
  TemporaryFolder folder;
  write_file(folder.path("ones.fut_gpu"), "types {\n}\n");
  write_file(folder.path("compiler"), "#!/bin/sh\nkill -HUP $PPID\nexec cc \"$@\"\n");
  std::filesystem::permissions(folder.path("compiler"), std::filesystem::perms::owner_all);
  ProcessResult result = run_process({"/usr/bin/env", "-C", folder.path(""), "--ignore-signal=HUP", "CC=./compiler",
                                      "CFLAGS=-O0", HEDDLE, "cpu", "ones.fut_gpu"},
                                     "");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path("ones")));
}

}  // namespace
