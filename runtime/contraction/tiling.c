#include "runtime/contraction/tiling.h"

#include <math.h>
#include <string.h>

static int64_t hd_tiling_min(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t hd_tiling_div_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t hd_tiling_round_up(int64_t a, int64_t b) { return hd_tiling_div_up(a, b) * b; }

HD_API bool hd_tiling_has_room(const struct hd_contraction* c) {
  return c->num_parallel <= HD_MAX_TILED_INDICES && c->num_reduction <= HD_MAX_TILED_INDICES &&
         c->num_operands <= HD_MAX_TILED_OPERANDS;
}

HD_API bool hd_counts_sums(const struct hd_contraction* c, int p) {
  enum { MOST_SUMS = 8 };
  for (int i = 0; i < c->num_operands; i++) {
    for (int d = 0; d < c->operands[i].rank; d++) {
      if (c->operands[i].coefficients[d * (c->num_parallel + c->num_reduction) + p] != 0) return false;
    }
  }
  return c->extents[p] <= MOST_SUMS;
}

HD_API struct hd_tile_geometry hd_tiling_tiles(const struct hd_contraction* c, const struct hd_tiling* t) {
  struct hd_tile_geometry tiles;
  c->geometry.of_tiles(c->geometry.sizes, t, &tiles);
  return tiles;
}

// Clocks from a request of device memory to its arrival.
#define HD_MEMORY_LATENCY 660.0

static int64_t hd_quantum(int64_t elem_size) { return HD_WIDE_BYTES / elem_size; }

// How far a thread's points along an index stay neighbours: if they may lie apart, only as far as a wide access
// reaches, so that neighbouring threads' accesses are neighbours, too.
static int64_t hd_tiling_run(const struct hd_contraction* c, const struct hd_tiling* t, int p) {
  int64_t points = t->parallel[p].points;
  if (!c->separable[p]) return points;
  int64_t run = p == c->num_parallel - 1 ? hd_quantum(c->elem_size) : 1;
  for (int i = 0; i < c->num_operands; i++) {
    const struct hd_tiled_operand* o = &c->operands[i];
    int num_indices = c->num_parallel + c->num_reduction;
    if (o->rank > 0 && o->coefficients[(o->rank - 1) * num_indices + p] != 0 && run < hd_quantum(o->elem_size)) {
      run = hd_quantum(o->elem_size);
    }
  }
  run = hd_tiling_min(run, points);
  while (points % run != 0) run /= 2;
  return run;
}

// How many neighbouring results a warp stores at once where threads store their own.
static int64_t hd_stored_together(const struct hd_contraction* c, const struct hd_tiling* t) {
  int last = c->num_parallel - 1;
  bool side_by_side = t->parallel[last].run == t->store_width;
  return side_by_side ? t->parallel[last].lanes * t->store_width : t->store_width;
}

// A sector of the cache is written as a whole.
#define HD_SECTOR_BYTES 32

// Results are stored as they lie in registers if those that a warp stores at once then lie together in memory, else
// they go through shared memory.
static void hd_tiling_stores(const struct hd_contraction* c, struct hd_tiling* t, int64_t block_tile) {
  int last = c->num_parallel - 1;
  int64_t run = t->parallel[last].run, lanes = t->parallel[last].lanes, width = hd_quantum(c->elem_size);
  while (width > 1 && (c->result_aligned % width != 0 || block_tile % width != 0)) width /= 2;
  t->store_width = width;
  bool is_sector = hd_stored_together(c, t) * c->elem_size >= HD_SECTOR_BYTES ||
                   t->parallel[last].points * lanes >= c->extents[last];
  t->result_shared = t->slices == 1 && run % width == 0 && is_sector ? 0 : 1;
}

// That each row and each tile's part of it begin at a multiple.
HD_API void hd_tiling_widths(const struct hd_contraction* c, const struct hd_tile_geometry* tiles,
                             struct hd_tiling* t) {
  int num_indices = c->num_parallel + c->num_reduction;
  for (int p = 0; p < c->num_parallel; p++) t->parallel[p].run = hd_tiling_run(c, t, p);
  hd_tiling_stores(c, t, tiles->block[c->num_parallel - 1]);
  for (int i = 0; i < c->num_operands; i++) {
    const struct hd_tiled_operand* o = &c->operands[i];
    int64_t copy = 1, load = 1;
    if (o->rank > 0) {
      const int64_t* last = &o->coefficients[(o->rank - 1) * num_indices];
      copy = load = hd_quantum(o->elem_size);
      if (o->transposed) copy = 1;
      while (copy > 1 && (o->aligned % copy != 0 || tiles->operands[i].first % copy != 0)) copy /= 2;
      for (int p = 0; p < num_indices; p++) {
        while (copy > 1 && last[p] * tiles->block[p] % copy != 0 && tiles->block[p] < c->extents[p]) copy /= 2;
        bool parallel = p < c->num_parallel;
        int64_t unroll = parallel ? 1 : t->reduction[p - c->num_parallel].unroll;
        bool whole = !parallel && unroll >= tiles->block[p];
        int64_t step = parallel ? t->parallel[p].run : o->by_group ? unroll : 1;
        while (load > 1 && !whole && last[p] * step % load != 0) load /= 2;
      }
      while (load > 1 && load / 2 >= tiles->operands[i].reach) load /= 2;
    }
    t->operands[i].copy_width = copy;
    t->operands[i].load_width = load;
    t->operands[i].padding = 0;
    t->operands[i].conflicts = 1;
  }
}

static int64_t hd_tiling_registers(const struct hd_tiling_cost* cost) {
  return hd_tiling_min(255, hd_tiling_round_up(cost->registers, 8));
}

HD_API struct hd_tiling_excess hd_tiling_excess_of(const struct hd_device_model* device,
                                                   const struct hd_tiling_cost* cost) {
  const struct hd_tiling_excess limits[] = {
      {"threads per block", cost->threads, 1024},
      // The compiler does with somewhat fewer.
      {"registers per thread", cost->registers - 8, 255},
      {"registers per block", hd_tiling_registers(cost) * cost->threads, device->registers},
      {"bytes of shared memory per block", cost->shared_bytes, device->shared_bytes_of_block},
      {"bytes of shared memory per multiprocessor", cost->shared_bytes + 1024, device->shared_bytes},
      {"threads per multiprocessor", cost->threads, device->threads}};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    if (limits[i].needed > limits[i].available) return limits[i];
  }
  return (struct hd_tiling_excess){0};
}

