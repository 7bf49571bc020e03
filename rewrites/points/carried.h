// What a loop does with the memory of the values that it carries from step to step.
#pragma once

#include <optional>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::lower {

// The parameters that stay what they are before the loop: accumulators, scalars that each step passes on, and scalars that begin as the same and
// only change places, as d and e in
//   let {...} = loop {d, e, a: [d]i32, b: [e]i32} = {n, n, xs, ys} ... in {e, d, b, a}
std::vector<bool> unchanged(const seg::Loop& loop);

// Whether each element of an array's next value is made of the old element at its place, and nothing else is done with the old array, as with `sums`
// in
//   let {...} = loop {sums} = ... { let {next} = map(n, {sums, xs}, \ {s, x} -> { let {row} = map(m, {s, x}, +) in {row} }) in {next} }
// The body's result is the next value.
bool made_over_itself(const seg::BodyPtr& body, const seg::SubExp& result, const Name& old);

// The names of an array that nobody needs but loops of the body, one after the other, of which each makes it anew, and changes places with no other:
// from the parameter to the result.
// None if anything else is done with it. Of `a`, in
//   let {...} = loop {a} = ... { let {b} = loop {c = a} ... let {d} = loop {e = b} ... in {d} }
// these are a, b and d.
std::vector<Name> handed_to_loops(const seg::Loop& loop, size_t param);

// Arrays of the same type of which each but the last has its next value in the memory of the one behind it, that is updated in place or left as it
// is: from and to in
//   let {...} = loop {from, to} = ... { let {to'} = to with [i] = from[j] in {to', from} }
// The last one's lies in the memory of the first, or `is_new`, as b's in
//   let {...} = loop {a, b} = ... { let {c} = map(n, {a}, f) in {b, c} }
// of which one alone is an array that each step makes anew.
struct ChangingPlaces {
  std::vector<size_t> params;
  bool is_new;
};
std::vector<ChangingPlaces> changing_places(const seg::Loop& loop);

}  // namespace heddle::lower
