// The runtime's own kernels: strided copies, transpositions, fills and iotas. Each serves all element sizes, because
// the number of kernels is what every program's compilation pays for.
#ifndef HD_DEVICE_BUILTIN_H
#define HD_DEVICE_BUILTIN_H

#include "runtime/device/async.h"
#include "runtime/device/quotient.h"

// A row of few elements must not take longer to find than to copy: dividing 64 bits takes a device a hundred instructions.
HD_DEVICE int64_t hd_part_of(int64_t n, int64_t size, struct hd_long_divisor by) {
  return HD_ON_CPU ? n / size : hd_sdiv64_by(n, size, by);
}

// Adds to `dst` and `src` where row number `row` begins.
HD_DEVICE void hd_locate_row(const struct hd_outer_dims* outer, int64_t row, int64_t* dst, int64_t* src) {
  HD_NO_UNROLL
  for (int d = outer->rank - 1; d >= 0; d--) {
    int64_t quotient = d > 0 ? hd_part_of(row, outer->shape[d], outer->by[d]) : 0;
    int64_t index = row - quotient * outer->shape[d];
    *dst += index * outer->dst_stride[d];
    *src += index * outer->src_stride[d];
    row = quotient;
  }
}

// Where a piece's row begins in the two windows, and which part of it the thread takes: begin, begin + lanes, ... below
// end.
struct hd_copy_piece {
  int64_t dst, src;
  int64_t begin, end;
};

HD_DEVICE struct hd_copy_piece hd_locate_piece(const struct hd_copy_plan* plan, int64_t piece, int lane) {
  struct hd_copy_piece at = {0, 0, 0, 0};
  int64_t row = plan->pieces_per_row == 1 ? piece : hd_part_of(piece, plan->pieces_per_row, plan->by_pieces_per_row);
  int64_t begin = (piece - row * plan->pieces_per_row) * plan->piece_length;
  at.begin = begin + lane;
  at.end = begin + plan->piece_length;
  if (at.end > plan->row_length) at.end = plan->row_length;
  hd_locate_row(&plan->outer, row, &at.dst, &at.src);
  return at;
}

// Copies and fills go through memory one element at a time however they are compiled, but with -O3 GCC takes long over
// them, and every program has them.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC push_options
#pragma GCC optimize("O2")
#endif

// From so many elements on that lie together, calling the C library is quicker.
#define HD_WORTH_A_MOVE 16
#ifdef __CUDACC__
#define HD_MOVE(dst, src, bytes) ((void)0)
#else
#define HD_MOVE(dst, src, bytes) __builtin_memmove((dst), (src), (bytes))
#endif

// The part of copies and fills that depends on the size of elements: those numbered begin, begin + by, ... below end.
#define HD_DEFINE_PIECES(type)                                                                               \
  HD_OUTLINED void hd_copy_elems_##type(type* dst, const type* src, int64_t begin, int64_t end, int64_t by,  \
                                        int64_t dst_step, int64_t src_step) {                                \
    if (HD_ON_CPU && dst_step == 1 && src_step == 1 && end - begin >= HD_WORTH_A_MOVE) {                     \
      HD_MOVE(&dst[begin], &src[begin], (size_t)(end - begin) * sizeof(type));                               \
    } else {                                                                                                 \
      for (int64_t j = begin; j < end; j += by) dst[j * dst_step] = src[j * src_step];                       \
    }                                                                                                        \
  }                                                                                                          \
  HD_OUTLINED void hd_fill_elems_##type(type* dst, int64_t begin, int64_t end, int64_t by, int64_t dst_step, \
                                        uint64_t start, uint64_t step) {                                     \
    for (int64_t j = begin; j < end; j += by) dst[j * dst_step] = (type)(start + (uint64_t)j * step);        \
  }
HD_DEFINE_PIECES(uint8_t)
HD_DEFINE_PIECES(uint16_t)
HD_DEFINE_PIECES(uint32_t)
HD_DEFINE_PIECES(uint64_t)
#undef HD_DEFINE_PIECES

#define HD_FOR_EACH_PIECE(plan, piece)                                                                         \
  HD_NO_UNROLL                                                                                                 \
  for (int64_t piece = HD_BLOCK_ID * (HD_BLOCK_SIZE >> (plan).lanes_log) + (HD_THREAD_ID >> (plan).lanes_log); \
       piece < (plan).num_pieces; piece += HD_NUM_BLOCKS * (HD_BLOCK_SIZE >> (plan).lanes_log))

