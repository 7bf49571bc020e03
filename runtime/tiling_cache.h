// Tilings that were chosen before, kept on disk: choosing takes longer than loading what was compiled.
#ifndef HD_TILING_CACHE_H
#define HD_TILING_CACHE_H

#include "tiling.h"

// As hd_tiling_choose.
HD_API bool hd_tiling_recall(const struct hd_device_model* device, const struct hd_contraction* c,
                             struct hd_tiling* tiling, struct hd_tiling_cost* cost);

#endif
