// Which tilings of a contraction are measured after one that was fast.
#ifndef HD_TILING_NEIGHBOURS_H
#define HD_TILING_NEIGHBOURS_H

#include "runtime/families/neighbourhood.h"

// The contractions' hd_family.propose.
HD_API void hd_tiling_propose_neighbours(struct hd_neighbourhood* n, const int64_t* centre);

#endif
