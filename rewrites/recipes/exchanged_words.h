// Scalars as words that blocks may exchange while both run: each word holds 32 bits, and says by itself that it is there. No fence is needed
// then, since nothing else is read for what a word says: words are accessed as a whole (volatile accesses are relaxed ones of the system's scope
// in PTX's memory model, and single instructions on processors), and the next kernel, which uses the same memory, comes behind all of this one.
#pragma once

#include <vector>

#include "rewrites/points/array_value.h"

namespace heddle::lower {

// i64 words for a value: 1 in the upper half, 32 of its bits in the lower. What has more bits takes several, and a reader
// that finds none of them to be zero has the whole value, in whatever order they were written.
std::vector<nest::Expr> to_words(Binder& binder, const nest::Expr& value);
// How many, for a value of this type; not unit.
size_t num_words(prim::Type type);
// The value of these words.
nest::Expr from_words(prim::Type type, const std::vector<nest::Expr>& words);

}  // namespace heddle::lower
