// How large everything is in a tiled kernel, as expressions over its schedule's numbers and its scalars. This is where it
// is said: the recipe (tiled.h) makes memory, loops and threads of these, and the runtime's model of tilings is told of
// them (geometry_members.h).
#pragma once

#include <cstddef>
#include <vector>

#include "ir/nest/nest.h"
#include "rewrites/contraction/schedule.h"
#include "runtime/contraction/kernel_geometry.h"

namespace heddle::contraction {

// How many elements a wide access moves; rows in shared memory begin at multiples.
inline nest::Expr quantum(prim::Type elem) { return nest::constant(int64_t{HD_WIDE_BYTES} / prim::size_bytes(elem)); }

struct OperandGeometry {
  // Of a block in one chunk, per dimension.
  std::vector<nest::Expr> footprint;
  // Its memory, the stages of the pipeline first and then the footprint in the order in which it is staged; how much of
  // a row that is, and the length of the rows before they are padded.
  std::vector<nest::Expr> tile;
  nest::Expr part, row;
  // Where the last of the staged dimensions begins in the first block and chunk.
  nest::Expr first;
  // What is copied of each dimension: rows of so many columns, as wide as a copy. `abreast` threads stand side by side
  // along a row, which leaves threads for as many rows as are copied `at_once`; a thread takes so many rounds to the
  // right, and in each so many down.
  std::vector<nest::Expr> copied;
  nest::Expr columns, rows, abreast, at_once, rounds_right, rounds_down;
  // What a thread holds, in the order in which the operand is staged, for so many of each reduction index; and how many
  // neighbours of the last dimension it needs of that.
  std::vector<nest::Expr> members, registers;
  nest::Expr reach;
  // Per parallel index: how far apart in the tile what is read for neighbours lies, in rows and in columns.
  std::vector<nest::Expr> rows_apart, columns_apart;
};

struct Geometry {
  // Per parallel index.
  std::vector<nest::Expr> threads_along, block_tile, blocks_along;
  nest::Expr threads, num_blocks;
  std::vector<nest::Expr> points;  // of a thread

  // Per index of the reduction.
  std::vector<nest::Expr> chunk, unroll, num_chunks;
  // Slices of threads share the groups of this one.
  size_t sliced;
  nest::Expr slices;
  // Of a chunk that has so many indices; and the rounds in which the slices take so many.
  nest::Expr groups(size_t reduction_index, const nest::Expr& indices) const;
  nest::Expr rounds(const nest::Expr& groups) const { return nest::ceil_div(groups, slices); }
  nest::Expr groups_of_slice;    // of a whole chunk, over all indices
  nest::Expr groups_are_paired;  // bool: their number is even in each chunk

  std::vector<OperandGeometry> operands;

  // The result's: one point of each thread along the first indices, all of a block along the last two.
  std::vector<nest::Expr> result_box;
  std::vector<nest::Expr> result_tile;  // per slice, with gaps; empty where results do not go through shared memory

  nest::Expr shared_bytes;
};

Geometry geometry_of(const recognize::Contraction& c, const Structure& structure, const Schedule& schedule);

// The first of the parallel indices along which all points go through shared memory together.
inline size_t first_together(size_t num_parallel) { return num_parallel < 2 ? 0 : num_parallel - 2; }

// Whether a thread's neighbouring results may be moved by wide accesses.
nest::Expr runs_are_wide(const nest::Expr& run, prim::Type elem);
// Where element `x` of a row of results lies: long runs lie a wide access apart, lest threads that store them meet in a
// bank.
nest::Expr in_result_row(const nest::Expr& run, prim::Type elem, const nest::Expr& x);

}  // namespace heddle::contraction
