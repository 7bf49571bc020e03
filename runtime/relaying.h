// Whether operands are laid anew for a tiled kernel, or its tiles turned.
#ifndef HD_RELAYING_H
#define HD_RELAYING_H

#include "device_model.h"

// `steps`: of the reduction, of all points together. `bytes`: of the operands that would be laid anew.
HD_API bool hd_relaying_pays_on(const struct hd_device_model* device, int64_t steps, int64_t bytes);

#endif