HD_KERNEL(hd_builtin_copy, void* dst, const void* src, const struct hd_copy_plan plan) {
  HD_AFTER_EARLIER_KERNELS();
  HD_FOR_EACH_PIECE(plan, piece) {
    const struct hd_copy_piece at = hd_locate_piece(&plan, piece, HD_THREAD_ID & (plan.lanes - 1));
    switch (plan.elem_size) {
      case 1:
        hd_copy_elems_uint8_t((uint8_t*)dst + at.dst, (const uint8_t*)src + at.src, at.begin, at.end, plan.lanes,
                              plan.dst_step, plan.src_step);
        break;
      case 2:
        hd_copy_elems_uint16_t((uint16_t*)dst + at.dst, (const uint16_t*)src + at.src, at.begin, at.end, plan.lanes,
                               plan.dst_step, plan.src_step);
        break;
      case 4:
        hd_copy_elems_uint32_t((uint32_t*)dst + at.dst, (const uint32_t*)src + at.src, at.begin, at.end, plan.lanes,
                               plan.dst_step, plan.src_step);
        break;
      default:
        hd_copy_elems_uint64_t((uint64_t*)dst + at.dst, (const uint64_t*)src + at.src, at.begin, at.end, plan.lanes,
                               plan.dst_step, plan.src_step);
        break;
    }
  }
}

// Element j of a row becomes start + j * step.
HD_KERNEL(hd_builtin_fill, void* dst, const uint64_t start, const uint64_t step, const struct hd_copy_plan plan) {
  HD_AFTER_EARLIER_KERNELS();
  HD_FOR_EACH_PIECE(plan, piece) {
    const struct hd_copy_piece at = hd_locate_piece(&plan, piece, HD_THREAD_ID & (plan.lanes - 1));
    switch (plan.elem_size) {
      case 1:
        hd_fill_elems_uint8_t((uint8_t*)dst + at.dst, at.begin, at.end, plan.lanes, plan.dst_step, start, step);
        break;
      case 2:
        hd_fill_elems_uint16_t((uint16_t*)dst + at.dst, at.begin, at.end, plan.lanes, plan.dst_step, start, step);
        break;
      case 4:
        hd_fill_elems_uint32_t((uint32_t*)dst + at.dst, at.begin, at.end, plan.lanes, plan.dst_step, start, step);
        break;
      default:
        hd_fill_elems_uint64_t((uint64_t*)dst + at.dst, at.begin, at.end, plan.lanes, plan.dst_step, start, step);
        break;
    }
  }
}

#undef HD_FOR_EACH_PIECE

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC pop_options
#endif

// Where a tile begins in the two windows, and how much of it lies within them.
struct hd_transpose_tile {
  int64_t dst, src;
  uint32_t size_x, size_y;
};

HD_DEVICE struct hd_transpose_tile hd_locate_tile(const struct hd_transpose_plan* plan, uint32_t tile) {
  uint32_t row_of_tiles = tile / plan->tiles_x, matrix = row_of_tiles / plan->tiles_y;
  int64_t x = (int64_t)(tile - row_of_tiles * plan->tiles_x) * plan->width_x;
  int64_t y = (int64_t)(row_of_tiles - matrix * plan->tiles_y) * plan->width_y;
  struct hd_transpose_tile at = {0, 0, 0, 0};
  at.dst = x * plan->dst_x + y * plan->dst_y;
  at.src = x * plan->src_x + y * plan->src_y;
  at.size_x = plan->size_x - x < plan->width_x ? (uint32_t)(plan->size_x - x) : plan->width_x;
  at.size_y = plan->size_y - y < plan->width_y ? (uint32_t)(plan->size_y - y) : plan->width_y;
  hd_locate_row(&plan->outer, matrix, &at.dst, &at.src);
  return at;
}

