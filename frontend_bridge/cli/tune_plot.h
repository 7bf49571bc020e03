// What `heddle tune` draws of the tilings that were measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/support/error.h"

namespace heddle::cli {

struct Tried {
  std::string values;                        // of the tiling
  std::optional<double> expected, measured;  // microseconds; nothing: unknown, or it could not be run
};
// In the order of measuring, so that the model's choice comes first.
struct TriedTilings {
  std::string of;  // contraction and extents: "main.contraction_0.5x18x20_3x3x3"
  std::vector<Tried> tried;
};

// From lines of JSON that programs append for --tune-record.
Result<std::vector<TriedTilings>> read_tried(const std::string& record);

// For a terminal, as text: a plot of times over the order of measuring, on a logarithmic scale.
std::string plot(const TriedTilings& tilings);

}  // namespace heddle::cli
