// Makes of a reduction or loop that carries several values, each of which only depends on itself, one for each.
//
//   let {a, b} = loop {x, y} = {0, 0} for i < n do { let u = f(i) let v = x + u let w = y + u * u in {v, w} }
// becomes
//   let {a} = loop {x} = {0} for i < n do { let u = f(i) let v = x + u in {v} }
//   let {b} = loop {y} = {0} for i < n do { let u = f(i) let w = y + u * u in {w} }
//
// So each may be a contraction, though what they have in common is computed for each. Every value is the same to the
// last bit. What carries values that need each other (a pair that is compared, as for the place of the largest) stays.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

Stms separate_accumulators(const Stms& stms, NameSource& names);

// All that can be separated, in kernels and in host code.
Result<Program> separate_accumulators(const Program& program);

}  // namespace heddle::seg
