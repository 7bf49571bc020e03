// The named constants of a tiled contraction: its kernel's text is written in terms of these, and compiled once their
// values are known. Choosing the values is choosing a schedule.
#pragma once

#include <vector>

#include "ir/nest/nest.h"
#include "rewrites/recognize/contraction.h"
#include "runtime/contraction/tiling_values.h"

namespace heddle::contraction {

#define HD_NAME_FIELD(name, settled) Name name;

// A parallel index p is cut into block tiles of warps * lanes * points indices. A block's threads are numbered by their
// warp's place and their lane's place along all parallel indices; the lanes' product over these is the warp's size.
// `run` of a thread's points are neighbours, and its runs are as far apart as all threads have of them: all points
// unless the index is separable, when it may be any divisor.
struct ParallelTile {
  HD_PARALLEL_VALUES(HD_NAME_FIELD)
};

// A reduction index r is cut into chunks, each staged in shared memory at once, and these into groups of `unroll`
// indices that are written out. Either the extent is a constant of the kernel and a multiple of `unroll`, or `unroll`
// is 1.
struct ReductionTile {
  HD_REDUCTION_VALUES(HD_NAME_FIELD)
};

// How an operand travels, in elements at once: from global to shared memory and from there to registers. `padding` is
// added to the rows of its tile in shared memory, against bank conflicts; a multiple of `load_width`.
struct OperandTile {
  HD_OPERAND_VALUES(HD_NAME_FIELD)
};

// slices         of the reduction within a block: so many times the threads of a tile, each time for a part of it
// store_width    elements of the result that are stored at once
// result_shared  1: results go through shared memory, so that neighbours are stored together, and slices are added up; 0: no
// stages         of the pipeline through shared memory, at least 2
// ahead          how many groups ahead of the arithmetic registers are loaded, 0 or 1. If 1, every chunk has an even number
//                of groups for every slice: were the second of two left out at times, the compiler would move its loads
//                to where they are needed
// registers      that a thread may have, at most 255
struct Tiling {
  std::vector<ParallelTile> parallel;    // one per parallel index
  std::vector<ReductionTile> reduction;  // one per reduction index
  std::vector<OperandTile> operands;     // one per operand
  HD_KERNEL_VALUES(HD_NAME_FIELD)
};

#undef HD_NAME_FIELD

Tiling name_tiling(const recognize::Contraction& c, NameSource& names);

// All of them, in the order in which a schedule lists their values.
std::vector<Name> constants_of(const Tiling& t);

}  // namespace heddle::contraction
