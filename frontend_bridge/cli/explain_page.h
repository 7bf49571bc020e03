// `heddle explain --html`: one page that a browser shows without a network, of all that explain knows of a program.
#pragma once

#include <string>

#include "frontend_bridge/cli/explain_tilings.h"
#include "ir/support/error.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::cli {

struct PageOptions {
  std::string program;  // what the page calls it
  std::string profile;  // a file with what a program's profiling says: of its server, or of `futhark bench --profile`
  TilingsOptions tilings;  // without sizes, no tilings are shown
};

Result<std::string> page_html(const lower::PlannedProgram& program, const PageOptions& options);

}  // namespace heddle::cli
