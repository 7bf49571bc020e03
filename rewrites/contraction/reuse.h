// How often elements are used, as far as a contraction's index maps tell.
#pragma once

#include <cstdint>

#include "rewrites/contraction/dim_maps.h"

namespace heddle::contraction {

// What is said of a reuse that sizes decide.
inline constexpr int64_t kManyPoints = int64_t{1} << 20;

// For how many points each element of the operand is used: those along parallel indices that the operand does not
// depend on, and those whose windows overlap there.
int64_t reuse_of(const recognize::Contraction& c, const recognize::Operand& operand);

// ... of the operand where these are fewest, among those of which the terms of a point are different elements. If it is
// 1, there are as many elements to read as terms to add up, and nothing that is done in a kernel makes it faster than
// memory.
int64_t least_reuse(const recognize::Contraction& c);

// Whether an operand's elements are used once and lie side by side along the one index of the reduction, as in a matrix times a vector. Then the threads of
// a warp had better go through a row together: tiles hold short pieces of many rows, of which memory delivers little at a time.
// H100, 32768x32768: 2.31 ms by tiles, 1.46 by cuBLAS.
bool reads_rows_once(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers);

// Whether points only sum up windows of few, constantly many terms, and no element is used for more points than a window has. Then
// there is no second operand to tile. Point by point such loops are unrolled, what factors follow from their indices is literal,
// and caches serve the windows: H100, 5x5 in 16 bits with weights computed from the indices, 32 times: 1.12 ms by Futhark's kernel,
// which does so, 1.74 by tiles.
bool is_stencil(const recognize::Contraction& c);

// The same where factors may be read that no point has for itself, as a filter's taps are. Tiles suit such sums, too; but nothing is
// lost where they are computed point by point for the sake of what is fused with them.
bool is_filter(const recognize::Contraction& c);

// Whether no element is picked by indices of the point and of the reduction at once, so that in each step all points read the same
// elements, beside those that a point has for all its steps. Point by point a warp then loads each element once, for all its points, and
// a point keeps its own in registers, while tiles take all of them from shared memory in each step; and what the sums of a point have in
// common is computed once. H100, 100,000 bodies that attract each other: 40 ms by tiles, for three sums, 14 by Futhark's kernel.
bool is_uniform(const recognize::Contraction& c);

}  // namespace heddle::contraction
