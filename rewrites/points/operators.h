// The operators of segreds and segscans inside a kernel, on one value for each of what they combine.
#pragma once

#include <vector>

#include "rewrites/points/body.h"

namespace heddle::lower {

using Values = std::vector<KernelValue>;

Values neutral_elements(BodyLowerer& body, const std::vector<seg::SegBinOp>& ops);
// op(a, b), one operator after the other.
Values combined(BodyLowerer& body, const std::vector<seg::SegBinOp>& ops, const Values& a, const Values& b);

// The contents of variables; elements of arrays at one place, bound to names.
Values current(BodyLowerer& body, const std::vector<ArrayValue>& variables);
Values read(BodyLowerer& body, const std::vector<ArrayValue>& arrays, const Indices& index);
void store(BodyLowerer& body, const std::vector<ArrayValue>& arrays, const Indices& index, const Values& values);

}  // namespace heddle::lower
