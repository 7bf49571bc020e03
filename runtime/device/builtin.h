// The runtime's own kernels: strided copies, fills and iotas of elements of 1, 2, 4 and 8 bytes.
#ifndef HD_DEVICE_BUILTIN_H
#define HD_DEVICE_BUILTIN_H

#include "prelude.h"

// Where piece number `piece` begins in the two windows, and which part of its row it covers.
struct hd_copy_piece {
  int64_t dst, src;
  int64_t begin, end;
};

HD_DEVICE struct hd_copy_piece hd_locate_piece(const struct hd_copy_plan* plan, int64_t piece) {
  struct hd_copy_piece at;
  int64_t row = piece / plan->pieces_per_row;
  at.begin = (piece - row * plan->pieces_per_row) * plan->piece_length;
  at.end = at.begin + plan->piece_length;
  if (at.end > plan->row_length) at.end = plan->row_length;
  at.dst = 0;
  at.src = 0;
  for (int d = plan->outer_rank - 1; d >= 0; d--) {
    int64_t quotient = row / plan->outer_shape[d];
    int64_t index = row - quotient * plan->outer_shape[d];
    at.dst += index * plan->dst_stride[d];
    at.src += index * plan->src_stride[d];
    row = quotient;
  }
  return at;
}

#define HD_FOR_EACH_PIECE(plan, piece)                                                             \
  for (int64_t piece = HD_BLOCK_ID * (HD_BLOCK_SIZE / (plan).lanes) + HD_THREAD_ID / (plan).lanes; \
       piece < (plan).num_pieces; piece += HD_NUM_BLOCKS * (HD_BLOCK_SIZE / (plan).lanes))
#define HD_FOR_EACH_IN_PIECE(plan, at, j) \
  for (int64_t j = (at).begin + HD_THREAD_ID % (plan).lanes; j < (at).end; j += (plan).lanes)

#define HD_DEFINE_BUILTINS(size, type)                                                                              \
  HD_KERNEL(hd_builtin_copy_##size, type* dst, const type* src, const struct hd_copy_plan plan) {                   \
    HD_FOR_EACH_PIECE(plan, piece) {                                                                                \
      const struct hd_copy_piece at = hd_locate_piece(&plan, piece);                                                \
      if (plan.dst_step == 1 && plan.src_step == 1) {                                                               \
        HD_FOR_EACH_IN_PIECE(plan, at, j) dst[at.dst + j] = src[at.src + j];                                        \
      } else {                                                                                                      \
        HD_FOR_EACH_IN_PIECE(plan, at, j) dst[at.dst + j * plan.dst_step] = src[at.src + j * plan.src_step];        \
      }                                                                                                             \
    }                                                                                                               \
  }                                                                                                                 \
  HD_KERNEL(hd_builtin_fill_##size, type* dst, const type value, const struct hd_copy_plan plan) {                  \
    HD_FOR_EACH_PIECE(plan, piece) {                                                                                \
      const struct hd_copy_piece at = hd_locate_piece(&plan, piece);                                                \
      HD_FOR_EACH_IN_PIECE(plan, at, j) dst[at.dst + j * plan.dst_step] = value;                                    \
    }                                                                                                               \
  }                                                                                                                 \
  HD_KERNEL(hd_builtin_iota_##size, type* dst, const type start, const type step, const struct hd_copy_plan plan) { \
    HD_FOR_EACH_PIECE(plan, piece) {                                                                                \
      const struct hd_copy_piece at = hd_locate_piece(&plan, piece);                                                \
      HD_FOR_EACH_IN_PIECE(plan, at, j)                                                                             \
      dst[at.dst + j * plan.dst_step] = (type)((uint64_t)start + (uint64_t)j * (uint64_t)step);                     \
    }                                                                                                               \
  }
HD_DEFINE_BUILTINS(1, uint8_t)
HD_DEFINE_BUILTINS(2, uint16_t)
HD_DEFINE_BUILTINS(4, uint32_t)
HD_DEFINE_BUILTINS(8, uint64_t)
#undef HD_DEFINE_BUILTINS

#ifndef __CUDACC__

#define HD_DEFINE_TRAMPOLINES(size, type)                                                       \
  static void hd_builtin_copy_##size##_cpu(const struct hd_cpu_launch* launch, void** args) {   \
    type* dst = *(type**)args[0];                                                               \
    const type* src = *(const type**)args[1];                                                   \
    const struct hd_copy_plan* plan = args[2];                                                  \
    HD_CPU_FOR_EACH_THREAD(launch, self) hd_builtin_copy_##size(self, dst, src, *plan);         \
  }                                                                                             \
  static void hd_builtin_fill_##size##_cpu(const struct hd_cpu_launch* launch, void** args) {   \
    type* dst = *(type**)args[0];                                                               \
    const type value = *(const type*)args[1];                                                   \
    const struct hd_copy_plan* plan = args[2];                                                  \
    HD_CPU_FOR_EACH_THREAD(launch, self) hd_builtin_fill_##size(self, dst, value, *plan);       \
  }                                                                                             \
  static void hd_builtin_iota_##size##_cpu(const struct hd_cpu_launch* launch, void** args) {   \
    type* dst = *(type**)args[0];                                                               \
    const type start = *(const type*)args[1];                                                   \
    const type step = *(const type*)args[2];                                                    \
    const struct hd_copy_plan* plan = args[3];                                                  \
    HD_CPU_FOR_EACH_THREAD(launch, self) hd_builtin_iota_##size(self, dst, start, step, *plan); \
  }
HD_DEFINE_TRAMPOLINES(1, uint8_t)
HD_DEFINE_TRAMPOLINES(2, uint16_t)
HD_DEFINE_TRAMPOLINES(4, uint32_t)
HD_DEFINE_TRAMPOLINES(8, uint64_t)
#undef HD_DEFINE_TRAMPOLINES

static void (*const hd_builtin_cpu[HD_NUM_BUILTINS])(const struct hd_cpu_launch*, void**) = {
    hd_builtin_copy_1_cpu, hd_builtin_copy_2_cpu, hd_builtin_copy_4_cpu, hd_builtin_copy_8_cpu,
    hd_builtin_fill_1_cpu, hd_builtin_fill_2_cpu, hd_builtin_fill_4_cpu, hd_builtin_fill_8_cpu,
    hd_builtin_iota_1_cpu, hd_builtin_iota_2_cpu, hd_builtin_iota_4_cpu, hd_builtin_iota_8_cpu};

#endif

#endif
