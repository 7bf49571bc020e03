// Which tilings the model likes best.
#include <math.h>

#include "runtime/contraction/tiling.h"

// Of the lanes with the same points, so many are looked at with all warps where there are many indices; of all these,
// so many with all chunks.
enum { HD_MANY_INDICES = 4, HD_MOST_LANES = 12, HD_MOST_DISTRIBUTIONS = 64 };

struct hd_tiling_search {
  const struct hd_device_model* device;
  const struct hd_contraction* c;
  struct hd_tiling current;
  struct hd_ranked_tiling* list;  // the best first
  int most, num_listed;
  struct hd_ranked_tiling distributions[HD_MOST_DISTRIBUTIONS];  // the best first, by a sample of the reduction's tiles
  struct hd_ranked_tiling lanes[HD_MOST_LANES];
  int num_distributions, num_lanes;
  int64_t fewest_points;  // of a thread
  int64_t fewest_warps;   // of a block
  int64_t most_slices;
  int64_t longest_chunk;
  int64_t most_surplus;  // how many times as long as an index a tile along it may be
};

// Whether a thread has several points along a window that it does not write out: their windows overlap, and what they
// share would be loaded again for every index of the reduction.
static bool hd_tiling_reloads(const struct hd_contraction* c, const struct hd_tiling* t) {
  int num_indices = c->num_parallel + c->num_reduction;
  for (int i = 0; i < c->num_operands; i++) {
    for (int d = 0; d < c->operands[i].rank; d++) {
      const int64_t* k = &c->operands[i].coefficients[d * num_indices];
      bool several = false, one_by_one = false;
      for (int p = 0; p < c->num_parallel; p++) several = several || (k[p] != 0 && t->parallel[p].points > 1);
      for (int r = 0; r < c->num_reduction; r++) {
        one_by_one = one_by_one || (k[c->num_parallel + r] != 0 && t->reduction[r].unroll == 1 &&
                                    c->extents[c->num_parallel + r] > 1);
      }
      if (several && one_by_one) return true;
    }
  }
  return false;
}

static bool hd_tiling_same_points(const struct hd_contraction* c, const struct hd_tiling* a,
                                  const struct hd_tiling* b) {
  for (int p = 0; p < c->num_parallel; p++) {
    if (a->parallel[p].points != b->parallel[p].points) return false;
  }
  return true;
}

// Where in the list a tiling belongs that takes so long; -1 if nowhere.
static int hd_tiling_rank(const struct hd_tiling_search* s, double seconds) {
  int rank = 0;
  while (rank < s->num_listed && s->list[rank].cost.seconds <= seconds) {
    if (hd_tiling_same_points(s->c, &s->list[rank].tiling, &s->current)) return -1;
    rank++;
  }
  return rank < s->most ? rank : -1;
}

static void hd_tiling_enlist(struct hd_tiling_search* s, int rank, const struct hd_tiling_cost* cost) {
  // Drops the one with the same points, or else the last if the list is full.
  int gap = rank;
  while (gap < s->num_listed && !hd_tiling_same_points(s->c, &s->list[gap].tiling, &s->current)) gap++;
  if (gap == s->num_listed && s->num_listed == s->most) gap--;
  if (gap == s->num_listed) s->num_listed++;
  for (int i = gap; i > rank; i--) s->list[i] = s->list[i - 1];
  s->list[rank].tiling = s->current;
  s->list[rank].tiling.registers = hd_tiling_register_limit(s->device, cost);
  s->list[rank].cost = *cost;
}

// Whether more stages might help.
static bool hd_tiling_try_this(struct hd_tiling_search* s, const struct hd_tile_geometry* tiles) {
  struct hd_tiling_cost cost;
  for (int pass = 0; pass < 2; pass++) {
    if (!hd_tiling_evaluate(s->device, s->c, &s->current, &cost)) return false;
    if (hd_tiling_rank(s, cost.seconds) < 0) return cost.waits_for_memory;
    // What is not better without conflicts need not be looked at with them.
    if (pass == 0) hd_tiling_pad(s->c, tiles, &s->current);
  }
  hd_tiling_enlist(s, hd_tiling_rank(s, cost.seconds), &cost);
  return cost.waits_for_memory;
}

