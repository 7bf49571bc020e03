// Whether it pays to write arrays into memory, other than those that there are, for a kernel to have less to do.
#ifndef HD_DETOUR_H
#define HD_DETOUR_H

#include "runtime/families/device_model.h"

// `saved`: steps of the reduction, of all points together, whose time is saved. `moved`: bytes that are read and written besides, by so
// many kernels.
HD_API bool hd_detour_pays_on(const struct hd_device_model* device, int64_t saved, int64_t moved, int64_t kernels);

#endif
