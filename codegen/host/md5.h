// Names of types that make no identifier are, in Futhark's C API, their MD5 hash.
#pragma once

#include <string>
#include <string_view>

namespace heddle::codegen::host {

// 32 hexadecimal digits (RFC 1321).
std::string md5(std::string_view text);

}  // namespace heddle::codegen::host
