// Which elements of an operand are read by a box of parallel and reduction indices: again a box.
#pragma once

#include <optional>
#include <vector>

#include "ir/nest/nest.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

// Indices from `low` to low + extent - 1, for each index of a contraction: first the parallel ones, then those of the
// reduction.
struct Range {
  nest::Expr low, extent;
};
using Box = std::vector<Range>;

// An index of one dimension of an operand: constant + sum over the contraction's indices of coefficient * index.
// Names in coefficients are not negative: whoever launches the kernel sees to that.
struct DimMap {
  nest::Expr constant;
  std::vector<nest::Expr> coefficients;
};

// One per dimension of the operand.
std::vector<DimMap> dim_maps(const recognize::Contraction& c, const recognize::Operand& o);

// -1, 0 or 1: the sign of a coefficient (where it may be zero, that of its other values), if it is the same for all
// names that are not negative.
std::optional<int> sign(const nest::Expr& coefficient);

// Whether an index of the contraction occurs in the map at all.
bool depends(const DimMap& map, size_t index);

// The first index read, and how many from there to the last.
struct Extent {
  nest::Expr low, extent;
};
Extent footprint(const DimMap& map, const Box& box);

// Where the element read at `indices` lies in the footprint, counted from its first.
nest::Expr position(const DimMap& map, const Box& box, const std::vector<nest::Expr>& offsets);

}  // namespace heddle::contraction
