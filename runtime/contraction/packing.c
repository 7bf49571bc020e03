#include "runtime/contraction/packing.h"

// By how much of the least time for its multiplications a kernel is slower that turns its tiles: H100, batches of 3x3
// windows.
#define HD_LOSS_BY_TRANSPOSING 0.2
#define HD_SECONDS_OF_PACKING 4.5e-6

HD_API bool hd_packing_pays_on(const struct hd_device_model* device, int64_t steps, int64_t bytes) {
  double computing = (double)steps / (device->clock_hz * device->multiprocessors * device->fma_per_clock);
  return HD_LOSS_BY_TRANSPOSING * computing > HD_SECONDS_OF_PACKING + 2 * (double)bytes / device->bytes_per_second;
}
