#include "runtime/core/builtin.h"

#include <string.h>

#include "runtime/core/backend.h"

HD_API const char* hd_builtin_name(enum hd_builtin builtin) {
  static const char* const names[HD_NUM_BUILTINS] = {"hd_builtin_copy", "hd_builtin_fill", "hd_builtin_transpose"};
  return names[builtin];
}

// The part of a plan that says which elements, before it is cut into pieces. Dimensions of one element are left out,
// the others are ordered so that the destination is written from front to back, and neighbours that both sides walk
// through without a gap are merged.
struct hd_walk {
  int rank;
  int64_t shape[HD_MAX_RANK];
  int64_t dst_stride[HD_MAX_RANK];
  int64_t src_stride[HD_MAX_RANK];
};

static int64_t hd_magnitude(int64_t x) { return x < 0 ? -x : x; }

static void hd_walk_insert(struct hd_walk* walk, int64_t shape, int64_t dst_stride, int64_t src_stride) {
  int at = walk->rank++;
  for (; at > 0 && hd_magnitude(walk->dst_stride[at - 1]) < hd_magnitude(dst_stride); at--) {
    walk->shape[at] = walk->shape[at - 1];
    walk->dst_stride[at] = walk->dst_stride[at - 1];
    walk->src_stride[at] = walk->src_stride[at - 1];
  }
  walk->shape[at] = shape;
  walk->dst_stride[at] = dst_stride;
  walk->src_stride[at] = src_stride;
}

static void hd_walk_merge(struct hd_walk* walk) {
  int merged = 0;
  for (int d = 1; d < walk->rank; d++) {
    bool follows = walk->dst_stride[merged] == walk->dst_stride[d] * walk->shape[d] &&
                   walk->src_stride[merged] == walk->src_stride[d] * walk->shape[d];
    int64_t outer = follows ? walk->shape[merged] : 1;
    if (!follows) merged++;
    walk->shape[merged] = outer * walk->shape[d];
    walk->dst_stride[merged] = walk->dst_stride[d];
    walk->src_stride[merged] = walk->src_stride[d];
  }
  if (walk->rank > 0) walk->rank = merged + 1;
}

// `src` may be NULL: then only the destination counts.
static void hd_make_walk(struct hd_walk* walk, const struct hd_array* dst, const struct hd_array* src) {
  walk->rank = 0;
  for (int d = 0; d < dst->rank; d++) {
    // A source that goes along with the destination never stands in the way of merging.
    int64_t src_stride = src != NULL ? src->stride[d] : dst->stride[d];
    if (dst->shape[d] != 1) hd_walk_insert(walk, dst->shape[d], dst->stride[d], src_stride);
  }
  hd_walk_merge(walk);
}

// Returns the dimension's size.
static int64_t hd_add_outer_dim(struct hd_outer_dims* outer, const struct hd_walk* walk, int d) {
  outer->shape[outer->rank] = walk->shape[d];
  outer->dst_stride[outer->rank] = walk->dst_stride[d];
  outer->src_stride[outer->rank] = walk->src_stride[d];
  outer->rank++;
  return walk->shape[d];
}

static void hd_know_divisors(struct hd_outer_dims* outer) {
  for (int d = 0; d < outer->rank; d++) outer->by[d] = hd_long_divisor_of(outer->shape[d]);
}

// The dimension along which a thread of the CPU goes: to find a row's place takes as long as to copy some elements, so it is not a
// short one if there are others.
static int hd_long_dim(const struct hd_walk* walk) {
  enum { LONG_ENOUGH = 8 };
  int longest = walk->rank - 1;
  if (longest < 0 || walk->shape[longest] >= LONG_ENOUGH) return longest;
  for (int d = 0; d < walk->rank; d++) {
    if (walk->shape[d] > walk->shape[longest]) longest = d;
  }
  return longest;
}

