// Runs programs made by `heddle cuda` with a CUDA driver that computes on the processor (tests/campaign/cpu_as_gpu.c).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

using Words = std::vector<std::string>;

class CpuAsGpu : public testing::Test {
 protected:
  void SetUp() override {
    HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
    std::filesystem::create_directory(folder.path("gpu"));
  }
  ProcessResult run(const Words& command, const std::string& input = "") const {
    Words words = {"/usr/bin/env",
                   "-C",
                   folder.path(""),
                   "HEDDLE_FUTHARK=" FUTHARK,
                   "CFLAGS=-O0",
                   "HEDDLE_CACHE=" + folder.path("cache"),
                   "CPU_AS_GPU_FOLDER=" + folder.path("gpu"),
                   "LD_LIBRARY_PATH=" GPU_LIBRARIES};
    words.insert(words.end(), command.begin(), command.end());
    return run_process(words, input);
  }
  // Has `command` make this file of one with such text, or takes what it made for another test of this process. ctest runs as one the tests
  // that share what takes longer to make than they take (CMakeLists.txt).
  void make_once(const std::string& made, const Words& command, const std::string& text) const {
    static const TemporaryFolder kept;
    static std::map<std::pair<Words, std::string>, std::string> known;
    std::string& file = known[{command, text}];
    if (file.empty()) {
      ProcessResult r = run(command);
      ASSERT_EQ(r.exit_code, 0) << r.err;
      std::filesystem::rename(folder.path(made), kept.path(std::to_string(known.size())));
      file = kept.path(std::to_string(known.size()));
    }
    std::filesystem::create_symlink(file, folder.path(made));
  }
  void write(const std::string& name, const std::string& content) const { write_file(folder.path(name), content); }
  std::string read(const std::string& name) const { return read_file(folder.path(name)); }

  TemporaryFolder folder;
};

// The lines of `text` that begin with `start`, without it.
inline Words lines_after(const std::string& text, const std::string& start) {
  Words found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(start)) found.push_back(line.substr(start.size()));
  }
  return found;
}
