#include "rewrites/stencil/occupancy.h"

#include <algorithm>

namespace heddle::stencil {

int64_t resident_blocks(const Device& device, const Needs& kernel) {
  if (kernel.threads < 1 || kernel.threads > device.threads_per_block ||
      kernel.registers > device.registers_per_thread || kernel.shared_bytes > device.shared_per_block)
    return 0;
  int64_t blocks = std::min(device.blocks_per_sm, device.threads_per_sm() / kernel.threads);
  if (kernel.registers > 0) blocks = std::min(blocks, device.registers_per_sm / (kernel.threads * kernel.registers));
  if (kernel.shared_bytes > 0) blocks = std::min(blocks, device.shared_per_sm / kernel.shared_bytes);
  return blocks;
}

double occupancy(const Device& device, const Needs& kernel) {
  int64_t warps = (kernel.threads + device.warp_size - 1) / device.warp_size;
  int64_t resident = std::min(device.warps_per_sm, resident_blocks(device, kernel) * warps);
  return static_cast<double>(resident) / static_cast<double>(device.warps_per_sm);
}

}  // namespace heddle::stencil
