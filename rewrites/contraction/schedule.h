// All decisions about the kernel of a contraction: what it does, and with which numbers.
//
// A kernel follows from its contraction and its schedule alone (tiled.h). Its structure is fixed when the program is
// compiled. Its numbers are literals or constants of the kernel, whose values are found when sizes are known: by the
// runtime's model, a tuning file, or measuring.
#pragma once

#include <vector>

#include "rewrites/contraction/structure.h"
#include "rewrites/contraction/tiling.h"

namespace heddle::contraction {

// How a thread comes by the elements that it multiplies. Each way is quicker than the one before it.
enum class Reads {
  Guarded,     // from global memory, where all indices are inside of their extents
  Branchless,  // from global memory, and zeros where there is no element: what that adds to sums is never stored
  Shared,      // from tiles in shared memory, which have zeros there
  Registers,   // ..., by way of registers that hold what all of the thread's points need
};

struct Schedule {
  struct Parallel {
    nest::Expr warps, lanes, points, run;  // ParallelTile
  };
  struct Reduction {
    nest::Expr chunk, unroll;  // ReductionTile
  };
  struct Operand {
    // Its dimensions in the order that they have in shared memory. A thread reads neighbours there along the last one.
    std::vector<size_t> order;
    bool by_group;                               // registers are loaded for a group of reduction indices at once
    nest::Expr copy_width, load_width, padding;  // OperandTile
  };

  // Parallel indices, the one first that counts slowest. Blocks that read the same part of the first operand follow each
  // other, so that it is found in the cache.
  std::vector<size_t> grid_order;
  std::vector<Parallel> parallel;
  std::vector<Reduction> reduction;
  size_t sliced;  // the index of the reduction whose groups the slices share
  std::vector<Operand> operands;
  bool by_chunks;     // the reduction is taken in chunks of groups, else index by index
  bool unguarded;     // its unguarded term is computed, if it has one, and what becomes no number again with guards
  Reads reads;        // what is in shared memory is there by chunks
  bool serpentine;    // points are taken in the order in which only one index changes at a time, by one
  bool asynchronous;  // chunks are copied while others are computed with
  nest::Expr slices, store_width, result_shared, stages, ahead, registers;  // Tiling
};

// The schedule of the kernel that runs, its numbers open.
Schedule full_schedule(const recognize::Contraction& c, const Structure& structure, const Tiling& tiling);

// What it says of an operand.
std::vector<size_t> staged_order(const recognize::Contraction& c, const Structure& structure, size_t operand);
bool loads_by_group(const Structure& structure, size_t operand, const std::vector<size_t>& order, size_t num_parallel);

// Whether an operand's tiles lie in shared memory in another order of dimensions than in global memory.
bool is_transposed(const std::vector<size_t>& order);

}  // namespace heddle::contraction
