// What the runtime's model is told of a kernel's geometry: the members of its structs (runtime/contraction/kernel_geometry.h), and
// the expression for each.
#pragma once

#include <string>
#include <vector>

#include "rewrites/contraction/geometry.h"

namespace heddle::contraction {

struct Member {
  std::string text;  // as C names it: "operands[1].tile"
  int64_t* place;
  nest::Expr value;
};

// Those of `at` that are the kernel's constants: the values are variables.
std::vector<Member> tiling_members(const Tiling& tiling, hd_tiling& at);
std::vector<Member> tile_members(const Geometry& geometry, hd_tile_geometry& at);
std::vector<Member> kernel_members(const Geometry& geometry, hd_kernel_geometry& at);

// The names in the members' values that are not constants of the tiling: sizes of the contraction.
std::vector<Name> sizes_of(const Geometry& geometry, const Tiling& tiling);

}  // namespace heddle::contraction
