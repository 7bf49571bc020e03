#include "frontend_bridge/evidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace heddle {

std::string keep_evidence(const std::vector<NamedText>& files) {
  const char* named = std::getenv("TMPDIR");
  std::string folder = fmt::format("{}/heddle-broken.XXXXXX", named && *named ? named : "/tmp");
  if (!mkdtemp(folder.data())) {
    return fmt::format("What belongs to the report could not be saved in {}: {}.", folder, std::strerror(errno));
  }
  std::vector<std::string> paths;
  for (const NamedText& f : files) {
    paths.push_back(folder + "/" + f.name);
    std::ofstream file(paths.back(), std::ios::binary);
    file << f.text;
    if (!file.flush())
      return fmt::format("What belongs to the report could not be saved in {}: {}.", paths.back(),
                         std::strerror(errno));
  }
  return fmt::format("Add these files to the report: {}.", fmt::join(paths, ", "));
}

}  // namespace heddle
