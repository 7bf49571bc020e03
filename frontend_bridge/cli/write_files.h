// Files that are written whole or not at all.
#pragma once

#include <string>
#include <vector>

#include "ir/support/error.h"

namespace heddle::cli {

struct TextFile {
  std::string path;
  std::string content;
};

// Each is written beside its place first; none takes its place before all are written. Where a device, a pipe or a link
// is already, that is written to. Yields nothing but success.
Result<std::monostate> write_files(const std::vector<TextFile>& files);

}  // namespace heddle::cli
