// A tiling and the model's opinion of it, in words.
#ifndef HD_TILING_EXPLAIN_H
#define HD_TILING_EXPLAIN_H

#include "runtime/contraction/tiling.h"
#include "runtime/core/text.h"

// "points 4x4x2, lanes 1x8x4, ..., stages 3".
HD_API void hd_tiling_add(struct hd_text* text, const struct hd_contraction* c, const struct hd_tiling* tiling);
// What the model thinks takes longest: "issuing instructions", ...
HD_API const char* hd_tiling_limit(const struct hd_tiling_cost* cost);
// A table of the tilings, the first being the choice, and one line for each of the others why it was not chosen.
HD_API void hd_tiling_add_ranking(struct hd_text* text, const struct hd_device_model* device,
                                  const struct hd_contraction* c, int num_ranked,
                                  const struct hd_ranked_tiling* ranked);

#endif
