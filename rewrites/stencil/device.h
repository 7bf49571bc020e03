// What the models know of GPUs: one row each. Whoever has a driver at hand fills a row from it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::stencil {

struct Device {
  std::string_view name;
  int64_t num_sms;
  int64_t cores_per_sm;
  double clock_ghz;
  double bandwidth;              // of global memory, GB/s
  int64_t shared_per_block;      // bytes
  int64_t shared_per_sm;         // bytes
  int64_t warps_per_sm;          // resident
  int64_t blocks_per_sm;         // resident
  int64_t registers_per_thread;  // at most
  int64_t registers_per_sm = 65536;
  int64_t threads_per_block = 1024;
  int64_t warp_size = 32;

  int64_t threads_per_sm() const { return warps_per_sm * warp_size; }
};

constexpr int64_t kKiB = 1024;

// The GPUs of the papers and those that heddle is measured on. From the papers: multiprocessors, cores, clocks, shared memory and
// registers of GTX 745, GTX 680 and K20c as far as Qiao's thesis has them, the rows of 1080 Ti and V100 but for their clocks
// (PolyMage-GPU, table 1, with its 16 blocks and 256 registers). Bandwidths of H100 and H200 were measured, by a device copy. All else
// is what is generally said of these devices, and has not been checked.
constexpr std::array kDevices{
    Device{"GTX 745", 3, 128, 1.033, 28.8, 48 * kKiB, 64 * kKiB, 64, 32, 255},
    Device{"GTX 680", 8, 192, 1.058, 192, 48 * kKiB, 48 * kKiB, 64, 16, 63},
    Device{"K20c", 13, 192, 0.706, 208, 48 * kKiB, 48 * kKiB, 64, 16, 255},
    Device{"GTX 1080 Ti", 28, 128, 1.582, 484, 48 * kKiB, 96 * kKiB, 64, 16, 256},
    Device{"V100", 80, 64, 1.38, 898, 96 * kKiB, 96 * kKiB, 64, 32, 256},
    Device{"RTX 2080 Ti", 68, 64, 1.545, 616, 64 * kKiB, 64 * kKiB, 32, 16, 255},
    Device{"H100", 132, 128, 1.98, 2860, 227 * kKiB, 228 * kKiB, 64, 32, 255},
    Device{"H200", 132, 128, 1.98, 4190, 227 * kKiB, 228 * kKiB, 64, 32, 255},
};

// Null if there is no such row.
constexpr const Device* find_device(std::string_view name) {
  for (const Device& d : kDevices) {
    if (d.name == name) return &d;
  }
  return nullptr;
}

}  // namespace heddle::stencil
