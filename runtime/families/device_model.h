// What models of kernels know of a device.
#ifndef HD_DEVICE_MODEL_H
#define HD_DEVICE_MODEL_H

#include "runtime/device/types.h"

struct hd_device_model {
  int64_t multiprocessors;
  double clock_hz;
  double fma_per_clock;           // of one multiprocessor, single precision
  double words_per_clock;         // 32-bit words that shared memory delivers to registers, per multiprocessor
  double bytes_per_second;        // of device memory
  int64_t registers;              // of a multiprocessor
  int64_t shared_bytes;           // of a multiprocessor
  int64_t shared_bytes_of_block;  // that one block may have
  int64_t threads;                // of a multiprocessor
};

#endif
