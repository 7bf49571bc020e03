// Keeping the folder of cached kernels and tilings small. Several programs may do so at once: what one of them deletes
// while another wants it is only made again.
#ifndef HD_CACHE_BOUND_H
#define HD_CACHE_BOUND_H

#include "runtime/core/program.h"

// Bytes: 256 MiB, or as many MiB as HEDDLE_CACHE_MIB says.
HD_API int64_t hd_cache_limit(void);

// Deletes the entries that were not used for longest until all of them together take at most `most_bytes`, and
// what programs that were ended while writing have left behind. Other files in the folder are not touched.
HD_API void hd_cache_bound(const char* folder, int64_t most_bytes);

#endif
