// Tile parameters: what tuning files say about the values that are chosen for kernels, by names such as
// "main.contraction_0.4094x4094x64_64x3x3.points_0": the program's kernel of that label, for shapes of that name, and
// the name of the value (family.h). What other ways there are to compute the same have labels of their own,
// "main.contraction_0_merged". Values that are not given are the model's.
#ifndef HD_TILE_PARAMS_H
#define HD_TILE_PARAMS_H

#include "runtime/core/config.h"
#include "runtime/families/family.h"

// False if there is no such name, or memory has run out.
HD_API bool hd_config_set_tile_param(struct hd_config* config, const char* name, int64_t value);

// Sets the values given for the program's specialized kernel number `kernel` and this shape or, for want of them, the
// nearest. False if there are none.
HD_API bool hd_tile_params_apply(const struct hd_config* config, int kernel, const void* shape, int64_t* values);

// Writes a tuning file anew with these values in it, in place of what it says of shapes with this name. `note`: a
// comment. 0, or errno. Readers see the old file or the whole new one.
HD_API int hd_tile_params_write(const char* path, const struct hd_specialized_kernel* kernel, const void* shape,
                                const int64_t* values, const char* note);

#endif
