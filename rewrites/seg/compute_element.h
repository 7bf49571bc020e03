// Computes an element of a map's result again where host code reads it, so that the host need not wait for the map.
//
//   let {a} = segmap(thread)(i < n) { let x = slt64(i, m) return {returns x} }
//   let {y} = a[k]
// becomes
//   let {x'} = slt64(k, m)
//   let {y} = x'
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

// `read` is a statement that reads a single element of the `result`-th result of `map`.
Stms compute_element(const Stm& read, const Stm& map, size_t result, NameSource& names);

}  // namespace heddle::seg
