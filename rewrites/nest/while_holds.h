// Lets a thread do nothing more once a flag of its own has been lowered.
//
//   for i in n {                                for i in n {
//     let x = a[i]                                if ok[] {
//     if 8 < x { ok[] := false }        =>          let x = a[i]
//     b[x] := i                                     if 8 < x { ok[] := false }
//   }                                               if ok[] { b[x] := i }
//   c[] := 1                                      }
//                                               }
//                                               if ok[] { c[] := 1 }
//
// The flag is a register that holds where the block begins. So kernels need no way to leave loops and branches.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Block while_holds(const Block& block, const Name& flag);

}  // namespace heddle::nest
