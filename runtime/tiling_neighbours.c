#include "tiling_neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tiling_fit.h"

enum { HD_NUM_STARTS = 6 };
// What the model expects to take so many times as long as the best is not worth compiling.
#define HD_HOPELESS 1.6
// Multiplications and additions that a thread writes out; more take long to compile.
#define HD_MOST_WRITTEN_OUT 4800

static bool hd_same_tiling(const struct hd_contraction* c, const struct hd_tiling* a, const struct hd_tiling* b) {
  int64_t of_a[HD_MAX_TILING_VALUES], of_b[HD_MAX_TILING_VALUES];
  int n = hd_tiling_values(c, a, of_a);
  hd_tiling_values(c, b, of_b);
  return memcmp(of_a, of_b, (size_t)n * sizeof *of_a) == 0;
}

static double hd_written_out(const struct hd_contraction* c, const struct hd_tiling* t) {
  double product = (double)(1 + t->ahead);
  for (int p = 0; p < c->num_parallel; p++) product *= (double)t->parallel[p].points;
  for (int r = 0; r < c->num_reduction; r++) product *= (double)t->reduction[r].unroll;
  return product;
}

// Adds a tiling that can be used and is new.
static void hd_propose(struct hd_neighbourhood* n, const struct hd_tiling* proposed) {
  struct hd_tiling tiling = *proposed;
  struct hd_tiling_cost cost;
  char* problem = hd_tiling_settle(n->device, n->c, &tiling, &cost);
  free(problem);
  if (problem != NULL || hd_written_out(n->c, &tiling) > HD_MOST_WRITTEN_OUT) return;
  if (n->best >= 0 && cost.seconds > HD_HOPELESS * n->candidates[n->best].expected) return;
  for (int i = 0; i < n->num_candidates; i++) {
    if (hd_same_tiling(n->c, &n->candidates[i].tiling, &tiling)) return;
  }
  if (n->num_candidates == n->max_candidates) {
    int max = 2 * n->max_candidates + 64;
    struct hd_candidate* grown = realloc(n->candidates, (size_t)max * sizeof *grown);
    if (grown == NULL) return;
    n->candidates = grown;
    n->max_candidates = max;
  }
  n->candidates[n->num_candidates++] =
      (struct hd_candidate){.tiling = tiling, .expected = cost.seconds, .generation = n->generation};
}

static bool hd_is(const struct hd_tiling_value* value, const char* name) { return strcmp(value->name, name) == 0; }

// Halves one of two values and doubles the other, so that their product stays.
static void hd_propose_exchanges(struct hd_neighbourhood* n, struct hd_tiling* t, const struct hd_tiling_value* values,
                                 int num_values, const char* name) {
  for (int i = 0; i < num_values; i++) {
    for (int j = 0; j < num_values; j++) {
      if (i == j || !hd_is(&values[i], name) || !hd_is(&values[j], name) || *values[i].place % 2 != 0) continue;
      int64_t halved = *values[i].place, doubled = *values[j].place;
      *values[i].place = halved / 2;
      *values[j].place = 2 * doubled;
      hd_propose(n, t);
      *values[i].place = halved;
      *values[j].place = doubled;
    }
  }
}

static void hd_propose_value(struct hd_neighbourhood* n, struct hd_tiling* t, int64_t* place, int64_t value) {
  int64_t before = *place;
  if (value == before || value < 0) return;
  *place = value;
  hd_propose(n, t);
  *place = before;
}

// Chunks and what is written out of them go together where one bounds the other.
static void hd_propose_reductions(struct hd_neighbourhood* n, struct hd_tiling* t) {
  for (int r = 0; r < n->c->num_reduction; r++) {
    int64_t chunk = t->reduction[r].chunk, unroll = t->reduction[r].unroll;
    int64_t extent = n->c->extents[n->c->num_parallel + r];
    const int64_t chunks[] = {2 * chunk, chunk / 2, n->c->window[r] ? extent : chunk};
    const int64_t unrolls[] = {unroll, 2 * unroll, unroll / 2, 1, n->c->window[r] ? extent : unroll};
    for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++) {
      if (chunks[k] > extent && chunks[k] > chunk) continue;
      for (size_t u = 0; u < sizeof unrolls / sizeof unrolls[0]; u++) {
        // One step at a time, unless one would not be possible alone.
        if (chunks[k] != chunk && u > 0 && chunks[k] % unroll == 0) continue;
        t->reduction[r].chunk = chunks[k];
        t->reduction[r].unroll = unrolls[u];
        hd_propose(n, t);
      }
    }
    t->reduction[r].chunk = chunk;
    t->reduction[r].unroll = unroll;
  }
}

