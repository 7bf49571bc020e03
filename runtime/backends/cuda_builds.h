// Modules made of kernels' text: restored from the cache, or compiled, several side by side, and kept there.
#ifndef HD_CUDA_BUILDS_H
#define HD_CUDA_BUILDS_H

#include "runtime/backends/cuda_device.h"

struct hd_cuda_builds {
  struct hd_context* ctx;
  struct hd_cuda_device* device;
  struct hd_nvrtc_options options;
  const char* file;
  int num_builds;
  struct hd_cuda_build* builds;
};

// Sets out to make modules of texts that are likely to be asked for one after the other; the texts must stay. They are
// kept in `file`, or under their hashes where that is NULL and the user's folder may be used. To be ended in any case.
HD_API int hd_cuda_builds_begin(struct hd_context* ctx, struct hd_cuda_device* device, int num_texts,
                                const char* const* texts, const char* file, struct hd_cuda_builds* builds);
// Where text `index` is neither cached nor compiled yet, the next one is compiled at the same time if there are
// processors for it, so that it is there should it be asked for.
HD_API int hd_cuda_builds_load(struct hd_cuda_builds* builds, int index, void** module);
// All of them, several compiled at the same time.
HD_API int hd_cuda_builds_load_all(struct hd_cuda_builds* builds, void** modules);
HD_API void hd_cuda_builds_end(struct hd_cuda_builds* builds);

#endif
