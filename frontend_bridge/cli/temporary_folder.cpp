#include "frontend_bridge/cli/temporary_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace heddle::cli {

Result<TemporaryFolder> TemporaryFolder::make() {
  const char* named = std::getenv("TMPDIR");
  std::string place = named && *named ? named : "/tmp";
  std::string pattern = place + "/heddle.XXXXXX";
  WithoutSignals between;  // making it and knowing what to remove
  if (!mkdtemp(pattern.data()))
    return input_error(fmt::format("cannot make a temporary folder in {}: {}", place, std::strerror(errno)));
  return TemporaryFolder(pattern);
}

}  // namespace heddle::cli
