// Reads Futhark's IR text (SOACS form or GPU form, as Futhark 0.25.27 prints it) into a seg program.
#pragma once

#include <string_view>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::futhark {

// Checks syntax only: scopes and types are the verifier's. No text makes it throw or overflow the stack. An error is
// one of input, or of what heddle does not read yet; its message is "file:line:column: what", with the column in
// characters, and below it the offending line and a caret.
Result<seg::Program> read(std::string_view text, std::string_view file_name);

}  // namespace heddle::futhark
