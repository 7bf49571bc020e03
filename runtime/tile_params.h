// Tile parameters: what tuning files say about the tilings of contractions, by names such as
// "main.contraction_0.4094x4094x64_64x3x3.points_0": the program's first contraction in main, where its parallel
// indices and those of its reduction have these extents, and a value of its tiling. What other ways there are to
// compute it have names of their own, "main.contraction_0_merged". Values that are not given are the model's.
#ifndef HD_TILE_PARAMS_H
#define HD_TILE_PARAMS_H

#include "config.h"
#include "tiling.h"

// False if there is no such name, or memory has run out.
HD_API bool hd_config_set_tile_param(struct hd_config* config, const char* name, int64_t value);

// Sets the values given for the program's contraction number `kernel` with these extents or, for want of them, with the
// nearest; such as are no more than twice or half, windows the same. False if there are none.
HD_API bool hd_tile_params_apply(const struct hd_config* config, int kernel, const struct hd_contraction* c,
                                 struct hd_tiling* tiling);

// Writes a tuning file anew with this tiling in it, in place of what it says of these extents. `note`: a comment.
// 0, or errno. Readers see the old file or the whole new one.
HD_API int hd_tile_params_write(const char* path, const struct hd_specialized_kernel* kernel,
                                const struct hd_contraction* c, const struct hd_tiling* tiling, const char* note);

#endif
