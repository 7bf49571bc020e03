// Remainders of what is known to be less than one divisor away from its range, without a division.
//
//   for i in n (grid) { out[i] := a[(i + 1) % n] }
//     =>
//   for i in n (grid) { out[i] := a[i + 1 < n ? i + 1 : i + 1 - n] }
//
// A division by a number that is known when the kernel runs takes some twenty instructions, and registers that all of the kernel then has less of.
#pragma once

#include "ir/nest/nest.h"
#include "ir/support/names.h"

namespace heddle::nest {

// The kernel's body so changed.
Block around_once(const Kernel& kernel, NameSource& names);

}  // namespace heddle::nest
