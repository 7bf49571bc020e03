// Branches that only choose integers become selects, so that what is known of the integers can be proved of the choice.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

//   alloc a: register i64
//   if i < 0 { let t = 0 - i; a[] := t } else { a[] := i }           let t = 0 - i
//   let x = a[]                                               =>     let a = i < 0 ? t : i
//   out[i] := v[x]                                                   let x = a
//                                                                    out[i] := v[x]
// where computing both is harmless: nothing is read, and nothing may fail. Branches that choose among constants stay: which they are
// is plain to see in the registers.
Block with_choices(const Block& block);

}  // namespace heddle::nest
