// Errors as users see them.
#pragma once

#include <string>

#include "ir/support/error.h"

namespace heddle::cli {

// Prints the error to stderr in the words of its kind, and yields the exit code: that of the kind, or Futhark's own.
int report(const Error& error);

}  // namespace heddle::cli