// On the device a tile passes through shared memory, so that neighbouring threads are neighbours in whichever window
// they touch, and an odd number of elements lies between rows there, so that neither they nor columns share banks. All
// of a tile is under way at once. Threads stand in rows as long as the next power of two, so that each needs to find its
// first place only, and steps by the same from there. On the CPU the caches do all that, and one thread does the whole tile.
#define HD_DEFINE_TILE(type)                                                                                       \
  HD_OUTLINED void hd_transpose_tile_##type(type* dst, const type* src, const struct hd_transpose_plan* plan,      \
                                            const struct hd_transpose_tile* at, type* shared, uint32_t thread) {   \
    const int64_t dst_x = plan->dst_x, dst_y = plan->dst_y, src_x = plan->src_x, src_y = plan->src_y;              \
    dst += at->dst;                                                                                                \
    src += at->src;                                                                                                \
    if (HD_ON_CPU) {                                                                                               \
      const int64_t size_x = at->size_x, size_y = at->size_y;                                                      \
      for (int64_t y = 0; y < size_y; y++) {                                                                       \
        for (int64_t x = 0; x < size_x; x++) dst[x * dst_x + y * dst_y] = src[x * src_x + y * src_y];              \
      }                                                                                                            \
    } else {                                                                                                       \
      const uint32_t pitch = plan->width_y | 1;                                                                    \
      const uint32_t abreast_y = 1u << plan->abreast_y_log, first_x = thread >> plan->abreast_y_log;               \
      const uint32_t step_x = 1u << (plan->threads_log - plan->abreast_y_log);                                     \
      HD_NO_UNROLL                                                                                                 \
      for (uint32_t y = thread & (abreast_y - 1); y < at->size_y; y += abreast_y) {                                \
        const type* from = src + first_x * src_x + y * src_y;                                                      \
        type* to = shared + first_x * pitch + y;                                                                   \
        HD_UNROLL_BY_4                                                                                             \
        for (uint32_t x = first_x; x < at->size_x; x += step_x, from += step_x * src_x, to += step_x * pitch) {    \
          hd_copy_async(to, from, (int)sizeof(type), true);                                                        \
        }                                                                                                          \
      }                                                                                                            \
      hd_copy_async_commit();                                                                                      \
      hd_copy_async_wait(0);                                                                                       \
      HD_BARRIER();                                                                                                \
      const uint32_t abreast_x = 1u << plan->abreast_x_log, first_y = thread >> plan->abreast_x_log;               \
      const uint32_t step_y = 1u << (plan->threads_log - plan->abreast_x_log);                                     \
      HD_NO_UNROLL                                                                                                 \
      for (uint32_t x = thread & (abreast_x - 1); x < at->size_x; x += abreast_x) {                                \
        const type* from = shared + x * pitch + first_y;                                                           \
        type* to = dst + x * dst_x + first_y * dst_y;                                                              \
        HD_UNROLL_BY_4                                                                                             \
        for (uint32_t y = first_y; y < at->size_y; y += step_y, from += step_y, to += step_y * dst_y) *to = *from; \
      }                                                                                                            \
      HD_BARRIER();                                                                                                \
    }                                                                                                              \
  }
HD_DEFINE_TILE(uint8_t)
HD_DEFINE_TILE(uint16_t)
HD_DEFINE_TILE(uint32_t)
HD_DEFINE_TILE(uint64_t)
#undef HD_DEFINE_TILE

// Of elements narrower than a word a thread takes squares: from as many rows of the source as elements are in a word a
// word each, which are then the columns of words of the destination. Element by element it is instructions that take
// the time, not memory.
#define HD_TILE_WARPS (HD_TILE_THREADS / HD_TILE_WORDS)

// Element i of word j becomes element j of word i.
HD_DEVICE void hd_transpose_square(uint32_t* words, int in_word) {
  const int half = in_word / 2;
  HD_UNROLL_BY_4
  for (int i = 0; i < half; i++) {
    const uint32_t a = words[i], b = words[i + half];
    words[i] = (a & 0xffff) | b << 16;
    words[i + half] = a >> 16 | (b & 0xffff0000);
  }
  HD_UNROLL_BY_4
  for (int i = 0; i < in_word && in_word == 4; i += 2) {
    const uint32_t a = words[i], b = words[i + 1];
    words[i] = (a & 0x00ff00ff) | (b & 0x00ff00ff) << 8;
    words[i + 1] = (a >> 8 & 0x00ff00ff) | (b & 0xff00ff00);
  }
}

// A word of shared memory: row y of the destination lies where threads that have rows in_word apart write one behind the
// other, and an odd number of words lies between rows, so that neither they nor the words of a row share banks.
HD_DEVICE uint32_t hd_slot_of_word(uint32_t y, uint32_t word, int in_word) {
  return (y % in_word * HD_TILE_WORDS + y / in_word) * (HD_TILE_WORDS + 1) + word;
}

