#include "frontend_bridge/cli/write_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "frontend_bridge/leftovers.h"

namespace heddle::cli {

namespace {

std::string beside(const std::string& path) { return fmt::format("{}.{}.tmp", path, getpid()); }

Error cannot_write(const std::string& path, const std::error_code& problem) {
  return input_error(fmt::format("cannot write {}: {}", path, problem.message()));
}

}  // namespace

Result<std::monostate> write_files(const std::vector<TextFile>& files) {
  std::vector<TemporaryPath> temporaries;
  temporaries.reserve(files.size());
  for (const TextFile& f : files) {
    std::error_code ignored;
    if (std::filesystem::is_directory(f.path, ignored)) {
      return cannot_write(f.path, std::make_error_code(std::errc::is_a_directory));
    }
    temporaries.emplace_back(beside(f.path));
    std::ofstream file(temporaries.back().get(), std::ios::binary);
    file << f.content;
    if (!file.flush()) return cannot_write(f.path, std::error_code(errno, std::generic_category()));
  }
  for (const TextFile& f : files) {
    std::error_code problem;
    std::filesystem::rename(beside(f.path), f.path, problem);
    if (problem) return cannot_write(f.path, problem);
  }
  return std::monostate{};
}

}  // namespace heddle::cli
