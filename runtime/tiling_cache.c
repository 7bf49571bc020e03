#include "tiling_cache.h"

#include <stdlib.h>
#include <string.h>

#include "binary_cache.h"

// To be raised when hd_tiling_choose may choose otherwise: what older versions have kept is then not found.
#define HD_TILING_REVISION 8

// Zeroed before use, since padding is kept, too.
struct hd_chosen_tiling {
  bool found;
  struct hd_tiling tiling;
  struct hd_tiling_cost cost;
};

#define HD_KEY_ADD(key, value) hd_cache_key_add(key, (const char*)&(value), sizeof(value))
#define HD_KEY_ADD_ARRAY(key, array, length) \
  hd_cache_key_add(key, (const char*)(array), (size_t)(length) * sizeof *(array))

static struct hd_cache_key hd_tiling_key(const struct hd_device_model* device, const struct hd_contraction* c) {
  struct hd_cache_key key = hd_cache_key_start();
  const int64_t format[] = {HD_TILING_REVISION, (int64_t)sizeof(struct hd_chosen_tiling)};
  int num_indices = c->num_parallel + c->num_reduction;
  HD_KEY_ADD(&key, format);
  HD_KEY_ADD(&key, *device);
  HD_KEY_ADD(&key, c->num_parallel);
  HD_KEY_ADD(&key, c->num_reduction);
  HD_KEY_ADD(&key, c->num_operands);
  HD_KEY_ADD(&key, c->num_by_blocks);
  HD_KEY_ADD(&key, c->elem_size);
  HD_KEY_ADD(&key, c->result_aligned);
  HD_KEY_ADD_ARRAY(&key, c->extents, num_indices);
  HD_KEY_ADD_ARRAY(&key, c->separable, c->num_parallel);
  HD_KEY_ADD_ARRAY(&key, c->window, c->num_reduction);
  HD_KEY_ADD_ARRAY(&key, c->may_overrun, c->num_reduction);
  for (int i = 0; i < c->num_operands; i++) {
    const struct hd_tiled_operand* o = &c->operands[i];
    HD_KEY_ADD(&key, o->rank);
    HD_KEY_ADD(&key, o->elem_size);
    HD_KEY_ADD(&key, o->aligned);
    HD_KEY_ADD(&key, o->by_group);
    HD_KEY_ADD(&key, o->turned);
    HD_KEY_ADD_ARRAY(&key, o->coefficients, o->rank * num_indices);
    HD_KEY_ADD_ARRAY(&key, o->constants, o->rank);
  }
  return key;
}

HD_API bool hd_tiling_recall(const struct hd_device_model* device, const struct hd_contraction* c,
                             struct hd_tiling* tiling, struct hd_tiling_cost* cost) {
  struct hd_chosen_tiling chosen;
  struct hd_cache_key key = hd_tiling_key(device, c);
  char* path = hd_cache_path(&key);
  size_t length = 0;
  char* kept = path != NULL ? hd_cache_load(path, &key, &length) : NULL;
  if (kept != NULL && length == sizeof chosen) {
    memcpy(&chosen, kept, sizeof chosen);
  } else {
    memset(&chosen, 0, sizeof chosen);
    chosen.found = hd_tiling_choose(device, c, &chosen.tiling, &chosen.cost);
    // Not being able to keep it costs time alone.
    hd_cache_keep(&key, (const char*)&chosen, sizeof chosen);
  }
  free(kept);
  free(path);
  *tiling = chosen.tiling;
  *cost = chosen.cost;
  return chosen.found;
}
