// The warnings that Futhark's own code generators give, which come after the stage that we take the program from.
#pragma once

#include <string>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::futhark {

// One text of two lines for each, as Futhark prints them but without the call stack of the place, which the IR does not
// have: checks that stand under the attribute warn(safety_checks), and loops under unroll, whose number of iterations
// Futhark did not know, or it would have unrolled them. `program` is what Futhark printed. Each is given once, in the
// order of the text.
std::vector<std::string> generator_warnings(const seg::Program& program);

}  // namespace heddle::futhark
