// The runtime's own kernels: strided copies, fills and iotas. Each serves all element sizes, because the number of
// kernels is what every program's compilation pays for.
#ifndef HD_DEVICE_BUILTIN_H
#define HD_DEVICE_BUILTIN_H

#include "prelude.h"

// Where a piece begins in the two windows, and which part of its row the thread takes: begin, begin + step, ... below
// end.
struct hd_copy_piece {
  int64_t dst, src;
  int64_t begin, end, step;
};

HD_DEVICE struct hd_copy_piece hd_locate_piece(const struct hd_copy_plan* plan, int64_t piece, int lane) {
  struct hd_copy_piece at;
  int64_t row = piece / plan->pieces_per_row;
  int64_t begin = (piece - row * plan->pieces_per_row) * plan->piece_length;
  at.begin = begin + lane;
  at.end = begin + plan->piece_length;
  if (at.end > plan->row_length) at.end = plan->row_length;
  at.step = plan->lanes;
  at.dst = 0;
  at.src = 0;
  HD_NO_UNROLL
  for (int d = plan->outer_rank - 1; d >= 0; d--) {
    int64_t quotient = row / plan->outer_shape[d];
    int64_t index = row - quotient * plan->outer_shape[d];
    at.dst += index * plan->dst_stride[d];
    at.src += index * plan->src_stride[d];
    row = quotient;
  }
  return at;
}

// The part of the three operations that depends on the size of elements.
#define HD_DEFINE_PIECES(type)                                                                                   \
  HD_DEVICE void hd_copy_piece_##type(type* dst, const type* src, const struct hd_copy_plan* plan,               \
                                      const struct hd_copy_piece* at) {                                          \
    const int64_t dst_step = plan->dst_step, src_step = plan->src_step;                                          \
    if (HD_ON_CPU && dst_step == 1 && src_step == 1) {                                                           \
      for (int64_t j = at->begin; j < at->end; j++) dst[at->dst + j] = src[at->src + j];                         \
    } else {                                                                                                     \
      for (int64_t j = at->begin; j < at->end; j += at->step) {                                                  \
        dst[at->dst + j * dst_step] = src[at->src + j * src_step];                                               \
      }                                                                                                          \
    }                                                                                                            \
  }                                                                                                              \
  HD_DEVICE void hd_fill_piece_##type(type* dst, uint64_t start, uint64_t step, const struct hd_copy_plan* plan, \
                                      const struct hd_copy_piece* at) {                                          \
    const int64_t dst_step = plan->dst_step;                                                                     \
    for (int64_t j = at->begin; j < at->end; j += at->step) {                                                    \
      dst[at->dst + j * dst_step] = (type)(start + (uint64_t)j * step);                                          \
    }                                                                                                            \
  }
HD_DEFINE_PIECES(uint8_t)
HD_DEFINE_PIECES(uint16_t)
HD_DEFINE_PIECES(uint32_t)
HD_DEFINE_PIECES(uint64_t)
#undef HD_DEFINE_PIECES

#define HD_FOR_EACH_PIECE(plan, piece)                                                             \
  HD_NO_UNROLL                                                                                     \
  for (int64_t piece = HD_BLOCK_ID * (HD_BLOCK_SIZE / (plan).lanes) + HD_THREAD_ID / (plan).lanes; \
       piece < (plan).num_pieces; piece += HD_NUM_BLOCKS * (HD_BLOCK_SIZE / (plan).lanes))

HD_KERNEL(hd_builtin_copy, void* dst, const void* src, const struct hd_copy_plan plan) {
  HD_FOR_EACH_PIECE(plan, piece) {
    const struct hd_copy_piece at = hd_locate_piece(&plan, piece, HD_THREAD_ID % plan.lanes);
    switch (plan.elem_size) {
      case 1:
        hd_copy_piece_uint8_t((uint8_t*)dst, (const uint8_t*)src, &plan, &at);
        break;
      case 2:
        hd_copy_piece_uint16_t((uint16_t*)dst, (const uint16_t*)src, &plan, &at);
        break;
      case 4:
        hd_copy_piece_uint32_t((uint32_t*)dst, (const uint32_t*)src, &plan, &at);
        break;
      default:
        hd_copy_piece_uint64_t((uint64_t*)dst, (const uint64_t*)src, &plan, &at);
        break;
    }
  }
}

// Element j of a row becomes start + j * step.
HD_KERNEL(hd_builtin_fill, void* dst, const uint64_t start, const uint64_t step, const struct hd_copy_plan plan) {
  HD_FOR_EACH_PIECE(plan, piece) {
    const struct hd_copy_piece at = hd_locate_piece(&plan, piece, HD_THREAD_ID % plan.lanes);
    switch (plan.elem_size) {
      case 1:
        hd_fill_piece_uint8_t((uint8_t*)dst, start, step, &plan, &at);
        break;
      case 2:
        hd_fill_piece_uint16_t((uint16_t*)dst, start, step, &plan, &at);
        break;
      case 4:
        hd_fill_piece_uint32_t((uint32_t*)dst, start, step, &plan, &at);
        break;
      default:
        hd_fill_piece_uint64_t((uint64_t*)dst, start, step, &plan, &at);
        break;
    }
  }
}

#undef HD_FOR_EACH_PIECE

#ifndef __CUDACC__

static void hd_builtin_copy_cpu(const struct hd_cpu_launch* launch, void** args) {
  void* dst = *(void**)args[0];
  const void* src = *(const void**)args[1];
  const struct hd_copy_plan* plan = (const struct hd_copy_plan*)args[2];
  HD_CPU_FOR_EACH_THREAD(launch, self) hd_builtin_copy(self, dst, src, *plan);
}

static void hd_builtin_fill_cpu(const struct hd_cpu_launch* launch, void** args) {
  void* dst = *(void**)args[0];
  const uint64_t start = *(const uint64_t*)args[1];
  const uint64_t step = *(const uint64_t*)args[2];
  const struct hd_copy_plan* plan = (const struct hd_copy_plan*)args[3];
  HD_CPU_FOR_EACH_THREAD(launch, self) hd_builtin_fill(self, dst, start, step, *plan);
}

static void (*const hd_builtin_cpu[HD_NUM_BUILTINS])(const struct hd_cpu_launch*, void**) = {
    [HD_BUILTIN_COPY] = hd_builtin_copy_cpu, [HD_BUILTIN_FILL] = hd_builtin_fill_cpu};

#endif

#endif