// How many of a thread's points use an element of an operand, for the operand where it is fewest.
static double hd_fewest_uses(const struct hd_contraction* c, const struct hd_tiling* t) {
  int num_indices = c->num_parallel + c->num_reduction;
  double fewest = 1e9;
  for (int i = 0; i < c->num_operands; i++) {
    const struct hd_tiled_operand* o = &c->operands[i];
    double uses = 1;
    for (int p = 0; p < c->num_parallel; p++) {
      bool used = false;
      for (int d = 0; d < o->rank; d++) used = used || o->coefficients[d * num_indices + p] != 0;
      if (!used) uses *= (double)t->parallel[p].points;
    }
    fewest = fmin(fewest, uses);
  }
  return fewest;
}

HD_API bool hd_any_by_group(const struct hd_contraction* c) {
  bool any = false;
  for (int i = 0; i < c->num_operands; i++) any = any || c->operands[i].by_group;
  return any;
}

#define HD_LEAST_SLOTS 0.948

// Issue slots for each multiplication of a thread; hd_tiling_evaluate says where the constants are from. The fewer
// points use a value, and the shorter they stand in a row, the more registers are read, and so it is where there are
// many points and registers are loaded for single members. Sums of one point use the same values: they are no more points, but
// lengthen the row. (Without that a tiling of complex products of 1502 us was expected to be faster than one of 1325.)
static double hd_slots_of_step(const struct hd_contraction* c, const struct hd_tiling* t) {
  double points = 1, row = (double)t->parallel[c->num_parallel - 1].points;
  for (int p = 0; p < c->num_parallel; p++) {
    double along = (double)t->parallel[p].points;
    bool sums = p + 1 < c->num_parallel && hd_counts_sums(c, p);
    points *= sums ? 1 : along;
    row *= sums ? along : 1;
  }
  return (t->ahead ? HD_LEAST_SLOTS : 0.978) + (points > 64 && !hd_any_by_group(c) ? 0.06 : 0) +
         0.155 / hd_fewest_uses(c, t) + 0.489 / row;
}