HD_DEVICE void hd_transpose_to_shared(const char* src, const struct hd_transpose_plan* plan,
                                      const struct hd_transpose_tile* at, uint32_t* shared, int thread, int in_word) {
  const int word = thread % HD_TILE_WORDS, warp = thread / HD_TILE_WORDS, size = 4 / in_word;
  const int64_t row = plan->src_x * size;
  src += at->src * size + warp * in_word * row + word * 4;
  const uint32_t rows = (uint32_t)(word * in_word) < at->size_y ? at->size_x : 0;
  HD_NO_UNROLL
  for (uint32_t x = warp; x < HD_TILE_WORDS; x += 2 * HD_TILE_WARPS) {
    uint32_t words[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    HD_UNROLL_BY_4
    for (int k = 0; k < 2; k++) {
      const bool exists = (x + k * HD_TILE_WARPS) * in_word < rows;
      HD_UNROLL_BY_4
      for (int i = 0; i < in_word; i++) {
        if (exists) hd_move(&words[k][i], src, 4);
        src += row;
      }
      src += (HD_TILE_WARPS - 1) * in_word * row;
    }
    HD_UNROLL_BY_4
    for (int k = 0; k < 2; k++) {
      hd_transpose_square(words[k], in_word);
      HD_UNROLL_BY_4
      for (int i = 0; i < in_word; i++) {
        shared[hd_slot_of_word(word * in_word + i, x + k * HD_TILE_WARPS, in_word)] = words[k][i];
      }
    }
  }
}

HD_DEVICE void hd_transpose_from_shared(char* dst, const struct hd_transpose_plan* plan,
                                        const struct hd_transpose_tile* at, const uint32_t* shared, int thread,
                                        int in_word) {
  const int word = thread % HD_TILE_WORDS, warp = thread / HD_TILE_WORDS, size = 4 / in_word;
  const int64_t row = plan->dst_y * size;
  dst += at->dst * size + warp * row + word * 4;
  const uint32_t rows = (uint32_t)(word * in_word) < at->size_x ? at->size_y : 0;
  HD_UNROLL_BY_4
  for (uint32_t y = warp; y < rows; y += HD_TILE_WARPS) {
    hd_move(dst, &shared[hd_slot_of_word(y, word, in_word)], 4);
    dst += HD_TILE_WARPS * row;
  }
}

// Blocks of as many threads as the plan says on the device, of HD_TILE_THREADS where tiles come in words, and of one thread on the CPU.
HD_KERNEL(hd_builtin_transpose, void* dst, const void* src, const struct hd_transpose_plan plan) {
  HD_AFTER_EARLIER_KERNELS();
  HD_NO_UNROLL
  for (uint32_t tile = (uint32_t)HD_BLOCK_ID; tile < plan.num_tiles; tile += (uint32_t)HD_NUM_BLOCKS) {
    const struct hd_transpose_tile at = hd_locate_tile(&plan, tile);
    const uint32_t thread = (uint32_t)HD_THREAD_ID;
    if (plan.by_words) {
      uint32_t* shared = (uint32_t*)HD_SHARED;
      if (plan.elem_size == 1) hd_transpose_to_shared((const char*)src, &plan, &at, shared, thread, 4);
      if (plan.elem_size == 2) hd_transpose_to_shared((const char*)src, &plan, &at, shared, thread, 2);
      HD_BARRIER();
      if (plan.elem_size == 1) hd_transpose_from_shared((char*)dst, &plan, &at, shared, thread, 4);
      if (plan.elem_size == 2) hd_transpose_from_shared((char*)dst, &plan, &at, shared, thread, 2);
      HD_BARRIER();
      continue;
    }
    switch (plan.elem_size) {
      case 1:
        hd_transpose_tile_uint8_t((uint8_t*)dst, (const uint8_t*)src, &plan, &at, (uint8_t*)HD_SHARED, thread);
        break;
      case 2:
        hd_transpose_tile_uint16_t((uint16_t*)dst, (const uint16_t*)src, &plan, &at, (uint16_t*)HD_SHARED, thread);
        break;
      case 4:
        hd_transpose_tile_uint32_t((uint32_t*)dst, (const uint32_t*)src, &plan, &at, (uint32_t*)HD_SHARED, thread);
        break;
      default:
        hd_transpose_tile_uint64_t((uint64_t*)dst, (const uint64_t*)src, &plan, &at, (uint64_t*)HD_SHARED, thread);
        break;
    }
  }
}

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

static void hd_builtin_transpose_cpu(const struct hd_cpu_launch* launch, void** args) {
  void* dst = *(void**)args[0];
  const void* src = *(const void**)args[1];
  const struct hd_transpose_plan* plan = (const struct hd_transpose_plan*)args[2];
  HD_CPU_FOR_EACH_THREAD(launch, self) hd_builtin_transpose(self, dst, src, *plan);
}

HD_TABLE void (*const hd_builtin_cpu[HD_NUM_BUILTINS])(const struct hd_cpu_launch*, void**) = {
    [HD_BUILTIN_COPY] = hd_builtin_copy_cpu,
    [HD_BUILTIN_FILL] = hd_builtin_fill_cpu,
    [HD_BUILTIN_TRANSPOSE] = hd_builtin_transpose_cpu};

#endif

#endif
