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

}  // namespace heddle::host
