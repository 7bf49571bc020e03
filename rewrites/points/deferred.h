// Maps within a thread whose results need not lie in memory, because each element is read once.
//
//   let {a} = map(k, {xs, ws}, \ {x, w} -> {x * w})       no array a is made, and the redomap computes x * w
//   let {b} = reshape([..], a)                            when it reads b[i]
//   let {s} = redomap(k, {b}, ...)
#pragma once

#include <unordered_set>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::lower {

// The names of such maps' results in a point's statements. A map is one of them if it has one result, its function
// contains no loops, and the result goes, once, as a whole, to a SOAC at the same depth or to the kernel's results,
// perhaps through reshapes and transpositions.
std::unordered_set<Name> deferrable_maps(const seg::Stms& stms, const std::vector<seg::KernelResult>& results);

}  // namespace heddle::lower
