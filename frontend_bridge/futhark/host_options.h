// What Futhark's own front end is asked to do with a .fut or .fut_soacs file.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct HostOptions {
  std::string futhark = "futhark";        // the command
  std::vector<std::string> entry_points;  // further functions to treat as entry points
  bool safe = false;                      // ignore `unsafe`
  bool werror = false;
  bool warnings = true;
};

}  // namespace heddle
