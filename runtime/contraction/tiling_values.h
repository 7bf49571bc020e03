// The one list of a tiled kernel's named constants, in the order in which schedules list their values: those of each
// parallel index, of each reduction index, of each operand, and of the kernel. VALUE(name, settled) stands for each;
// settled ones follow from the others (hd_family::settle). What they mean is said in rewrites/contraction/tiling.h.
#ifndef HD_TILING_VALUES_H
#define HD_TILING_VALUES_H

// clang-format off
#define HD_PARALLEL_VALUES(VALUE) VALUE(warps, false) VALUE(lanes, false) VALUE(points, false) VALUE(run, true)
#define HD_REDUCTION_VALUES(VALUE) VALUE(chunk, false) VALUE(unroll, false)
#define HD_OPERAND_VALUES(VALUE) VALUE(copy_width, true) VALUE(load_width, true) VALUE(padding, true)
#define HD_KERNEL_VALUES(VALUE) \
  VALUE(slices, false) VALUE(store_width, true) VALUE(result_shared, false) \
  VALUE(stages, false) VALUE(ahead, false) VALUE(registers, false)
// clang-format on

#endif
