// What a launch site asks to describe a contraction's operands, and to decide which way it is computed.
#ifndef HD_CONTRACTION_SITE_H
#define HD_CONTRACTION_SITE_H

#include "runtime/core/launch.h"

// The alignment (struct hd_tiled_operand) of an array whose dimension with stride 1 is taken as the last, as the
// compiler does, too; 1 if there is none.
HD_API int64_t hd_array_alignment(const struct hd_array* a);
// ... of dense memory with rows of this length, which begins at a multiple of everything. `elem_size` in bytes.
HD_API int64_t hd_row_alignment(int64_t length, int64_t elem_size);

// hd_parts_on and hd_detour_pays_on the context's device, which must have room for what is written; where nothing is
// specialized, nothing is.
HD_API int64_t hd_parts(struct hd_context* ctx, int64_t points, int64_t extent, int64_t depth);
HD_API bool hd_detour_pays(struct hd_context* ctx, int64_t saved, int64_t moved, int64_t kernels, int64_t room);

#endif
