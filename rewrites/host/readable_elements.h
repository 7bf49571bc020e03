// Whose elements may be read later than where the host's program reads them.
//
//   alloc a_1: f32[1];   launch 0 () (a_1);   read x_2: f32 = a_1[0];       a_1 is one: only who names it can overwrite its element
//   slice w_3 = b_4[0 : 1 : 1];                                             w_3 is none, nor is b_4: both have the same memory
#pragma once

#include <unordered_map>

#include "ir/host/host.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

// Arrays of one element, or whose elements stand in a row, with the name under which that was made: all that has its memory.
using Elements = std::unordered_map<Name, Name>;

struct Readable {
  Elements elements;
  Elements first;  // of what loops hand on: whose memory it has at first
};
// Those of a function's body. Of `rows` the elements stand in a row, too.
Readable readable_elements(const Block& body, const std::vector<Name>& rows);

// Those that nothing else has the memory of.
nest::NameSet with_one_name(const Elements& elements);

}  // namespace heddle::host