// What a launch takes beside the kernel's work.
#define HD_LAUNCH_SECONDS 6e-6
// Clocks that a chunk's barrier and a result's store take at least; of the store by the width of its accesses.
#define HD_CHUNK_CLOCKS 425.0
#define HD_STORE_SLOTS 45.0

// Each operand's elements once, and the results.
static double hd_least_bytes(const struct hd_contraction* c) {
  double bytes = (double)c->elem_size;
  for (int p = 0; p < c->num_parallel; p++) bytes *= (double)c->extents[p];
  for (int i = 0; i < c->num_operands; i++) {
    double unique = (double)c->operands[i].elem_size;
    for (int d = 0; d < c->operands[i].rank; d++) unique *= (double)c->operands[i].reach[d];
    bytes += unique;
  }
  return bytes;
}

// With as many points as that, of which each takes `slots` for a multiplication and which the multiprocessors share at best, but of which one has
// `of_block`.
static double hd_least_for(const struct hd_device_model* device, const struct hd_contraction* c, double points,
                           double of_block, double slots) {
  double steps = fmax((double)c->elem_size / 4, 1) * (double)c->products;
  for (int r = 0; r < c->num_reduction; r++) steps *= (double)c->extents[c->num_parallel + r];
  double of_point = (steps * slots + HD_STORE_SLOTS / (double)hd_quantum(c->elem_size)) / device->fma_per_clock;
  double clocks = fmax(points * of_point / (double)device->multiprocessors, of_block * of_point + HD_CHUNK_CLOCKS);
  clocks = fmax(clocks, HD_MEMORY_LATENCY);
  return fmax(clocks / device->clock_hz, hd_least_bytes(c) / device->bytes_per_second) + HD_LAUNCH_SECONDS;
}

HD_API double hd_tiling_least_seconds(const struct hd_device_model* device, const struct hd_contraction* c,
                                      const struct hd_tiling* t) {
  double points = 1, of_block = 1;
  for (int p = 0; p < c->num_parallel; p++) {
    int64_t tile = t->parallel[p].warps * t->parallel[p].lanes * t->parallel[p].points;
    points *= (double)hd_tiling_round_up(c->extents[p], tile);
    of_block *= (double)tile;
  }
  struct hd_tiling ahead = *t;
  ahead.ahead = 1;
  return hd_least_for(device, c, points, of_block, hd_slots_of_step(c, &ahead));
}

HD_API double hd_contraction_least_seconds(const struct hd_device_model* device, const struct hd_contraction* c) {
  double points = 1;
  for (int p = 0; p < c->num_parallel; p++) points *= (double)c->extents[p];
  return hd_least_for(device, c, points, 1, HD_LEAST_SLOTS);
}

// How much more than a tile's elements memory delivers where these are parts of rows shorter than what it delivers at a
// time: 200,000 rows of a matrix, 16 bytes of each at a time, took 3.6 times as long as the bytes alone.
static double hd_tiling_waste(const struct hd_tiled_operand* o, int64_t part) {
  if (o->rank < 2 || o->transposed || part >= o->reach[o->rank - 1]) return 1;
  return fmax(1, 2.0 * HD_SECTOR_BYTES / (double)(part * o->elem_size));
}

