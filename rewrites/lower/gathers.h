// Maps that only move elements, and where their elements may be read from the sources instead.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::lower {

// Whether each element is a constant, or one of another array at indices that take little to compute, perhaps depending
// on a condition; asserts apart:
//
//   segmap(thread)(p < n, r < k) { let y = p / w ... let v = image[c, y + i, x + j] return {returns v} }
bool is_gather(const seg::SegOp& op);

// Whether host code in the function may change what is in an array after it has been made. Where none does, an element
// can be read at any later time as well.
bool overwrites(const seg::FunDef& function);

}  // namespace heddle::lower
