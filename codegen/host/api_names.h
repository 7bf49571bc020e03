// How Futhark's C API names types and functions.
#pragma once

#include <string>
#include <string_view>

#include "ir/seg/syntax.h"

namespace heddle::codegen::host {

// "f32_2d"; the type must be an array's.
std::string array_name(const seg::ValueType& type);
// "opaque_arr1d_tup2_i32_f32" for "[](i32, f32)"; a hash where that makes no identifier.
std::string opaque_name(std::string_view type);
// Names that C does not know are encoded.
std::string escaped_name(std::string_view name);
// For names that follow another.
std::string escaped_suffix(std::string_view name);
// How C sees scalars and elements of arrays: halves as their bits.
std::string api_type(const seg::ValueType& type);

}  // namespace heddle::codegen::host