// What memory has to do for each result because a block's part of a row begins or ends within a sector, which the block with the
// rest of it writes as well. 64 channels of 570x570 from one took 84, 61, 44 and 38 us with parts of 64 to 512 bytes, which are 74 bytes
// for each such end; results of other shapes came to 32 and 47.
static double hd_tiling_split_sectors(const struct hd_contraction* c, const struct hd_tiling* t) {
  enum { BYTES_OF_END = 48 };
  int last = c->num_parallel - 1;
  int64_t part = t->parallel[last].points * t->parallel[last].lanes * t->parallel[last].warps;
  int64_t aligned = hd_quantum(c->elem_size);
  if (part >= c->extents[last]) return 0;
  while (aligned > 1 && (c->result_aligned % aligned != 0 || part % aligned != 0)) aligned /= 2;
  // Of rows that begin at multiples of a wide access no more is known.
  if (aligned == hd_quantum(c->elem_size)) return 0;
  double within = 1 - (double)(aligned * c->elem_size) / HD_SECTOR_BYTES;
  return 2 * within * BYTES_OF_END / (double)part;
}

// What a block has to do; slots and words of one thread, clocks of the multiprocessor.
struct hd_block_work {
  double group, groups,
      wait_of_warp;       // slots of a group of members, how many there are, slots that a warp waits for one
  double result, copies;  // slots for results; copies for a chunk
  double threads, threads_per_clock;
  double shared;  // clocks of the banks
  double chunks, arriving;
};

static double hd_issue_of_block(const struct hd_block_work* w, int64_t blocks) {
  double warps = w->threads * (double)blocks / 32;
  return (w->groups * (w->group + w->wait_of_warp / warps) + w->result) * w->threads / w->threads_per_clock;
}

// For so many blocks that a multiprocessor has at once. hd_tiling_evaluate says where the constants are from.
static double hd_clocks_of_blocks(const struct hd_block_work* w, int64_t blocks) {
  double warps = w->threads * (double)blocks / 32;
  double stalls = 0.543 / warps + 0.0022 * fmax(w->copies - 12, 0);
  double waiting = w->chunks * HD_CHUNK_CLOCKS / (double)blocks;
  double busy = fmax(hd_issue_of_block(w, blocks) * (1 + stalls), w->shared) + waiting;
  return fmax((double)blocks * busy, w->arriving);
}

enum { HD_MANY_ROUNDS = 12 };

// How many the multiprocessor with most of them has, one after the other, of which `fit` run at once. Where there are many rounds, blocks of different
// length even out: 15.5 rounds took 2812 us of the 2907 of 16, but 6.3 as long as 7.
static double hd_blocks_of_one(const struct hd_device_model* device, int64_t num_blocks, int64_t fit) {
  double whole = (double)hd_tiling_div_up(num_blocks, device->multiprocessors);
  bool many = whole > (double)(HD_MANY_ROUNDS * fit);
  return many ? (double)num_blocks / (double)device->multiprocessors : whole;
}

// For as many blocks as that. Of two rounds or more a last one of few takes as long as these need, which have the multiprocessor for themselves: 1666 blocks,
// 4 at once, took 84 us where whole rounds would have taken 102.
static double hd_clocks_of_rounds(const struct hd_block_work* w, double blocks, int64_t fit) {
  double at_once = hd_clocks_of_blocks(w, fit), rounds = blocks / (double)fit;
  if (rounds > HD_MANY_ROUNDS) return rounds * at_once;
  if (rounds < 2) return ceil(rounds) * at_once;
  int64_t rest = (int64_t)blocks % fit;
  return floor(rounds) * at_once + (rest > 0 ? hd_clocks_of_blocks(w, rest) : 0);
}

