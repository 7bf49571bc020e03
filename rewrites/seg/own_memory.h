// Points that change no memory but what they make themselves.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {row : [d]t} = xss[i, :]
//   let {y : [d]t} = loop {r : *[d]t} = {row} for k < d do ...
// where xss is bound outside of the body, becomes
//   let {row : [d]t} = xss[i, :]
//   let {own : [d]t} = copy(row)
//   let {y : [d]t} = loop {r : *[d]t} = {own} for k < d do ...
// A point as it was may be computed once, and not within a loop; as it is now, as often as one likes, anywhere. Throws
// Refused where a function that is called consumes what is bound outside.
KernelBody with_own_memory(const KernelBody& body, NameSource& names);
// Of an operator, whose parameters count as bound outside.
Lambda with_own_memory(const Lambda& op, NameSource& names);

}  // namespace heddle::seg
