// Whether a seg program is well-formed: scopes, types, sizes as far as they are known by name, and that nothing is used
// after it has been consumed. Takes time linear in the program's size.
#pragma once

#include <string>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::seg {

struct Problem {
  int line = 0;  // of the statement, in the text it was read from; 0 if unknown or not in a statement
  std::string message;
};

// In textual order; empty when the program is well-formed. Stops collecting after a hundred.
std::vector<Problem> verify(const Program& program);

}  // namespace heddle::seg
