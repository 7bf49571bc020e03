// Which elements of a buffer are read while some loops run and everything else stands still: a box.
#pragma once

#include <vector>

#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

struct Region {
  std::vector<Polynomial> low, extent;  // per dimension of the buffer
  friend bool operator==(const Region&, const Region&) = default;
};

// The loops in a block of statements, outer ones first.
std::vector<const For*> loops_in(const Block& block);

// The values of the indices while `moving` run. The extents of those loops are replaced by what they are at most, over
// scalars and constants. Throws Refused if an index is not affine in the moving loops.
Region region_of(const Kernel& kernel, const std::vector<Expr>& index, const std::vector<const For*>& moving,
                 Facts& facts);

// The regions that the loads of a buffer in a block read, each once. Throws Refused if there are none.
std::vector<Region> regions_read(const Kernel& kernel, const Block& block, const Name& buffer,
                                 const std::vector<const For*>& moving, Facts& facts);

// The block with those loads of `source` that read the region replaced by loads of `copy`, which holds the region from
// its lowest element on. Where the copy holds zeros outside of the source, a choice between an element inside and zero
// is just a load, too.
struct Copied {
  const Buffer &source, &copy;
  const Region& region;
  bool zeros_outside;
};
Block reading_copy(const Kernel& kernel, const Block& block, const Copied& copied,
                   const std::vector<const For*>& moving, Facts& facts);

}  // namespace heddle::nest
