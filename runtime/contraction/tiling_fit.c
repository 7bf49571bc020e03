#include "runtime/contraction/tiling_fit.h"

#include <inttypes.h>
#include <string.h>

// Within these, no product of values leaves the range of 64 bits.
static const struct {
  const char* name;
  int64_t least, most;
} hd_tiling_ranges[] = {{"warps", 1, 32},       {"lanes", 1, 32},        {"points", 1, 64}, {"chunk", 1, 1 << 16},
                        {"unroll", 1, 1 << 10}, {"result_shared", 0, 1}, {"stages", 2, 16}, {"slices", 1, 32},
                        {"ahead", 0, 1},        {"registers", 0, 255}};

static char* hd_tiling_out_of_range(const struct hd_contraction* c, const struct hd_tiling* tiling) {
  struct hd_tiling copy = *tiling;
  struct hd_tiling_value values[HD_MAX_TILING_VALUES];
  int n = hd_tiling_list(c, &copy, values);
  for (int i = 0; i < n; i++) {
    for (size_t k = 0; k < sizeof hd_tiling_ranges / sizeof hd_tiling_ranges[0]; k++) {
      if (strcmp(values[i].name, hd_tiling_ranges[k].name) != 0) continue;
      int64_t least = hd_tiling_ranges[k].least, most = hd_tiling_ranges[k].most, value = *values[i].place;
      if (value < least || value > most) {
        return hd_message("%s is %" PRId64 ", which is not between %" PRId64 " and %" PRId64, values[i].name, value,
                          least, most);
      }
    }
  }
  return NULL;
}

// What the kernel takes for granted.
static char* hd_tiling_unlawful(const struct hd_contraction* c, const struct hd_tiling* t) {
  int64_t lanes = 1, warps = 1;
  for (int p = 0; p < c->num_parallel; p++) {
    lanes = lanes > 32 ? lanes : lanes * t->parallel[p].lanes;
    warps = warps > 32 ? warps : warps * t->parallel[p].warps;
  }
  if (lanes != 32) return hd_message("the lanes do not make a warp of 32");
  if (warps * t->slices > 32) return hd_message("the warps are more than the 32 of a block");
  for (int r = 0; r < c->num_reduction; r++) {
    int64_t extent = c->extents[c->num_parallel + r], unroll = t->reduction[r].unroll;
    if (unroll == 1) continue;
    if (t->reduction[r].chunk % unroll != 0) {
      return hd_message("unroll_%d is %" PRId64 ", which does not divide chunk_%d", r, unroll, r);
    }
    bool whole = c->window[r] && extent % unroll == 0;
    if (!whole && !c->may_overrun[r]) {
      return hd_message("unroll_%d is %" PRId64 ", which does not divide the extent %" PRId64, r, unroll, extent);
    }
  }
  if (t->ahead && !hd_tiling_tiles(c, t).groups_are_paired) {
    return hd_message("ahead is 1, but some chunk has an odd number of groups");
  }
  return NULL;
}

HD_API char* hd_tiling_settle(const struct hd_device_model* device, const struct hd_contraction* c, struct hd_tiling* t,
                              struct hd_tiling_cost* cost) {
  char* problem = hd_tiling_out_of_range(c, t);
  if (problem == NULL) problem = hd_tiling_unlawful(c, t);
  if (problem != NULL) return problem;
  hd_tiling_complete(c, t);
  if (hd_tiling_evaluate(device, c, t, cost)) {
    if (t->registers == 0) t->registers = hd_tiling_register_limit(device, cost);
    int64_t of_block = t->registers * cost->threads;
    if (of_block <= device->registers) return NULL;
    return hd_message("it may use %" PRId64 " registers per block, but the device has %" PRId64, of_block,
                      device->registers);
  }
  struct hd_tiling_excess excess = hd_tiling_excess_of(device, cost);
  return hd_message("it needs %" PRId64 " %s, but the device has %" PRId64, excess.needed, excess.resource,
                    excess.available);
}
