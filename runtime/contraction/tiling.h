// Choosing a schedule for a tiled contraction: an analytical model of what limits a multiprocessor.
//
// Used by generated programs, which know the sizes, and by the compiler, which explains its choices.
#ifndef HD_TILING_H
#define HD_TILING_H

#include "runtime/contraction/kernel_geometry.h"
#include "runtime/device/limits.h"
#include "runtime/device/types.h"
#include "runtime/families/device_model.h"

// What is known of an operand when a kernel is launched. The index of dimension d is
// constants[d] + sum over i of coefficients[d * num_indices + i] * index i.
struct hd_tiled_operand {
  int rank;
  int64_t elem_size;            // bytes
  const int64_t* coefficients;  // not negative unless the kernel was made for that
  const int64_t* constants;
  const int64_t* reach;  // per dimension: how many indices there are from the first that is read to the last
  int64_t aligned;       // elements: a power of two that divides where each row begins, and how long it is
  bool by_group;         // registers are loaded for a group of reduction indices at once
  bool transposed;       // its dimensions have another order in shared memory, which is that of the coefficients here
};

// A contraction: first the parallel indices, then those of the reduction.
struct hd_contraction {
  int num_parallel, num_reduction, num_operands;
  const int64_t* extents;
  const bool* separable;    // per parallel index: a thread's points may lie apart
  const bool* window;       // per reduction index: the extent is a constant of the kernel
  const bool* may_overrun;  // per reduction index
  int64_t elem_size;        // of the result, bytes
  int64_t result_aligned;   // as hd_tiled_operand.aligned
  const struct hd_tiled_operand* operands;
  int num_by_blocks;  // so many of the first parallel indices are run through by blocks, whose tiles are 1 along them
  struct hd_geometry_functions geometry;
  int64_t
      products;  // that a term is the sum of, or takes as long as: as many multiplications for each index of the reduction; at least 1
};

// What all else here takes for granted: that a contraction is within the limits that tilings have room for.
HD_API bool hd_tiling_has_room(const struct hd_contraction* c);

// Whether a parallel index counts sums of a point (rewrites/seg/join_sums.h): no operand is picked by it. More than a few are no such sums.
HD_API bool hd_counts_sums(const struct hd_contraction* c, int p);

// Whether registers are loaded with what a group of members needs of some operand, as of windows, and not with what single members do.
HD_API bool hd_any_by_group(const struct hd_contraction* c);

// What a tiling needs and how long the model thinks it takes.
struct hd_tiling_cost {
  int64_t least_registers;  // of a thread, that are worth trying
  int64_t threads, registers, shared_bytes, blocks_per_multiprocessor, num_blocks;
  bool waits_for_memory;  // rather than that it computes, for want of stages
  double fma_seconds, issue_seconds, shared_seconds, memory_seconds;
  double seconds;
};

// What of the device a tiling needs more of than there is.
struct hd_tiling_excess {
  const char* resource;  // NULL: it fits
  int64_t needed, available;
};
// Only the cost's first line is looked at.
HD_API struct hd_tiling_excess hd_tiling_excess_of(const struct hd_device_model* device,
                                                   const struct hd_tiling_cost* cost);

// Of the tiling's tile sizes and slices; how operands travel need not be decided.
HD_API struct hd_tile_geometry hd_tiling_tiles(const struct hd_contraction* c, const struct hd_tiling* tiling);

// False if the tiling does not fit the device.
HD_API bool hd_tiling_evaluate(const struct hd_device_model* device, const struct hd_contraction* c,
                               const struct hd_tiling* tiling, struct hd_tiling_cost* cost);

// Less than what hd_tiling_evaluate finds for any tiling with these points, and these lanes and warps or multiples.
HD_API double hd_tiling_least_seconds(const struct hd_device_model* device, const struct hd_contraction* c,
                                      const struct hd_tiling* tiling);
// ... for any tiling.
HD_API double hd_contraction_least_seconds(const struct hd_device_model* device, const struct hd_contraction* c);

// How many registers a thread may be given without fewer blocks running at a time, and how many it is given.
HD_API int64_t hd_tiling_most_registers(const struct hd_device_model* device, const struct hd_tiling_cost* cost);
HD_API int64_t hd_tiling_register_limit(const struct hd_device_model* device, const struct hd_tiling_cost* cost);

#define HD_MAX_SHORTLIST 16

struct hd_ranked_tiling {
  struct hd_tiling tiling;
  struct hd_tiling_cost cost;
};
// The best tilings found, the best first, no two of them with the same points per thread. Returns how many there are,
// up to `most`.
HD_API int hd_tiling_shortlist(const struct hd_device_model* device, const struct hd_contraction* c, int most,
                               struct hd_ranked_tiling* list);

// The widest accesses that tiles and alignments allow, and the way of the result. `tiles` is what hd_tiling_tiles says.
HD_API void hd_tiling_widths(const struct hd_contraction* c, const struct hd_tile_geometry* tiles,
                             struct hd_tiling* tiling);
// Pads rows in shared memory where that keeps lanes from meeting in a bank.
HD_API void hd_tiling_pad(const struct hd_contraction* c, const struct hd_tile_geometry* tiles,
                          struct hd_tiling* tiling);
// Derives how operands and results travel from the rest of the tiling; result_shared is kept.
HD_API void hd_tiling_complete(const struct hd_contraction* c, struct hd_tiling* tiling);

// As many as hd_tiling_list has for each of them.
#define HD_MAX_TILING_VALUES ((4 + 2) * HD_MAX_TILED_INDICES + 3 * HD_MAX_TILED_OPERANDS + 6)

// One value of a tiling, as tuning files and explanations call it: "points_0", the points along parallel index 0.
struct hd_tiling_value {
  const char* name;
  int index;  // -1: there is one such value
  int64_t* place;
  bool derived;  // by hd_tiling_complete
};
// All of them in the order of the kernel's constants; returns how many.
HD_API int hd_tiling_list(const struct hd_contraction* c, struct hd_tiling* tiling, struct hd_tiling_value* values);

// ... their values alone.
HD_API int hd_tiling_values(const struct hd_contraction* c, const struct hd_tiling* tiling, int64_t* values);

#endif
