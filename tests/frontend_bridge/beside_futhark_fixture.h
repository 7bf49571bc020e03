// Programs made by `heddle cuda`, on a device that runs threads in any order and whose memory is poisoned, beside Futhark.
#pragma once

#include <fmt/format.h>

#include <set>

#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"

class BesideFuthark : public CpuAsGpu {
 protected:
  explicit BesideFuthark(std::string program, Words options = {}, std::string command = "cuda")
      : program_(std::move(program)), options_(std::move(options)), command_(std::move(command)) {}

  void SetUp() override {
    CpuAsGpu::SetUp();
    if (IsSkipped()) return;
    write("program.fut", program_);
    Words command = {HEDDLE, command_};
    command.insert(command.end(), options_.begin(), options_.end());
    command.emplace_back("program.fut");
    make_once("program", command, program_);
    make_once("reference", {FUTHARK, "c", "program.fut", "-o", "reference"}, program_);
  }

  // On random arguments of these types. `option`: thresholds of one take the version that has the most parallelism.
  void expect_same(const std::string& entry, const Words& types, int exit_code = 0,
                   const std::string& option = "--default-threshold=1") const {
#ifdef HEDDLE_SANITIZED
    // What is compared has no sanitizers: they have seen it being made.
    static std::set<std::string> seen;
    if (!seen.insert(entry).second) return;
#endif
    const std::string& data = random(types);
    ProcessResult expected = run({"./reference", "-e", entry}, data);
    // Of an opaque result only the name would be compared.
    EXPECT_EQ(expected.out.find("opaque"), std::string::npos) << entry;
    EXPECT_EQ(expected.exit_code, exit_code) << entry << " " << types[0] << "\n" << expected.err;
    for (const std::string& variable : environments_) {
      ProcessResult got = run({"env", variable, "./program", "-e", entry, option}, data);
      EXPECT_EQ(got.exit_code, exit_code) << entry << " " << types[0] << " " << variable << "\n" << got.err;
      EXPECT_EQ(got.out, expected.out) << entry << " " << types[0] << " " << variable;
    }
  }
  // Runs the program with each of these variables.
  void in_environments(Words variables) { environments_ = std::move(variables); }

 private:
  // The same for the same types.
  const std::string& random(const Words& types) const {
    static std::map<Words, std::string> known;
    std::string& data = known[types];
    if (!data.empty()) return data;
    Words dataset = {FUTHARK, "dataset", "--i32-bounds=-9:9", "--i64-bounds=0:9"};
    for (const std::string& t : types) dataset.insert(dataset.end(), {"-g", t});
    return data = run(dataset).out;
  }

  std::string program_;
  Words options_;  // of heddle's
  std::string command_;
  Words environments_ = {"HEDDLE_THREADS="};
};
