#pragma once
#include <string>
#include <vector>

// What a process that ran to its end left behind.
struct ProcessResult {
  std::string out;
  std::string err;
  int exit_code;  // 128 + signal when a signal ended it
};

ProcessResult run_process(const std::vector<std::string>& command, const std::string& input);

// A folder of its own for each test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

void write_file(const std::string& path, const std::string& content);
std::string read_file(const std::string& path);
