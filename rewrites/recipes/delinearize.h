// Puts two indices in the place of one, of a loop or of the work itself.
#pragma once

#include <vector>

#include "ir/nest/facts.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::lower {

// What is done for every combination of indices, the names of which mean nothing elsewhere.
struct PointWork {
  std::vector<recognize::Index>& indices;
  nest::Block& work;
  std::vector<nest::Buffer>& buffers;
};

// Of a loop's index makes two loops (rewrites/nest/digits.h). Where it is one of the work's indices, two others take its
// place there, and a buffer that is stored to at q, out[q] := x, has two dimensions instead of that one. False, and
// nothing changes, if the buffer is used in another way, too.
bool delinearize(const nest::Facts::Digits& digits, const PointWork& point, NameSource& names);

}  // namespace heddle::lower
