// Into how many parts a reduction is split where the results alone would not keep the device busy.
#ifndef HD_PARTS_H
#define HD_PARTS_H

#include "runtime/families/device_model.h"

// Of `extent` indices, extent / parts for each part; what remains is added to the parts' results. `depth`: how many
// steps the reduction takes for each of these indices. 1: it is not worth it.
HD_API int64_t hd_parts_on(const struct hd_device_model* device, int64_t points, int64_t extent, int64_t depth);

#endif