HD_API bool hd_tiling_evaluate(const struct hd_device_model* device, const struct hd_contraction* c,
                               const struct hd_tiling* t, struct hd_tiling_cost* cost) {
  struct hd_kernel_geometry g;
  c->geometry.of_kernel(c->geometry.sizes, t, &g);
  memset(cost, 0, sizeof *cost);
  cost->threads = g.threads;
  cost->num_blocks = g.num_blocks;
  cost->shared_bytes = g.shared_bytes;
  double points = (double)g.points, unroll = (double)g.members, chunks = (double)g.chunks;

  // Loads and the banks that they keep busy, per thread and group; copies per thread and chunk; bytes copied per block
  // and chunk.
  double loads = 0, banks = 0, copies = 0, chunk_bytes = 0, unique_bytes = 0;
  int64_t operand_registers = 0;
  for (int i = 0; i < c->num_operands; i++) {
    const struct hd_tiled_operand* o = &c->operands[i];
    double tile = (double)g.operands[i].tile, thread_words = (double)g.operands[i].registers, unique = 1;
    for (int d = 0; d < o->rank; d++) unique *= (double)o->reach[d];
    double words_per_elem = (double)o->elem_size / 4;
    double times = o->by_group ? 1 : unroll;
    loads += times * thread_words / (double)t->operands[i].load_width * t->operands[i].conflicts;
    banks += times * thread_words * words_per_elem * t->operands[i].conflicts;
    unique_bytes += unique * (double)o->elem_size;
    operand_registers += (int64_t)(thread_words * fmax(words_per_elem, 1));
    // Of tiles that are transposed the model counts elements: so it was fitted.
    copies += o->transposed ? ceil(tile / (double)g.threads) : (double)g.operands[i].copies;
    chunk_bytes += tile * (double)o->elem_size * hd_tiling_waste(o, g.operands[i].part);
  }
  double elem_words = fmax((double)c->elem_size / 4, 1), term_words = elem_words * (double)c->products;
  // The places that a thread copies from and to stay in registers, too.
  const bool another_set = t->ahead && hd_any_by_group(c);
  int64_t values = (int64_t)(points * elem_words) + operand_registers * (another_set ? 2 : 1);
  cost->registers = values + (int64_t)fmin(2 * copies, 60) + 32;
  // Of 20 tilings most needed no fewer; where registers are loaded ahead, more are elements that the compiler would
  // have held anyway. What is loaded for single members has two sets of registers either way.
  cost->least_registers = hd_tiling_round_up(values + (another_set ? 32 : 52), 8);

  if (hd_tiling_excess_of(device, cost).resource != NULL) return false;
  int64_t fit = device->registers / (hd_tiling_registers(cost) * cost->threads);
  fit = hd_tiling_min(fit, device->shared_bytes / (cost->shared_bytes + 1024));
  fit = hd_tiling_min(fit, device->threads / cost->threads);
  cost->blocks_per_multiprocessor = fit;

  // Clocks that one block keeps a multiprocessor busy.
  double threads = (double)cost->threads;
  double groups = chunks * (double)g.groups;
  double fma = groups * points * unroll * term_words * threads / device->fma_per_clock;
  // These constants were fitted to the times of 1164 tilings of convolutions, batches of them and products on an H100,
  // the fast ones counting most; what is left of the error is 5.3 % (root mean square), and the tiling that the model
  // prefers is slower than the best of them by 2 % on average. Loads that meet in a bank hold up arithmetic, too; the
  // fewer warps there are, the longer each group waits for its first loads or, if those run ahead, for its place; and
  // what many copies keep in registers may not all stay there.
  double arithmetic = points * unroll * term_words * hd_slots_of_step(c, t);
  struct hd_block_work work = {
      .group = arithmetic + (t->ahead ? 2 : 1.87) * loads,
      .wait_of_warp = t->ahead ? 300 : 391,
      .groups = groups,
      .result = t->result_shared ? points * (30 + 55.8 / (double)(t->store_width * t->slices))
                                 : points * HD_STORE_SLOTS / (double)t->store_width,
      .threads = threads,
      .threads_per_clock = device->fma_per_clock,
      .shared = (groups * banks * threads + chunks * chunk_bytes / 4) / device->words_per_clock,
      .copies = copies,
      .chunks = chunks,
      // A chunk has as long as the stages ahead of it take to arrive from memory.
      .arriving = HD_MEMORY_LATENCY * (1 + chunks / (double)(t->stages - 1))};
  double of_one = hd_blocks_of_one(device, cost->num_blocks, fit), clocks = hd_clocks_of_rounds(&work, of_one, fit);
  cost->waits_for_memory = work.arriving >= hd_clocks_of_blocks(&work, fit);
  cost->fma_seconds = (double)cost->num_blocks * fma / (double)device->multiprocessors / device->clock_hz;
  cost->issue_seconds = of_one * hd_issue_of_block(&work, fit) / device->clock_hz;
  cost->shared_seconds = of_one * work.shared / device->clock_hz;

  double bytes = (double)c->elem_size, results = 1;
  for (int p = 0; p < c->num_parallel; p++) results *= (double)c->extents[p];
  if (!t->result_shared) {
    bytes *= fmax(1, (double)HD_SECTOR_BYTES / (double)(hd_stored_together(c, t) * c->elem_size));
  }
  bytes = results * bytes + fmax((double)cost->num_blocks * chunks * chunk_bytes, unique_bytes);
  double moving = bytes / device->bytes_per_second;
  cost->memory_seconds = moving + results * hd_tiling_split_sectors(c, t) / device->bytes_per_second;
  // While one block computes, another one or the pipeline moves data. Beside much arithmetic, split sectors took no time at all.
  double computing = clocks / device->clock_hz;
  double overlap = 1 + 1.318 * ((double)fit * (fmin(chunks, 8) + 2) - 1);
  cost->seconds = fmax(computing, cost->memory_seconds) + fmin(computing, moving) / overlap + HD_LAUNCH_SECONDS;
  return true;
}

