// Contractions, tiled (tiling.h), as a family of kernels. Shapes are struct hd_contraction.
#ifndef HD_CONTRACTION_FAMILY_H
#define HD_CONTRACTION_FAMILY_H

#include "runtime/contraction/tiling.h"
#include "runtime/families/family.h"

HD_API const struct hd_family* hd_contraction_family(void);

// The tiling with these values, the inverse of hd_tiling_values; of what is derived, only what is among the values.
HD_API void hd_tiling_set_values(const struct hd_contraction* c, const int64_t* values, struct hd_tiling* tiling);

#endif
