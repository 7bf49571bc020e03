// Scalars whose values may differ between the rounds of a host loop that they are in:
//
//   for i < n loop (k = n) {
//     m = n - i       changing: i, k and m, and what is read from memory
//     h = n / 2       not: h
//   }
#pragma once

#include "ir/host/host.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

// Arrays that are made of or sliced by such scalars are among them.
nest::NameSet changing_names(const Block& body);

// Whether a kernel is asked for sizes that change from one round of a loop to the next, so that many rounds have none of their own.
bool sizes_change(const Way& way, const nest::NameSet& changing);

}  // namespace heddle::host
