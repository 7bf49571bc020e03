// Whether operands are packed for a tiled kernel, or its tiles transposed.
#ifndef HD_PACKING_H
#define HD_PACKING_H

#include "runtime/families/device_model.h"

// `steps`: of the reduction, of all points together. `bytes`: of the operands that would be packed.
HD_API bool hd_packing_pays_on(const struct hd_device_model* device, int64_t steps, int64_t bytes);

#endif