// More instructions than this do not stay in the instruction cache. Where several blocks of few warps are on a multiprocessor, each of which is
// somewhere else in them, half as many: batches of 128, 256 and 512 channels took 134, 120 and 149 us with 1024 multiplications and additions
// written out by blocks of four warps, and 141, 122 and 164 with 2048, products of 2048 by blocks of eight 372 and 364.
#define HD_MOST_IN_CACHE 2400.0
#define HD_MANY_WARPS 8

static double hd_most_in_cache(const struct hd_contraction* c, const struct hd_tiling* t) {
  int64_t warps = 1;
  for (int p = 0; p < c->num_parallel; p++) warps *= t->parallel[p].warps;
  return warps < HD_MANY_WARPS && !hd_any_by_group(c) ? HD_MOST_IN_CACHE / 2 : HD_MOST_IN_CACHE;
}

// Loading ahead takes twice the instructions, and pays where windows are kept in registers, and where several sums of a point share what is
// loaded for many multiplications: complex products of 2048 took 1.35 ms for 1.39 with 256 of them, of 1500 7 % more with 64. Other products,
// whose registers are loaded for single members, were slower by a tenth. Where many warps of a block go through the same instructions, more of these
// pay: with 4096 the products of 2048, by eight warps, took 1.32 ms, and those of 1024, by four, 204 us in place of 184.
static bool hd_tiling_may_load_ahead(const struct hd_contraction* c, const struct hd_tile_geometry* tiles,
                                     const struct hd_tiling* t) {
  enum { MANY = 128 };
  bool by_group = hd_any_by_group(c), sums = false;
  double of_member = (double)c->products, warps = 1;
  for (int p = 0; p < c->num_parallel; p++) {
    warps *= (double)t->parallel[p].warps;
    sums = sums || (c->extents[p] > 1 && t->parallel[p].points > 1 && hd_counts_sums(c, p));
    of_member *= (double)t->parallel[p].points;
  }
  double written_out = 2 * of_member;
  for (int r = 0; r < c->num_reduction; r++) written_out *= (double)t->reduction[r].unroll;
  const bool many_sums = sums && of_member >= MANY;
  const double most = many_sums && warps >= HD_MANY_WARPS ? 2 * HD_MOST_IN_CACHE : HD_MOST_IN_CACHE;
  return (by_group || many_sums) && written_out <= most && tiles->groups_are_paired;
}

static bool hd_tiling_try(struct hd_tiling_search* s) {
  if (hd_tiling_reloads(s->c, &s->current)) return false;
  struct hd_tile_geometry tiles = hd_tiling_tiles(s->c, &s->current);
  bool waits = false, may_load_ahead = hd_tiling_may_load_ahead(s->c, &tiles, &s->current);
  for (int ahead = 0; ahead <= may_load_ahead; ahead++) {
    s->current.ahead = ahead;
    hd_tiling_widths(s->c, &tiles, &s->current);
    waits = hd_tiling_try_this(s, &tiles) || waits;
  }
  s->current.ahead = 0;
  return waits;
}

// Of n that is at most `most`, which is small.
static int64_t hd_largest_divisor(int64_t n, double most) {
  int64_t divisor = (double)n <= most ? n : (int64_t)most;
  while (divisor > 1 && n % divisor != 0) divisor--;
  return divisor < 1 ? 1 : divisor;
}

// Chunks: windows as a whole, of the other indices as much as makes a chunk worth its barrier. Of the windows,
// `written_out` are, from the innermost, as a whole or in equal parts; of the other indices, `unroll` where groups may
// overrun. False if that is too much.
static bool hd_tiling_set_reduction(struct hd_tiling_search* s, int written_out, int64_t chunk, int64_t unroll) {
  const struct hd_contraction* c = s->c;
  double members = 1, points = (double)c->products;
  for (int p = 0; p < c->num_parallel; p++) points *= (double)s->current.parallel[p].points;
  for (int r = c->num_reduction - 1; r >= 0; r--) {
    int64_t extent = c->extents[c->num_parallel + r] < 1 ? 1 : c->extents[c->num_parallel + r];
    s->current.reduction[r].chunk = c->window[r] || extent < chunk ? extent : chunk;
    s->current.reduction[r].unroll = 1;
    if (c->window[r] && written_out > 0) {
      s->current.reduction[r].unroll = hd_largest_divisor(extent, HD_MOST_IN_CACHE / (points * members));
      written_out--;
    } else if (!c->window[r] && c->may_overrun[r] && s->current.reduction[r].chunk % unroll == 0) {
      s->current.reduction[r].unroll = unroll;
    }
    members *= (double)s->current.reduction[r].unroll;
  }
  return members * points <= hd_most_in_cache(c, &s->current);
}

