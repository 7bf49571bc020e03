// How many blocks of a kernel are on an SM at a time (Qiao's thesis, (4.1)), and what part of its warps that is.
//
//   Kepler, blocks of 128 threads: 32 registers -> 16 blocks, 100 %; 40 -> 12 blocks, 75 %; 63 -> 8 blocks, 50 %
#pragma once

#include "rewrites/stencil/device.h"

namespace heddle::stencil {

// What a kernel needs.
struct Needs {
  int64_t threads = 128;     // of a block
  int64_t registers = 0;     // of a thread
  int64_t shared_bytes = 0;  // of a block
};

// 0 if not even one has room.
int64_t resident_blocks(const Device& device, const Needs& kernel);

// Resident warps of those that there may be.
double occupancy(const Device& device, const Needs& kernel);

}  // namespace heddle::stencil
