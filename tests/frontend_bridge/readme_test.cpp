// The transcripts in the handbook are what the tool says: each command of a ``` block that begins with `$ heddle` is
// run where the examples are, and what follows it there must be what it prints, up to a line `...`. The numbers of
// names may differ.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

struct Transcript {
  std::string command, output;
};

std::vector<Transcript> transcripts(const std::string& text) {
  std::vector<Transcript> all;
  std::istringstream lines(text);
  bool in_block = false, in_command = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_block = !in_block && line == "```";
      in_command = false;
    } else if (in_block && line.starts_with("$ ")) {
      in_command = line.starts_with("$ heddle ");
      if (in_command) all.push_back({line.substr(2), ""});
    } else if (in_command) {
      all.back().output += line + "\n";
    }
  }
  return all;
}

std::string without_numbers(const std::string& text) {
  return std::regex_replace(text, std::regex("_[0-9]{4,}"), "_N");
}

TEST(Readme, TranscriptsAreTrue) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  TemporaryFolder folder;
  const std::string source = HEDDLE_SOURCE_DIR, place = folder.path("examples");
  std::filesystem::copy(source + "/examples", place);
  std::vector<Transcript> all = transcripts(read_file(source + "/README.md"));
  ASSERT_GE(all.size(), 5u);
  for (const Transcript& t : all) {
    SCOPED_TRACE(t.command);
    std::string path = std::filesystem::path(HEDDLE).parent_path().string();
    ProcessResult r = run_process({"/usr/bin/env", "-C", place, std::string("HEDDLE_FUTHARK=") + FUTHARK, "CFLAGS=-O0",
                                   "/bin/sh", "-c", "PATH=" + path + ":$PATH; " + t.command},
                                  "");
    EXPECT_EQ(r.exit_code, 0) << r.err;
    std::string expected = without_numbers(t.output), got = without_numbers(r.out);
    if (size_t end = expected.find("...\n"); end != std::string::npos && end + 4 == expected.size()) {
      expected.resize(end);
      got.resize(std::min(got.size(), end));
    }
    EXPECT_EQ(got, expected);
  }
}

}  // namespace
