// Maps that only move elements, and where their elements may be read from the sources instead.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::graph {

// Whether each element is a constant, or one of another array at indices that take little to compute, perhaps depending
// on a condition; asserts apart:
//
//   segmap(thread)(p < n, r < k) { let y = p / w ... let v = image[c, y + i, x + j] return {returns v} }
bool is_gather(const seg::SegOp& op);

// The host arrays whose elements a gather reads.
std::vector<Name> arrays_read(const seg::SegOp& op);

}  // namespace heddle::graph
