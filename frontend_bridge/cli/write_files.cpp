#include "frontend_bridge/cli/write_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "frontend_bridge/system/leftovers.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

std::string beside(const std::string& path) { return fmt::format("{}.{}.tmp", path, getpid()); }

Error cannot_write(const std::string& path, const std::error_code& problem) {
  return input_error(fmt::format("cannot write {}: {}", path, problem.message()));
}

std::error_code write(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return file ? std::error_code() : std::error_code(errno, std::generic_category());
}

// A device, a pipe or a link must stay what it is.
bool may_be_replaced(const std::string& path) {
  std::error_code ignored;
  fs::file_status status = fs::symlink_status(path, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

}  // namespace

Result<std::monostate> write_files(const std::vector<TextFile>& files) {
  std::vector<TemporaryPath> temporaries;
  temporaries.reserve(files.size());
  for (const TextFile& f : files) {
    std::error_code ignored;
    if (fs::is_directory(f.path, ignored)) {
      return cannot_write(f.path, std::make_error_code(std::errc::is_a_directory));
    }
    if (!may_be_replaced(f.path)) continue;
    temporaries.emplace_back(beside(f.path));
    if (std::error_code problem = write(temporaries.back().get(), f.content)) return cannot_write(f.path, problem);
  }
  for (const TextFile& f : files) {
    std::error_code problem;
    if (may_be_replaced(f.path)) {
      fs::rename(beside(f.path), f.path, problem);
    } else {
      problem = write(f.path, f.content);
    }
    if (problem) return cannot_write(f.path, problem);
  }
  return std::monostate{};
}

}  // namespace heddle::cli
