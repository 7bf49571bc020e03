// Whether a tiling that no search has chosen can be used.
#ifndef HD_TILING_FIT_H
#define HD_TILING_FIT_H

#include "runtime/contraction/tiling.h"
#include "runtime/core/text.h"

// Completes the tiling (hd_tiling_complete) and finds its cost. NULL, or what speaks against it, as a sentence's part
// that names the value or the resource, to be freed.
HD_API char* hd_tiling_settle(const struct hd_device_model* device, const struct hd_contraction* c,
                              struct hd_tiling* tiling, struct hd_tiling_cost* cost);

#endif
