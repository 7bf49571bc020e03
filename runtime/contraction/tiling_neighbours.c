#include "runtime/contraction/tiling_neighbours.h"

#include <string.h>

#include "runtime/contraction/contraction_family.h"

// Multiplications and additions that a thread writes out; more take long to compile.
#define HD_MOST_WRITTEN_OUT 4800

static double hd_written_out(const struct hd_contraction* c, const struct hd_tiling* t) {
  double product = (double)((1 + t->ahead) * c->products);
  for (int p = 0; p < c->num_parallel; p++) product *= (double)t->parallel[p].points;
  for (int r = 0; r < c->num_reduction; r++) product *= (double)t->reduction[r].unroll;
  return product;
}

static void hd_tiling_propose(struct hd_neighbourhood* n, const struct hd_tiling* t) {
  if (hd_written_out(n->shape, t) > HD_MOST_WRITTEN_OUT) return;
  int64_t values[HD_MAX_CHOSEN_VALUES];
  hd_tiling_values(n->shape, t, values);
  hd_neighbourhood_propose(n, values);
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
      hd_tiling_propose(n, t);
      *values[i].place = halved;
      *values[j].place = doubled;
    }
  }
}

static void hd_propose_value(struct hd_neighbourhood* n, struct hd_tiling* t, int64_t* place, int64_t value) {
  int64_t before = *place;
  if (value == before || value < 0) return;
  *place = value;
  hd_tiling_propose(n, t);
  *place = before;
}

// Chunks and what is written out of them go together where one bounds the other.
static void hd_propose_reductions(struct hd_neighbourhood* n, struct hd_tiling* t) {
  const struct hd_contraction* c = n->shape;
  for (int r = 0; r < c->num_reduction; r++) {
    int64_t chunk = t->reduction[r].chunk, unroll = t->reduction[r].unroll;
    int64_t extent = c->extents[c->num_parallel + r];
    const int64_t chunks[] = {2 * chunk, chunk / 2, c->window[r] ? extent : chunk};
    const int64_t unrolls[] = {unroll, 2 * unroll, unroll / 2, 1, c->window[r] ? extent : unroll};
    for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++) {
      if (chunks[k] > extent && chunks[k] > chunk) continue;
      for (size_t u = 0; u < sizeof unrolls / sizeof unrolls[0]; u++) {
        // One step at a time, unless one would not be possible alone.
        if (chunks[k] != chunk && u > 0 && chunks[k] % unroll == 0) continue;
        t->reduction[r].chunk = chunks[k];
        t->reduction[r].unroll = unrolls[u];
        hd_tiling_propose(n, t);
      }
    }
    t->reduction[r].chunk = chunk;
    t->reduction[r].unroll = unroll;
  }
}

HD_API void hd_tiling_propose_neighbours(struct hd_neighbourhood* n, const int64_t* centre) {
  struct hd_tiling tiling;
  hd_tiling_set_values(n->shape, centre, &tiling);
  struct hd_tiling_value values[HD_MAX_TILING_VALUES];
  int num_values = hd_tiling_list(n->shape, &tiling, values);
  int64_t registers = tiling.registers;
  hd_propose_value(n, &tiling, &tiling.registers, registers + 16);
  hd_propose_value(n, &tiling, &tiling.registers, registers - 16);
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
