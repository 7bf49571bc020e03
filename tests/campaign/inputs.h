// Inputs drawn for an entry, and values as Futhark's servers read and write them.
#pragma once

#include <string>
#include <vector>

#include "tests/campaign/spelling.h"

namespace heddle::campaign {

// Sizes that keep the work of one call small.
Values draw_sizes(Random& random, const Entry& entry);

// One file's worth of values in the binary format, for all parameters in order. Floats are such that every order of
// summation gives the same bits.
std::string draw_inputs(Random& random, const Entry& entry, const Values& sizes);

// The parameters' names and types, as the server command `restore` wants them.
std::string names_and_types(const Entry& entry);

// Whether two stored values are the same: shapes, types and bits, all NaN being one and both zeros being one.
bool same_values(const std::string& a, const std::string& b);

}  // namespace heddle::campaign