// Cuts a walk into pieces that suit the backend: on the CPU a thread takes a long run of elements by itself; on the
// device up to a warp of threads share a row, so that neighbours touch neighbouring elements.
static struct hd_copy_plan hd_make_plan(const struct hd_context* ctx, const struct hd_walk* walk, enum hd_elem elem) {
  bool cpu = ctx->program->backend == HD_BACKEND_CPU;
  struct hd_copy_plan plan = {
      .row_length = 1, .dst_step = 1, .src_step = 1, .lanes = 1, .elem_size = (int32_t)hd_elem_size(elem)};
  int64_t num_rows = 1;
  if (walk->rank > 0) {
    int along = cpu ? hd_long_dim(walk) : walk->rank - 1;
    plan.row_length = walk->shape[along];
    plan.dst_step = walk->dst_stride[along];
    plan.src_step = walk->src_stride[along];
    for (int d = 0; d < walk->rank; d++) {
      if (d != along) num_rows *= hd_add_outer_dim(&plan.outer, walk, d);
    }
  }
  while (!cpu && plan.lanes < 32 && plan.lanes < plan.row_length) plan.lanes = 1 << ++plan.lanes_log;
  plan.piece_length = cpu ? 16384 : 8 * plan.lanes;
  plan.pieces_per_row = (plan.row_length + plan.piece_length - 1) / plan.piece_length;
  if (!cpu) {
    hd_know_divisors(&plan.outer);
    plan.by_pieces_per_row = hd_long_divisor_of(plan.pieces_per_row);
  }
  plan.num_pieces = num_rows * plan.pieces_per_row;
  return plan;
}

// Beyond this many blocks, each takes several pieces or tiles.
static int64_t hd_capped_blocks(int64_t num_blocks) { return num_blocks < 1 << 20 ? num_blocks : 1 << 20; }

static int hd_launch_plan(struct hd_context* ctx, enum hd_builtin builtin, const struct hd_copy_plan* plan,
                          void** args) {
  int block_size = ctx->program->backend == HD_BACKEND_CPU ? 1 : 256;
  int64_t pieces_per_block = block_size / plan->lanes;
  int64_t num_blocks = (plan->num_pieces + pieces_per_block - 1) / pieces_per_block;
  return hd_launch_builtin(ctx, builtin, hd_capped_blocks(num_blocks), block_size, 0, args);
}

// The dimension along which the source is closest together, if walking along it rather than along the destination's
// innermost one is worth a transposition; -1 otherwise. It is however short the destination's rows are: else few threads would share
// one, and a piece of work be an element or two.
static int hd_transposed_dim(const struct hd_walk* walk) {
  enum { WORTH_A_TILE = 8 };
  int inner = walk->rank - 1, best = -1;
  int64_t num_elems = 1;
  for (int d = 0; d < walk->rank; d++) num_elems *= walk->shape[d];
  // Tiles are counted with 32 bits, and have at least as many elements.
  if (num_elems / WORTH_A_TILE >= UINT32_MAX) return -1;
  if (inner < 1 || walk->shape[inner] < 2 || walk->src_stride[inner] == 0) return -1;
  int64_t closest = hd_magnitude(walk->src_stride[inner]);
  for (int d = 0; d < inner; d++) {
    int64_t stride = hd_magnitude(walk->src_stride[d]);
    if (stride == 0 || stride >= closest || walk->shape[d] < WORTH_A_TILE) continue;
    best = d;
    closest = stride;
  }
  return best;
}

// Of the least power of two that is no less than that, but `most` at most.
static uint32_t hd_log_up(uint32_t least, uint32_t most) {
  uint32_t log = 0;
  while ((1u << log) < least && log < most) log++;
  return log;
}

static uint32_t hd_least(int64_t a, int64_t b) { return (uint32_t)(a < b ? a : b); }

// Whether elements narrower than a word can be moved as words that no tile's border divides, and both dimensions are long enough for
// most threads of a tile to have some.
static bool hd_comes_in_words(const struct hd_walk* walk, int y, int64_t size, const void* dst, const void* src) {
  const int64_t in_word = 4 / size, x = walk->rank - 1;
  if (size > 2 || walk->dst_stride[x] != 1 || walk->src_stride[y] != 1) return false;
  if (((uintptr_t)dst | (uintptr_t)src) % 4 != 0 || walk->shape[x] % in_word != 0 || walk->shape[y] % in_word != 0)
    return false;
  if (hd_least(walk->shape[x], walk->shape[y]) < in_word * HD_TILE_WORDS / 2) return false;
  for (int d = 0; d < walk->rank; d++) {
    if ((d != x && walk->dst_stride[d] % in_word != 0) || (d != y && walk->src_stride[d] % in_word != 0)) return false;
  }
  return true;
}

