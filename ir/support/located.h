// Messages about a place in a text.
#pragma once

#include <string>
#include <string_view>

#include "ir/support/error.h"

namespace heddle {

// Whether this byte is one of a character of UTF-8 that began before it.
constexpr bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The error "file:line:column: what", then the line around `offset`, cut to a readable width, with a caret under the
// offending character. Columns are counted in characters.
Error located(ErrorKind kind, std::string_view text, size_t offset, std::string_view file_name, std::string_view what);

// A piece of a text that may hold anything, short and fit for a message.
std::string shown(std::string_view piece);

}  // namespace heddle
