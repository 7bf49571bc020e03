// Reductions of what a scan's points return besides, computed where it is reduced.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/names.h"

namespace heddle::seg {

// let {s : [n]t, y : [n]u, z : [n]u} = segscan(thread)(j < n) (...) : {t, u, u} { let {x} = a[j] ... return {returns t, returns f(x), returns g(x)} }
// let {r, q} = segred(thread)(j < n) (...) : {u, u} { let {b} = y[j] let {c} = z[j] return {returns b, returns c} }
//   becomes, where points are short and read no more arrays than y and z,
// let {r, q} = segred(thread)(j < n) (...) : {u, u} { let {x} = a[j] ... return {returns f(x), returns g(x)} }
//
// so that a processor need not store what is computed quicker than it is read, where nobody else reads it. Between the two nothing may be overwritten.
Program computed_in_reductions(const Program& program, NameSource& names);

}  // namespace heddle::seg