// Where one dimension is short, tiles are the longer along the other.
static int hd_launch_transpose(struct hd_context* ctx, const struct hd_walk* walk, int y, enum hd_elem elem,
                               void* dst_address, void* src_address) {
  int x = walk->rank - 1;
  struct hd_transpose_plan plan = {.elem_size = (int32_t)hd_elem_size(elem),
                                   .width_x = hd_least(walk->shape[x], HD_TILE_SIZE),
                                   .width_y = hd_least(walk->shape[y], HD_TILE_SIZE),
                                   .size_x = walk->shape[x],
                                   .size_y = walk->shape[y],
                                   .dst_x = walk->dst_stride[x],
                                   .dst_y = walk->dst_stride[y],
                                   .src_x = walk->src_stride[x],
                                   .src_y = walk->src_stride[y]};
  plan.width_x = hd_least(walk->shape[x], HD_TILE_ELEMS / plan.width_y);
  plan.width_y = hd_least(walk->shape[y], HD_TILE_ELEMS / plan.width_x);
  const bool cpu = ctx->program->backend == HD_BACKEND_CPU;
  plan.by_words = !cpu && hd_comes_in_words(walk, y, plan.elem_size, dst_address, src_address);
  if (plan.by_words) plan.width_x = plan.width_y = HD_TILE_WORDS * 4 / (uint32_t)plan.elem_size;
  // Of small tiles each thread has some elements: to find the tile takes it as long as to move them.
  enum { ELEMS_OF_THREAD = 8, WARP_LOG = 5 };
  const uint32_t elems = plan.width_x * plan.width_y, most_threads_log = hd_log_up(HD_TILE_THREADS, 31);
  plan.threads_log = plan.by_words ? most_threads_log : hd_log_up(elems / ELEMS_OF_THREAD, most_threads_log);
  if (plan.threads_log < WARP_LOG) plan.threads_log = WARP_LOG;
  plan.abreast_x_log = hd_log_up(plan.width_x, plan.threads_log);
  plan.abreast_y_log = hd_log_up(plan.width_y, plan.threads_log);
  int64_t tiles_x = (plan.size_x - 1) / plan.width_x + 1, tiles_y = (plan.size_y - 1) / plan.width_y + 1;
  int64_t num_tiles = tiles_x * tiles_y;
  for (int d = 0; d < x; d++) {
    if (d != y) num_tiles *= hd_add_outer_dim(&plan.outer, walk, d);
  }
  if (!cpu) hd_know_divisors(&plan.outer);
  plan.num_tiles = (uint32_t)num_tiles;
  plan.tiles_x = (uint32_t)tiles_x;
  plan.tiles_y = (uint32_t)tiles_y;
  void* args[] = {&dst_address, &src_address, &plan};
  int block_size = cpu ? 1 : 1 << plan.threads_log;
  int64_t shared = cpu ? 0 : (int64_t)plan.width_x * (plan.width_y | 1) * plan.elem_size;
  if (plan.by_words) shared = (int64_t)plan.width_y * (HD_TILE_WORDS + 1) * 4;
  return hd_launch_builtin(ctx, HD_BUILTIN_TRANSPOSE, hd_capped_blocks(num_tiles), block_size, shared, args);
}

static int hd_copy_dense(struct hd_context* ctx, void* dst, const void* src, int64_t bytes) {
  hd_ahead_overwritten(ctx, dst, bytes);
  struct hd_span span;
  int status = hd_span_begin(ctx, &span);
  if (status == HD_SUCCESS) status = ctx->backend->copy(ctx, dst, src, bytes, HD_ON_DEVICE);
  if (status == HD_SUCCESS) status = hd_span_end(ctx, &span, "copy_dev_to_dev", "%lld bytes", (long long)bytes);
  return status;
}

