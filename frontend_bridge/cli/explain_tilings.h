// `heddle explain --tilings`: which tilings the model of a device considers for the contractions of a program with
// given sizes, what limits each, and why the first is chosen. It is the model that programs use when they run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ir/support/error.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::cli {

struct TilingsOptions {
  std::vector<std::string> sizes;  // "n=4096"; names of the program's sizes, or of scalars of the IR as it prints them
  std::string device = "h100";
  int most = 5;  // tilings shown of each contraction
};

// Of "n=4096".
Result<std::vector<std::pair<std::string, int64_t>>> read_sizes(const std::vector<std::string>& assignments);

// The devices that the model has figures of.
std::vector<std::string> known_devices();

Result<std::string> tilings_text(const lower::PlannedProgram& program, const TilingsOptions& options);

// The same as data, with the device; without sizes no contraction is looked at. `needless`: sizes on which nothing else depends.
Result<nlohmann::json> tilings_json(const lower::PlannedProgram& program, const TilingsOptions& options,
                                    const std::vector<std::string>& needless);

}  // namespace heddle::cli
