// What `heddle tune` reads of, and says about, the programs it runs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/error.h"

namespace heddle::cli {

// Median microseconds per dataset (kernels may be compiled during a run), by what `futhark bench` calls it: "conv.fut: [20][20]f32".
using Runtimes = std::map<std::string, double>;
// From the JSON that `futhark bench` writes. Datasets that failed are left out.
Result<Runtimes> read_runtimes(const std::string& json);

// Of the lines that a program prints for --print-params, how many are thresholds.
int count_thresholds(std::string_view params);

// What a tuning file says: its lines about thresholds, and of how many contractions with given extents it has tilings.
struct TuningContent {
  std::vector<std::string> thresholds;
  size_t tilings = 0;
};
TuningContent read_tuning(std::string_view file);

// A table with a line per dataset.
std::string compare_runtimes(const Runtimes& before, const Runtimes& after);

}  // namespace heddle::cli