HD_API int hd_copy_elements(struct hd_context* ctx, const struct hd_array* dst, const struct hd_array* src) {
  void* dst_address = hd_array_address(dst);
  void* src_address = hd_array_address(src);
  int64_t num_elems = hd_array_num_elems(dst);
  if (num_elems == 0) return HD_SUCCESS;
  if (hd_array_is_dense(dst) && hd_array_is_dense(src)) {
    if (dst_address == src_address) return HD_SUCCESS;
    return hd_copy_dense(ctx, dst_address, src_address, num_elems * hd_elem_size(dst->elem));
  }
  struct hd_walk walk;
  hd_make_walk(&walk, dst, src);
  if (walk.rank == 0 || (walk.rank == 1 && walk.dst_stride[0] == 1 && walk.src_stride[0] == 1)) {
    if (dst_address == src_address) return HD_SUCCESS;
    return hd_copy_dense(ctx, dst_address, src_address, num_elems * hd_elem_size(dst->elem));
  }
  int transposed = hd_transposed_dim(&walk);
  if (transposed >= 0) return hd_launch_transpose(ctx, &walk, transposed, dst->elem, dst_address, src_address);
  struct hd_copy_plan plan = hd_make_plan(ctx, &walk, dst->elem);
  void* args[] = {&dst_address, &src_address, &plan};
  return hd_launch_plan(ctx, HD_BUILTIN_COPY, &plan, args);
}

// Elements of so many bytes that lie together.
static void hd_fill_words(void* dst, int64_t count, uint64_t bits, int32_t size) {
  const uint32_t word = (uint32_t)bits;
  if (size == 8) {
    for (int64_t i = 0; i < count; i++) ((uint64_t*)dst)[i] = bits;
  } else if (size == 1) {
    memset(dst, (int)(bits & 0xff), (size_t)count);
  } else {
    for (int64_t i = 0; i < count; i++) memcpy((char*)dst + i * size, &word, size == 4 ? 4 : 2);
  }
}

HD_API int hd_fill_elements(struct hd_context* ctx, const struct hd_array* dst, const void* value) {
  if (hd_array_num_elems(dst) == 0) return HD_SUCCESS;
  struct hd_walk walk;
  hd_make_walk(&walk, dst, NULL);
  void* dst_address = hd_array_address(dst);
  // Little-endian: the bytes of a narrower value are the low ones.
  uint64_t bits = 0;
  int32_t size = (int32_t)hd_elem_size(dst->elem);
  memcpy(&bits, value, (size_t)size);
  // Of elements that lie together, two at a time are one that is twice as wide.
  while (size > 0 && size < 8 && walk.rank == 1 && walk.dst_stride[0] == 1 && walk.shape[0] % 2 == 0 &&
         (uintptr_t)dst_address % (uintptr_t)(2 * size) == 0) {
    bits |= bits << (8 * size);
    size *= 2;
    walk.shape[0] /= 2;
  }
  // A few are there sooner than a launch has begun.
  enum { HD_FEW_ELEMENTS = 512 };
  const bool together = walk.rank == 0 || (walk.rank == 1 && walk.dst_stride[0] == 1);
  const int64_t count = walk.rank == 0 ? 1 : walk.shape[0];
  if (together && count <= HD_FEW_ELEMENTS && hd_host_reaches_arrays(ctx)) {
    hd_fill_words(dst_address, count, bits, size);
    return HD_SUCCESS;
  }
  struct hd_copy_plan plan = hd_make_plan(ctx, &walk, dst->elem);
  plan.elem_size = size;
  uint64_t step = 0;
  void* args[] = {&dst_address, &bits, &step, &plan};
  return hd_launch_plan(ctx, HD_BUILTIN_FILL, &plan, args);
}

HD_API int hd_iota_elements(struct hd_context* ctx, const struct hd_array* dst, int64_t start, int64_t step) {
  if (hd_array_num_elems(dst) == 0) return HD_SUCCESS;
  struct hd_walk walk;
  hd_make_walk(&walk, dst, NULL);
  struct hd_copy_plan plan = hd_make_plan(ctx, &walk, dst->elem);
  void* dst_address = hd_array_address(dst);
  void* args[] = {&dst_address, &start, &step, &plan};
  return hd_launch_plan(ctx, HD_BUILTIN_FILL, &plan, args);
}
