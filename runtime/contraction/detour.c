#include "runtime/contraction/detour.h"

#define HD_SECONDS_OF_LAUNCH 4.5e-6

HD_API bool hd_detour_pays_on(const struct hd_device_model* device, int64_t saved, int64_t moved, int64_t kernels) {
  double computing = (double)saved / (device->clock_hz * device->multiprocessors * device->fma_per_clock);
  return computing > HD_SECONDS_OF_LAUNCH * (double)kernels + (double)moved / device->bytes_per_second;
}
