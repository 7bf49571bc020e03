// Measuring choices for a kernel (--tune-tilings). The host program repeats its launches (hd_repeat_variant), each
// time with the values of the next candidate, until the search (neighbourhood.h) has ended; the fastest is written
// to the tuning file, and launched once more.
#ifndef HD_MEASURING_H
#define HD_MEASURING_H

#include "runtime/families/variants.h"

struct hd_measuring;

// Gives the variant the first candidate's values and code. NULL if none can be compiled. The request must live on.
HD_API struct hd_measuring* hd_measuring_begin(struct hd_context* ctx, struct hd_kernel_variant* variant,
                                               const struct hd_request* request);
// After the launches: whether they are to be repeated, with the values and code that the variant now has.
HD_API bool hd_measuring_goes_on(struct hd_context* ctx, struct hd_measuring* measuring);
// Whether a launch that failed was of a candidate, which is then left out; the error is forgotten.
HD_API bool hd_measuring_excuses(struct hd_context* ctx, struct hd_measuring* measuring,
                                 const struct hd_kernel_variant* variant);
HD_API void hd_measuring_free(struct hd_context* ctx, struct hd_measuring* measuring);

#endif
