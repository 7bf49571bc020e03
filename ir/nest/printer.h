// Nests as text for people and golden tests. Names are printed with their tags; 64-bit integers without a type suffix;
// signed and floating-point arithmetic infix (so that the promise not to overflow does not show), all other operators
// by name.
#pragma once

#include <string>

#include "ir/nest/nest.h"

namespace heddle::nest {

std::string to_text(const Kernel& kernel);
std::string to_text(const Block& block);
std::string to_text(const Expr& e);
std::string to_text(const Buffer& buffer);  // name: space type[dims], and the strides unless they are dense
std::string_view to_text(Role role);
std::string_view to_text(Space space);

}  // namespace heddle::nest
