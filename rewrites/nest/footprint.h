// Which elements of a dimension are read at an index that is affine in ranges of other indices: again a range.
#pragma once

#include <optional>
#include <vector>

#include "ir/nest/nest.h"

namespace heddle::nest {

// Indices from `low` to low + extent - 1, and those of several indices.
struct Range {
  Expr low, extent;
};
using Box = std::vector<Range>;

// How far an index of the dimension goes with another index. Whether backwards must be known for there to be a first
// element.
struct Coefficient {
  Expr value;
  bool negative;
};

// constant + sum over a box's indices of coefficient * index.
struct DimMap {
  Expr constant;
  std::vector<Coefficient> coefficients;
};

// -1, 0 or 1: the sign of an expression (where it may be zero, that of its other values), if it is the same for all
// names that are not negative.
std::optional<int> sign(const Expr& e);

// Whether an index of the box occurs in the map at all.
bool depends(const DimMap& map, size_t index);

// The first index read, and how many from there to the last.
Range footprint(const DimMap& map, const Box& box);

// Where the element read at `offsets` from the box's lowest indices lies in the footprint, counted from its first.
Expr position(const DimMap& map, const Box& box, const std::vector<Expr>& offsets);

}  // namespace heddle::nest