static void hd_propose_neighbours(struct hd_neighbourhood* n, const struct hd_tiling* centre) {
  struct hd_tiling tiling = *centre;
  struct hd_tiling_value values[HD_MAX_TILING_VALUES];
  int num_values = hd_tiling_list(n->c, &tiling, values);
  hd_propose_value(n, &tiling, &tiling.registers, centre->registers + 16);
  hd_propose_value(n, &tiling, &tiling.registers, centre->registers - 16);
  // With other values go other needs.
  tiling.registers = 0;
  hd_propose_exchanges(n, &tiling, values, num_values, "lanes");
  hd_propose_exchanges(n, &tiling, values, num_values, "warps");
  hd_propose_exchanges(n, &tiling, values, num_values, "points");
  hd_propose_reductions(n, &tiling);
  for (int i = 0; i < num_values; i++) {
    // Lanes can only be exchanged, and reductions have had their turn.
    if (values[i].derived || hd_is(&values[i], "lanes") || hd_is(&values[i], "chunk") || hd_is(&values[i], "unroll") ||
        hd_is(&values[i], "registers")) {
      continue;
    }
    int64_t value = *values[i].place;
    if (hd_is(&values[i], "result_shared")) {
      hd_propose_value(n, &tiling, values[i].place, 1 - value);
      continue;
    }
    hd_propose_value(n, &tiling, values[i].place, value + 1);
    hd_propose_value(n, &tiling, values[i].place, value - 1);
    hd_propose_value(n, &tiling, values[i].place, 2 * value);
    hd_propose_value(n, &tiling, values[i].place, value / 2);
  }
}

HD_API bool hd_neighbourhood_init(struct hd_neighbourhood* n, const struct hd_device_model* device,
                                  const struct hd_contraction* c, int most) {
  *n = (struct hd_neighbourhood){.device = device, .c = c, .most = most, .best = -1};
  struct hd_ranked_tiling starts[HD_NUM_STARTS];
  int num_starts = hd_tiling_shortlist(device, c, HD_NUM_STARTS, starts);
  for (int i = 0; i < num_starts; i++) hd_propose(n, &starts[i].tiling);
  return n->num_candidates > 0;
}

HD_API void hd_neighbourhood_free(struct hd_neighbourhood* n) {
  free(n->candidates);
  *n = (struct hd_neighbourhood){.best = -1};
}

HD_API int hd_neighbourhood_next(const struct hd_neighbourhood* n) {
  if (n->num_measured >= n->most) return -1;
  int next = -1;
  for (int i = 0; i < n->num_candidates; i++) {
    const struct hd_candidate* c = &n->candidates[i];
    if (c->measured != 0) continue;
    // Those around the newest best come first, in the model's order.
    const struct hd_candidate* so_far = next >= 0 ? &n->candidates[next] : NULL;
    if (so_far == NULL || c->generation > so_far->generation ||
        (c->generation == so_far->generation && c->expected < so_far->expected)) {
      next = i;
    }
  }
  return next;
}

HD_API void hd_neighbourhood_tell(struct hd_neighbourhood* n, int candidate, double seconds) {
  n->candidates[candidate].measured = seconds < 0 ? INFINITY : fmax(seconds, 1e-9);
  n->num_measured++;
  bool better = n->best < 0 || n->candidates[candidate].measured < n->candidates[n->best].measured;
  if (better && seconds >= 0) n->best = candidate;
  // The starts are all measured before the search goes on from the best of them; later a new best is gone on from at
  // once.
  bool starting = n->generation == 0;
  if (starting && hd_neighbourhood_next(n) >= 0) return;
  if (n->best < 0 || !(starting || (better && seconds >= 0))) return;
  n->generation++;
  struct hd_tiling centre = n->candidates[n->best].tiling;
  hd_propose_neighbours(n, &centre);
}

HD_API int hd_neighbourhood_total(const struct hd_neighbourhood* n) {
  return n->num_candidates < n->most ? n->num_candidates : n->most;
}
