// What the host and the kernels both see.
#ifndef HD_DEVICE_TYPES_H
#define HD_DEVICE_TYPES_H

#include "runtime/device/limits.h"

#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

// Which failure of the program came first (-1: none) and its arguments, where the host reads it without asking the
// device for it.
struct hd_failure_report {
  int64_t id;
  int64_t args[HD_MAX_FAILURE_ARGS];
};
// The same for kernels, in the device's own memory since every thread may look: which came first, and where to report
// it.
struct hd_failure_record {
  int64_t id;
  struct hd_failure_report* report;
};

// How a kernel runs beside others (HD_BESIDE_OTHERS, backends/cuda_run.h); 0: behind all before it, and before all behind it.
enum hd_order {
  HD_LETS_NEXT_BEGIN = 1,  // as soon as all of its blocks have begun
  HD_WAITS_LAST = 2        // for those before it: not to begin, but to end
};

// A divisor of numbers below 2^31, with which hd_quotient divides by multiplying:
// floor(n / divisor) = floor(n * multiplier / 2^shift) (Granlund and Montgomery, Division by invariant integers using
// multiplication, theorem 4.2).
struct hd_divisor {
  uint32_t divisor;
  uint32_t multiplier;
  uint32_t shift;
};
#ifndef __CUDACC__
// A divisor that is less than 1 is one that no number will be divided by, and one that has no 32 bits is larger than any.
static __attribute__((unused, noinline)) struct hd_divisor hd_divisor_of(int64_t divisor) {
  struct hd_divisor d = {(uint32_t)divisor, 0, 0};
  if (divisor < 1 || divisor > (int64_t)UINT32_MAX) return d;
  uint32_t bits = 0;  // ceil(log2(divisor))
  while (((int64_t)1 << bits) < divisor) bits++;
  d.shift = 31 + bits;
  d.multiplier = (uint32_t)((((uint64_t)1 << d.shift) + (uint64_t)divisor - 1) / (uint64_t)divisor);
  return d;
}
#endif

// The same for numbers below 2^63, and without the divisor's sign: floor(n / |divisor|) = floor(n * multiplier / 2^(63 + shift)).
struct hd_long_divisor {
  uint64_t multiplier;
  uint32_t shift;
};
#ifndef __CUDACC__
static __attribute__((unused, noinline)) struct hd_long_divisor hd_long_divisor_of(int64_t divisor) {
  struct hd_long_divisor d = {0, 0};
  const uint64_t size = divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor;
  if (size == 0) return d;
  while (((uint64_t)1 << d.shift) < size) d.shift++;
  d.multiplier = (uint64_t)((((unsigned __int128)1 << (63 + d.shift)) + size - 1) / size);
  return d;
}
#endif

// Dimensions whose indices are taken from one number, the last dimension varying fastest, and what they add to the
// places in two strided windows of the same shape. All lengths and strides of the builtin kernels count elements.
struct hd_outer_dims {
  int32_t rank;
  int64_t shape[HD_MAX_RANK];
  int64_t dst_stride[HD_MAX_RANK];
  int64_t src_stride[HD_MAX_RANK];
  struct hd_long_divisor by[HD_MAX_RANK];  // of the shape; not on the CPU
};

// A copy or fill: rows, which the outer dimensions number, are cut into pieces, and a group of `lanes` neighbouring
// threads does one piece after the other.
struct hd_copy_plan {
  struct hd_outer_dims outer;
  int32_t elem_size;         // bytes: 1, 2, 4 or 8
  int32_t lanes, lanes_log;  // 1 << lanes_log
  int64_t num_pieces;
  int64_t pieces_per_row;
  struct hd_long_divisor by_pieces_per_row;  // not on the CPU
  int64_t piece_length;
  int64_t row_length;
  int64_t dst_step;  // along a row
  int64_t src_step;
};

// A transposition: neighbours along x are close together in the destination, neighbours along y in the source. A block
// takes one tile after the other.
#define HD_TILE_SIZE 64      // along both dimensions, but where one is shorter
#define HD_TILE_ELEMS 4096   // at most
#define HD_TILE_THREADS 256  // of a block, at most
#define HD_TILE_WORDS 32     // of 4 bytes, in rows and columns of tiles of narrower elements
struct hd_transpose_plan {
  struct hd_outer_dims outer;
  int32_t elem_size;
  uint32_t num_tiles, tiles_x, tiles_y;
  uint32_t width_x, width_y;              // of a tile
  uint32_t threads_log;                   // of how many threads a block has
  uint32_t abreast_x_log, abreast_y_log;  // of how many of them are neighbours along the one and the other
  bool by_words;                          // and HD_TILE_WORDS of these are a tile's rows and columns; not on the CPU
  int64_t size_x, size_y;
  int64_t dst_x, dst_y;  // strides
  int64_t src_x, src_y;
};

#endif