// Without fewer blocks on a multiprocessor at a time.
HD_API int64_t hd_tiling_most_registers(const struct hd_device_model* device, const struct hd_tiling_cost* cost) {
  return hd_tiling_min(device->registers / (cost->threads * cost->blocks_per_multiprocessor) / 8 * 8, 255);
}

// Given more registers than it needs, the compiler loads far ahead, and then no longer keeps the order of arithmetic in
// which registers are read least (contraction::Leaf::serpentine_order).
// With 16 more than were needed some tilings lost that order.
HD_API int64_t hd_tiling_register_limit(const struct hd_device_model* device, const struct hd_tiling_cost* cost) {
  return hd_tiling_min(hd_tiling_most_registers(device, cost), cost->least_registers);
}

HD_API int hd_tiling_list(const struct hd_contraction* c, struct hd_tiling* t, struct hd_tiling_value* values) {
  int n = 0;
#define HD_PARALLEL_VALUE(name, settled) \
  values[n++] = (struct hd_tiling_value){#name, p, &t->parallel[p].name, settled};
#define HD_REDUCTION_VALUE(name, settled) \
  values[n++] = (struct hd_tiling_value){#name, r, &t->reduction[r].name, settled};
#define HD_OPERAND_VALUE(name, settled) values[n++] = (struct hd_tiling_value){#name, o, &t->operands[o].name, settled};
#define HD_KERNEL_VALUE(name, settled) values[n++] = (struct hd_tiling_value){#name, -1, &t->name, settled};
  for (int p = 0; p < c->num_parallel; p++) {
    HD_PARALLEL_VALUES(HD_PARALLEL_VALUE)
  }
  for (int r = 0; r < c->num_reduction; r++) {
    HD_REDUCTION_VALUES(HD_REDUCTION_VALUE)
  }
  for (int o = 0; o < c->num_operands; o++) {
    HD_OPERAND_VALUES(HD_OPERAND_VALUE)
  }
  HD_KERNEL_VALUES(HD_KERNEL_VALUE)
#undef HD_PARALLEL_VALUE
#undef HD_REDUCTION_VALUE
#undef HD_OPERAND_VALUE
#undef HD_KERNEL_VALUE
  return n;
}

HD_API int hd_tiling_values(const struct hd_contraction* c, const struct hd_tiling* t, int64_t* values) {
  struct hd_tiling copy = *t;
  struct hd_tiling_value list[HD_MAX_TILING_VALUES];
  int n = hd_tiling_list(c, &copy, list);
  for (int i = 0; i < n; i++) values[i] = *list[i].place;
  return n;
}

// How many times as long loads from shared memory take because lanes meet in a bank. A load of w words is served for
// 32 / w lanes at once, each lane using w neighbouring banks.
static double hd_tiling_conflicts(const struct hd_contraction* c, const struct hd_tile_geometry* tiles,
                                  const struct hd_tiling* t, int operand) {
  const struct hd_tiled_operand* o = &c->operands[operand];
  if (o->rank == 0) return 1;
  int64_t step[HD_MAX_TILED_INDICES], row = tiles->operands[operand].row + t->operands[operand].padding;
  for (int p = 0; p < c->num_parallel; p++) {
    int64_t apart = tiles->operands[operand].rows_apart[p] * row + tiles->operands[operand].columns_apart[p];
    step[p] = t->parallel[p].run * apart;
  }
  int64_t width_bytes = t->operands[operand].load_width * o->elem_size;
  int64_t words = width_bytes < 4 ? 1 : width_bytes / 4;
  int lanes_at_once = (int)(32 / words), num_rounds = 0;
  double rounds = 0;
  for (int first = 0; first < 32; first += lanes_at_once, num_rounds++) {
    int64_t seen[32];
    int in_bank[32] = {0}, most = 1, num_seen = 0;
    for (int lane = first; lane < first + lanes_at_once; lane++) {
      int64_t rest = lane, offset = 0;
      for (int p = c->num_parallel - 1; p >= 0; p--) {
        offset += rest % t->parallel[p].lanes * step[p];
        rest /= t->parallel[p].lanes;
      }
      int64_t unit = offset * o->elem_size / (4 * words);
      bool known = false;
      for (int k = 0; k < num_seen; k++) known = known || seen[k] == unit;
      if (known) continue;
      seen[num_seen++] = unit;
      int bank = (int)(unit % lanes_at_once);
      if (++in_bank[bank] > most) most = in_bank[bank];
    }
    rounds += most;
  }
  return rounds / num_rounds;
}

HD_API void hd_tiling_pad(const struct hd_contraction* c, const struct hd_tile_geometry* tiles, struct hd_tiling* t) {
  for (int i = 0; i < c->num_operands; i++) {
    // Threads that copy neighbours of another dimension must not meet in a bank either.
    int fewest = c->operands[i].transposed ? 1 : 0;
    int64_t quantum = hd_quantum(c->operands[i].elem_size), best = fewest * quantum;
    t->operands[i].padding = best;
    double least = hd_tiling_conflicts(c, tiles, t, i);
    for (int k = fewest + 1; k < 4 && least > 1; k++) {
      t->operands[i].padding = k * quantum;
      double conflicts = hd_tiling_conflicts(c, tiles, t, i);
      if (conflicts < least) {
        least = conflicts;
        best = k * quantum;
      }
    }
    t->operands[i].padding = best;
    t->operands[i].conflicts = least;
  }
}

HD_API void hd_tiling_complete(const struct hd_contraction* c, struct hd_tiling* t) {
  int last = c->num_parallel - 1;
  int64_t result_shared = t->result_shared;
  struct hd_tile_geometry tiles = hd_tiling_tiles(c, t);
  hd_tiling_widths(c, &tiles, t);
  t->result_shared = t->slices > 1 ? 1 : result_shared;
  // What does not go through shared memory is stored by the thread that has it.
  while (t->result_shared == 0 && t->parallel[last].run % t->store_width != 0) t->store_width /= 2;
  hd_tiling_pad(c, &tiles, t);
}