static void hd_tiling_reduction(struct hd_tiling_search* s, int written_out, int64_t chunk, int64_t unroll) {
  if (!hd_tiling_set_reduction(s, written_out, chunk, unroll)) return;
  for (int64_t stages = 2; stages <= 4; stages++) {
    s->current.stages = stages;
    if (!hd_tiling_try(s)) break;
  }
}

static void hd_tiling_reductions(struct hd_tiling_search* s) {
  const struct hd_contraction* c = s->c;
  static const int64_t chunks[] = {1, 2, 4, 8, 16, 32, 64, 128}, unrolls[] = {1, 4, 8, 16, 32};
  int num_windows = 0;
  bool others = false;
  for (int r = 0; r < c->num_reduction; r++) {
    bool window = c->window[r] && c->extents[c->num_parallel + r] > 1;
    num_windows += window;
    others = others || (!window && c->may_overrun[r]);
  }
  for (int w = 0; w <= num_windows && w < 3; w++) {
    // Without a window, single channels are not worth a barrier.
    for (size_t k = num_windows > 0 ? 0 : 2; k < sizeof chunks / sizeof chunks[0] && chunks[k] <= s->longest_chunk;
         k++) {
      for (size_t u = 0; u < sizeof unrolls / sizeof unrolls[0]; u++) {
        bool same = u > 0 && (!others || chunks[k] % unrolls[u] != 0);
        if (!same) hd_tiling_reduction(s, w, chunks[k], unrolls[u]);
      }
    }
  }
}

static bool hd_tiling_evaluate_chunk(struct hd_tiling_search* s, int written_out, int64_t chunk,
                                     struct hd_tiling_cost* cost) {
  if (!hd_tiling_set_reduction(s, written_out, chunk, written_out == 0 && chunk == 8 ? 4 : 1)) return false;
  if (hd_tiling_reloads(s->c, &s->current)) return false;
  struct hd_tile_geometry tiles = hd_tiling_tiles(s->c, &s->current);
  hd_tiling_widths(s->c, &tiles, &s->current);
  return hd_tiling_evaluate(s->device, s->c, &s->current, cost);
}

// Whether some usual tiles of the reduction fit, and the cost with the longest that do. Where windows are written out, half of that may leave
// room for more blocks, and is looked at, too: 32 images of 128 channels took 187 us since a tiling of 174 us, by chunks of 4, was
// judged by chunks of 8.
static bool hd_tiling_sample(struct hd_tiling_search* s, struct hd_tiling_cost* cost) {
  static const int64_t chunks[] = {8, 2, 1};
  s->current.stages = 2;
  for (int written_out = 2; written_out >= 0; written_out--) {
    for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++) {
      if (!hd_tiling_evaluate_chunk(s, written_out, chunks[k], cost)) continue;
      const struct hd_tiling longest = s->current;
      struct hd_tiling_cost half;
      if (chunks[k] > 1 && hd_any_by_group(s->c) && hd_tiling_evaluate_chunk(s, written_out, chunks[k] / 2, &half) &&
          half.seconds < cost->seconds) {
        *cost = half;
      } else {
        s->current = longest;
      }
      return true;
    }
  }
  return false;
}

// A list of the best tilings, the best first.
static void hd_tiling_note(struct hd_ranked_tiling* list, int* length, int most, const struct hd_ranked_tiling* found) {
  int place = *length;
  while (place > 0 && list[place - 1].cost.seconds > found->cost.seconds) place--;
  if (place == most) return;
  if (*length < most) ++*length;
  for (int i = *length - 1; i > place; i--) list[i] = list[i - 1];
  list[place] = *found;
}

