// Nests as text, in the grammar of reader.h, which reads the same kernel from it.
#pragma once

#include <string>

#include "ir/nest/nest.h"

namespace heddle::nest {

std::string to_text(const Kernel& kernel);
std::string to_text(const Name& name);
std::string to_text(const Block& block);
std::string to_text(const Expr& e);
std::string to_text(const Buffer& buffer);  // name: space type[dims], and the strides unless they are dense
std::string_view to_text(Role role);
std::string_view to_text(Space space);

}  // namespace heddle::nest
