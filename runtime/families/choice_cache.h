// Choices that were made before, kept on disk: choosing takes longer than loading what was compiled.
#ifndef HD_CHOICE_CACHE_H
#define HD_CHOICE_CACHE_H

#include "runtime/families/family.h"

// The model's choice; false if none fits.
HD_API bool hd_choose(const struct hd_family* family, const struct hd_device_model* device, const void* shape,
                      struct hd_choice* choice);

#endif
