#include "runtime/contraction/contraction_family.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contraction_revision.h"
#include "runtime/contraction/tiling_explain.h"
#include "runtime/contraction/tiling_fit.h"
#include "runtime/contraction/tiling_neighbours.h"

_Static_assert(HD_MAX_TILING_VALUES <= HD_MAX_CHOSEN_VALUES, "a choice has no room for a tiling");
_Static_assert(2 * HD_MAX_TILED_INDICES <= HD_MAX_SHAPE_EXTENTS, "a name has no room for the indices");

HD_API void hd_tiling_set_values(const struct hd_contraction* c, const int64_t* values, struct hd_tiling* t) {
  *t = (struct hd_tiling){0};
  struct hd_tiling_value list[HD_MAX_TILING_VALUES];
  int n = hd_tiling_list(c, t, list);
  for (int i = 0; i < n; i++) *list[i].place = values[i];
}

static bool hd_contraction_suits(const void* shape) {
  const struct hd_contraction* c = shape;
  if (!hd_tiling_has_room(c)) return false;
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) {
    if (c->extents[i] <= 0 || c->extents[i] > HD_MOST_NARROW) return false;
  }
  for (int o = 0; o < c->num_operands; o++) {
    for (int d = 0; d < c->operands[o].rank; d++) {
      if (c->operands[o].reach[d] > HD_MOST_NARROW) return false;
    }
  }
  return true;
}

static void hd_contraction_add_key(const void* shape, struct hd_text* key) {
  const struct hd_contraction* c = shape;
  int num_indices = c->num_parallel + c->num_reduction;
  const int64_t counts[] = {c->num_parallel, c->num_reduction,  c->num_operands, c->num_by_blocks,
                            c->elem_size,    c->result_aligned, c->products};
  hd_key_add(key, 7, counts);
  hd_key_add(key, num_indices, c->extents);
  int64_t flags[2 * HD_MAX_TILED_INDICES];
  for (int p = 0; p < c->num_parallel; p++) flags[p] = c->separable[p];
  for (int r = 0; r < c->num_reduction; r++) flags[c->num_parallel + r] = 2 * c->window[r] + c->may_overrun[r];
  hd_key_add(key, num_indices, flags);
  for (int i = 0; i < c->num_operands; i++) {
    const struct hd_tiled_operand* o = &c->operands[i];
    // Accesses are as wide as the place allows where the first row begins. A loop may change it between launches.
    int64_t begins = o->rank > 0 ? o->constants[o->rank - 1] & (HD_WIDE_BYTES / o->elem_size - 1) : 0;
    const int64_t operand[] = {o->rank, o->elem_size, o->aligned, 2 * o->by_group + o->transposed, begins};
    hd_key_add(key, 5, operand);
    hd_key_add(key, o->rank * num_indices, o->coefficients);
  }
}

static void hd_contraction_name(const void* shape, struct hd_shape_name* name) {
  const struct hd_contraction* c = shape;
  *name = (struct hd_shape_name){.num_groups = 2, .lengths = {c->num_parallel, c->num_reduction}};
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) name->extents[i] = c->extents[i];
}

// Extents no more than twice or half, windows the same.
static double hd_contraction_distance(const struct hd_shape_name* name, const void* shape) {
  const struct hd_contraction* c = shape;
  if (name->num_groups != 2 || name->lengths[0] != c->num_parallel || name->lengths[1] != c->num_reduction)
    return INFINITY;
  double distance = 0;
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) {
    if (name->extents[i] == c->extents[i]) continue;
    if (i >= c->num_parallel && c->window[i - c->num_parallel]) return INFINITY;
    double octaves = fabs(log2((double)name->extents[i] / (double)c->extents[i]));
    if (!(octaves <= 1)) return INFINITY;
    distance += octaves;
  }
  return distance;
}

static int hd_contraction_list(const void* shape, struct hd_value* list) {
  struct hd_tiling tiling;
  struct hd_tiling_value values[HD_MAX_TILING_VALUES];
  int n = hd_tiling_list(shape, &tiling, values);
  for (int i = 0; i < n; i++) {
    enum hd_value_kind kind = values[i].derived                          ? HD_VALUE_DERIVED
                              : strcmp(values[i].name, "registers") == 0 ? HD_VALUE_REGISTERS
                                                                         : HD_VALUE_SET;
    list[i] = (struct hd_value){values[i].name, values[i].index, kind};
  }
  return n;
}

// Of operands, which a name does not tell, all values are derived.
static int hd_contraction_list_named(const struct hd_shape_name* name, struct hd_value* list) {
  const struct hd_contraction c = {.num_parallel = name->lengths[0], .num_reduction = name->lengths[1]};
  return name->num_groups == 2 && hd_tiling_has_room(&c) ? hd_contraction_list(&c, list) : 0;
}

static void hd_contraction_rate(const struct hd_device_model* device, const struct hd_tiling_cost* cost,
                                struct hd_choice* choice) {
  choice->seconds = cost->seconds;
  choice->most_registers = hd_tiling_most_registers(device, cost);
  snprintf(choice->limit, sizeof choice->limit, "%s", hd_tiling_limit(cost));
}

static int hd_contraction_choose(const struct hd_device_model* device, const void* shape, int most,
                                 struct hd_choice* list) {
  struct hd_ranked_tiling ranked[HD_MAX_SHORTLIST];
  int n = hd_tiling_shortlist(device, shape, most < HD_MAX_SHORTLIST ? most : HD_MAX_SHORTLIST, ranked);
  for (int i = 0; i < n; i++) {
    hd_tiling_values(shape, &ranked[i].tiling, list[i].values);
    hd_contraction_rate(device, &ranked[i].cost, &list[i]);
  }
  return n;
}

static double hd_contraction_least(const struct hd_device_model* device, const void* shape) {
  return hd_contraction_least_seconds(device, shape);
}

static char* hd_contraction_settle(const struct hd_device_model* device, const void* shape, struct hd_choice* choice) {
  struct hd_tiling tiling;
  struct hd_tiling_cost cost;
  hd_tiling_set_values(shape, choice->values, &tiling);
  char* problem = hd_tiling_settle(device, shape, &tiling, &cost);
  if (problem != NULL) return problem;
  hd_tiling_values(shape, &tiling, choice->values);
  hd_contraction_rate(device, &cost, choice);
  return NULL;
}

static double hd_contraction_explain(const struct hd_device_model* device, const void* shape, int most,
                                     struct hd_text* text) {
  struct hd_ranked_tiling ranked[HD_MAX_SHORTLIST];
  int n = hd_tiling_shortlist(device, shape, most < HD_MAX_SHORTLIST ? most : HD_MAX_SHORTLIST, ranked);
  if (n == 0) return -1;
  hd_tiling_add_ranking(text, device, shape, n, ranked);
  return ranked[0].cost.seconds;
}

HD_API const struct hd_family* hd_contraction_family(void) {
  static const struct hd_family family = {.name = "contraction",
                                          .revision = HD_CONTRACTION_REVISION,
                                          .suits = hd_contraction_suits,
                                          .add_key = hd_contraction_add_key,
                                          .name_shape = hd_contraction_name,
                                          .distance = hd_contraction_distance,
                                          .list = hd_contraction_list,
                                          .list_named = hd_contraction_list_named,
                                          .choose = hd_contraction_choose,
                                          .least_seconds = hd_contraction_least,
                                          .settle = hd_contraction_settle,
                                          .propose = hd_tiling_propose_neighbours,
                                          .explain = hd_contraction_explain};
  return &family;
}
