// Whether opaque types are what the functions of the C API take them for.
#pragma once

#include <optional>
#include <string>

#include "codegen/host/type_table.h"

namespace heddle::codegen::host {

// What is wrong with one of them. Futhark makes none such: an array whose parts are not arrays of its elements' parts,
// a sum whose variants do not lie in its values.
std::optional<std::string> unsound_type(const TypeTable& types);

}  // namespace heddle::codegen::host