static void hd_tiling_note_distribution(struct hd_tiling_search* s) {
  struct hd_ranked_tiling found;
  if (!hd_tiling_sample(s, &found.cost)) return;
  found.tiling = s->current;
  hd_tiling_note(s->distributions, &s->num_distributions, HD_MOST_DISTRIBUTIONS, &found);
}

// By the best of some usual ways to have several warps.
static void hd_tiling_note_lanes(struct hd_tiling_search* s) {
  struct hd_ranked_tiling best = {.cost = {.seconds = INFINITY}}, found;
  for (int p = 0; p <= s->c->num_parallel; p++) {
    bool along = p < s->c->num_parallel;
    if (along) s->current.parallel[p].warps = s->fewest_warps;
    s->current.slices = along || s->most_slices == 1 ? 1 : 4;
    if (hd_tiling_sample(s, &found.cost) && found.cost.seconds < best.cost.seconds) {
      found.tiling = s->current;
      best = found;
    }
    if (along) s->current.parallel[p].warps = 1;
  }
  if (isfinite(best.cost.seconds)) hd_tiling_note(s->lanes, &s->num_lanes, HD_MOST_LANES, &best);
}

// An odd number of points that, with powers of two of lanes and warps, covers a short index with less surplus than
// powers of two alone; 1 if there is none.
static int64_t hd_tiling_odd_points(int64_t extent) {
  enum { MOST_EXTENT = 128, MOST_POINTS = 7 };
  if (extent > MOST_EXTENT) return 1;
  int64_t best = 1, least = 1;
  while (least < extent) least *= 2;
  for (int64_t v = 3; v <= MOST_POINTS; v += 2) {
    int64_t covered = v;
    while (covered < extent) covered *= 2;
    if (covered >= least) continue;
    least = covered;
    best = v;
  }
  return best;
}

// Whether no tiling can be listed that has these points, and these lanes and warps or multiples of them.
static bool hd_tiling_is_hopeless(const struct hd_tiling_search* s) {
  return s->num_listed == s->most &&
         hd_tiling_least_seconds(s->device, s->c, &s->current) > s->list[s->num_listed - 1].cost.seconds;
}

// What threads are distributed over, in the order in which it is chosen.
enum { HD_POINTS, HD_LANES, HD_WARPS };

static int64_t* hd_tiling_value_of(struct hd_tiling_search* s, int what, int p) {
  return what == HD_POINTS  ? &s->current.parallel[p].points
         : what == HD_LANES ? &s->current.parallel[p].lanes
                            : &s->current.parallel[p].warps;
}

static void hd_tiling_distribute(struct hd_tiling_search* s, int what, int p);

// All indices have their points, lanes or warps, and `product` of them altogether.
static void hd_tiling_distributed(struct hd_tiling_search* s, int what, int64_t product) {
  if (hd_tiling_is_hopeless(s)) return;
  if (what == HD_POINTS) {
    if (product < s->fewest_points) return;
    s->num_distributions = s->num_lanes = 0;
    hd_tiling_distribute(s, HD_LANES, 0);
    for (int i = 0; i < s->num_lanes; i++) {
      s->current = s->lanes[i].tiling;
      hd_tiling_distribute(s, HD_WARPS, 0);
    }
    for (int i = 0; i < s->num_distributions; i++) {
      s->current = s->distributions[i].tiling;
      // The list has become better since these were noted.
      if (!hd_tiling_is_hopeless(s)) hd_tiling_reductions(s);
    }
  } else if (what == HD_LANES) {
    if (product != 32) return;
    if (s->c->num_parallel < HD_MANY_INDICES) {
      hd_tiling_distribute(s, HD_WARPS, 0);
    } else {
      hd_tiling_note_lanes(s);
    }
  } else {
    for (s->current.slices = 1; s->current.slices <= s->most_slices; s->current.slices *= 2) {
      int64_t warps = product * s->current.slices;
      if (warps >= s->fewest_warps && warps <= (s->current.slices > 1 ? 16 : 8)) hd_tiling_note_distribution(s);
    }
  }
}

