// `heddle tune --html`: one page that a browser shows without a network, of what was tried and what came of it.
#pragma once

#include <string>
#include <vector>

#include "frontend_bridge/cli/tune_plot.h"
#include "frontend_bridge/cli/tune_report.h"

namespace heddle::cli {

struct Tuned {
  std::string program, tuning_file;
  std::vector<std::string> thresholds;  // as the tuning file has them
  Runtimes before, after;
  std::vector<TriedTilings> tilings;
};

std::string tune_page_html(const Tuned& tuned);

}  // namespace heddle::cli
