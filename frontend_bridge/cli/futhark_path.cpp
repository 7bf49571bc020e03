#include "frontend_bridge/cli/futhark_path.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace heddle::cli {

std::string futhark_path() {
  if (const char* named = std::getenv("HEDDLE_FUTHARK"); named && *named) return named;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::string base = cache && *cache ? cache : home ? std::string(home) + "/.cache" : "";
  std::string installed = base + "/heddle/futhark-" HEDDLE_FUTHARK_VERSION "/futhark";
  return access(installed.c_str(), X_OK) == 0 ? installed : "futhark";
}

Result<std::string> own_path() {
  std::error_code problem;
  std::string path = std::filesystem::read_symlink("/proc/self/exe", problem).string();
  if (problem) return input_error("cannot find out where heddle itself is: " + problem.message());
  return path;
}

}  // namespace heddle::cli
