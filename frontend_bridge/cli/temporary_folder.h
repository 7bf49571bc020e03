// A folder of one's own, in $TMPDIR or /tmp, that goes away with the object, or when a signal ends heddle.
#pragma once

#include <string>
#include <utility>

#include "frontend_bridge/system/leftovers.h"
#include "ir/support/error.h"

namespace heddle::cli {

class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();

  const std::string& path() const { return path_.get(); }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  TemporaryPath path_;
};

}  // namespace heddle::cli
