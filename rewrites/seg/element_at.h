// A single element of an array that a point computes.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "rewrites/seg/builder.h"

namespace heddle::seg {

// What `array` is at indices `at`, of the type `elem`, where the statements `stms` have been done: of
//   let {x : [a]t} = xs[j, 0 :+ a] let {y : [b]t} = ys[j, 0 :+ b] let {z : [a][b]t} = map(a, {x}, \p -> map(b, {y}, \q -> p * q))
// z[k, l] becomes
//   let {p} = xs[j, k] let {q} = ys[j, l] let {r} = p * q
// which `b` is given. It may use names that are bound outside of `stms`. Nothing where that takes more than reads and a little arithmetic, or may fail.
std::optional<SubExp> element_at(const Stms& stms, const SubExp& array, const std::vector<SubExp>& at, prim::Type elem,
                                 Builder& b);

}  // namespace heddle::seg
