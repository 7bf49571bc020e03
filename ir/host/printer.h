// Host programs as text, in the grammar of reader.h, which reads the same program from it.
#pragma once

#include <string>

#include "ir/host/host.h"

namespace heddle::host {

std::string to_text(const Program& program);
std::string to_text(const Block& block);
std::string to_text(const Type& type);  // f32, i8[][]

// The words of the text.
std::string_view word(Aspect aspect);
std::string_view word(Question question);
std::string_view word(seg::SizeClassKind kind);

}  // namespace heddle::host