static void hd_tiling_distribute(struct hd_tiling_search* s, int what, int p) {
  static const int64_t most[] = {[HD_POINTS] = 128, [HD_LANES] = 32, [HD_WARPS] = 8};
  const struct hd_contraction* c = s->c;
  // Indices that are still to come, and what is still to be chosen, count as 1.
  for (int w = what; w <= HD_WARPS; w++) {
    for (int q = w == what ? p : 0; q < c->num_parallel; q++) *hd_tiling_value_of(s, w, q) = 1;
  }
  if (what != HD_POINTS && hd_tiling_is_hopeless(s)) return;
  int64_t product = 1, before = 1;
  for (int q = 0; q < p; q++) product *= *hd_tiling_value_of(s, what, q);
  if (p == c->num_parallel) {
    hd_tiling_distributed(s, what, product);
    return;
  }
  for (int w = 0; w < what; w++) before *= *hd_tiling_value_of(s, w, p);
  // A thread that has all of a point's sums loads nothing more, while lanes with one each would not compute the same.
  if (p >= c->num_by_blocks && hd_counts_sums(c, p)) {
    *hd_tiling_value_of(s, what, p) = what == HD_POINTS ? c->extents[p] : 1;
    hd_tiling_distribute(s, what, p + 1);
    return;
  }
  // Of points the most come first, since with a good tiling more of the others are hopeless.
  const int64_t points[] = {32, 16, 8, hd_tiling_odd_points(c->extents[p]), 4, 2, 1}, others[] = {1, 2, 4, 8, 16, 32};
  const int64_t* values = what == HD_POINTS ? points : others;
  size_t num_values = what == HD_POINTS ? sizeof points / sizeof points[0] : sizeof others / sizeof others[0];
  for (size_t k = 0; k < num_values; k++) {
    int64_t v = values[k];
    if (v * product > most[what] || (v == 1 && values == points && k + 1 < num_values)) continue;
    // No more than what covers the extent.
    if (v > 1 && (p < c->num_by_blocks || before * v >= s->most_surplus * c->extents[p])) continue;
    *hd_tiling_value_of(s, what, p) = v;
    hd_tiling_distribute(s, what, p + 1);
  }
}

HD_API int hd_tiling_shortlist(const struct hd_device_model* device, const struct hd_contraction* c, int most,
                               struct hd_ranked_tiling* list) {
  if (!hd_tiling_has_room(c)) return 0;
  // Few points per thread only where there are few altogether, or where they are not needed to keep data in registers:
  // where there is little to compute, or points of one index only, whose lanes meet in a bank the more of them there
  // are.
  double threads = 1, terms = 1;
  int num_long = 0;
  for (int p = 0; p < c->num_parallel; p++) {
    threads *= (double)c->extents[p];
    num_long += c->extents[p] > 1;
  }
  for (int r = 0; r < c->num_reduction; r++) terms *= (double)c->extents[c->num_parallel + r];
  threads /= (double)(device->multiprocessors * 512);
  bool many_points = threads > 32 && num_long > 1 && terms >= 64;
  // A small matrix times a vector: what counts is how many of its elements are under way. 512 sums of 512 doubles took 8.4 us with chunks of
  // 128 and one point of each thread, and 14 with the best of all others.
  bool small_and_long = num_long <= 1 && threads <= 1;
  struct hd_tiling_search search = {.device = device,
                                    .c = c,
                                    .list = list,
                                    .most = most,
                                    .fewest_points = small_and_long ? 1
                                                     : many_points  ? 32
                                                                    : 4,
                                    .fewest_warps = 4,
                                    .most_slices = threads > 32  ? 1
                                                   : threads > 8 ? 8
                                                                 : 16,
                                    .longest_chunk = small_and_long ? 128 : 32,
                                    .most_surplus = 2};
  hd_tiling_distribute(&search, HD_POINTS, 0);
  if (search.num_listed == 0) {
    search.fewest_points = search.fewest_warps = 1;
    search.most_surplus = 8;
    hd_tiling_distribute(&search, HD_POINTS, 0);
  }
  return search.num_listed;
}
