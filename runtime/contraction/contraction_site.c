#include "runtime/contraction/contraction_site.h"

#include "runtime/contraction/detour.h"
#include "runtime/contraction/parts.h"
#include "runtime/core/backend.h"

HD_API int64_t hd_array_alignment(const struct hd_array* a) {
  if (a->rank == 0 || a->mem == NULL) return 1;
  int64_t size = hd_elem_size(a->elem), widest = 16 / size;
  int inner = a->rank - 1;
  while (inner >= 0 && a->stride[inner] != 1) inner--;
  if (inner < 0) return 1;
  while (widest > 1) {
    bool fits = ((uintptr_t)a->mem->address + (uintptr_t)(a->offset * size)) % (uintptr_t)(widest * size) == 0;
    fits = fits && a->shape[inner] % widest == 0;
    for (int d = 0; d < a->rank; d++) fits = fits && (d == inner || a->stride[d] % widest == 0);
    if (fits) break;
    widest /= 2;
  }
  return widest < 1 ? 1 : widest;
}

HD_API int64_t hd_row_alignment(int64_t length, int64_t elem_size) {
  int64_t widest = 16 / elem_size;
  while (widest > 1 && length % widest != 0) widest /= 2;
  return widest < 1 ? 1 : widest;
}

HD_API int64_t hd_parts(struct hd_context* ctx, int64_t points, int64_t extent, int64_t depth) {
  if (ctx->device == NULL || ctx->backend->model == NULL) return 1;
  struct hd_device_model model;
  ctx->backend->model(ctx, &model);
  return hd_parts_on(&model, points, extent, depth);
}

HD_API bool hd_detour_pays(struct hd_context* ctx, int64_t saved, int64_t moved, int64_t kernels, int64_t room) {
  if (ctx->device == NULL || ctx->backend->model == NULL || ctx->config->specialize_after < 0) return false;
  struct hd_device_model model;
  ctx->backend->model(ctx, &model);
  return hd_detour_pays_on(&model, saved, moved, kernels) && hd_mem_has_room(ctx, room);
}
