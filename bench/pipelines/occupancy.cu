// Blocks that rewrites/stencil/occupancy.h has room for on this machine's GPU, beside what CUDA's own calculator says.
//
//   nvcc -std=c++20 -I. bench/pipelines/occupancy.cu rewrites/stencil/occupancy.cpp -o occupancy && ./occupancy
//
// One line for each number of registers, threads and shared bytes that the two do not agree on, then how many do.
#include <cstdio>
#include <utility>

#include "rewrites/stencil/occupancy.h"

// A kernel that takes as many registers as it may.
template <int kRegisters>
__global__ void __maxnreg__(kRegisters) busy(float* data, int n) {
  float values[kRegisters];
#pragma unroll
  for (int i = 0; i < kRegisters; i++) values[i] = data[i * blockDim.x + threadIdx.x];
  for (int step = 0; step < n; step++) {
#pragma unroll
    for (int i = 0; i < kRegisters; i++) values[i] = values[i] * values[(i + 1) % kRegisters] + data[step];
  }
#pragma unroll
  for (int i = 0; i < kRegisters; i++) data[i * blockDim.x + threadIdx.x] = values[i];
}

struct Agreement {
  int same = 0, cases = 0;
};

template <int kRegisters>
void compare(const heddle::stencil::Device& device, Agreement& agreement) {
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, busy<kRegisters>) != cudaSuccess) return;
  cudaFuncSetAttribute(busy<kRegisters>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  for (int threads : {64, 128, 192, 256, 384, 512, 1024}) {
    for (int shared : {0, 4 * 1024, 12 * 1024, 24 * 1024, 36720, 48 * 1024, 100 * 1024}) {
      int blocks = 0;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, busy<kRegisters>, threads, shared);
      const int64_t ours = heddle::stencil::resident_blocks(device, {threads, attributes.numRegs, shared});
      agreement.same += ours == blocks;
      agreement.cases++;
      if (ours != blocks)
        printf("%d registers, %d threads, %d bytes: %lld blocks, CUDA says %d\n", attributes.numRegs, threads, shared,
               static_cast<long long>(ours), blocks);
    }
  }
}

template <int... kSteps>
void compare_all(const heddle::stencil::Device& device, Agreement& agreement,
                 std::integer_sequence<int, kSteps...>) {
  (compare<24 + 8 * kSteps>(device, agreement), ...);
}

int main() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 77;
  const heddle::stencil::Device* device = nullptr;
  for (const heddle::stencil::Device& d : heddle::stencil::kDevices) {
    if (std::string_view(properties.name).find(d.name) != std::string_view::npos) device = &d;
  }
  if (device == nullptr) return 77;
  Agreement agreement;
  compare_all(*device, agreement, std::make_integer_sequence<int, 29>());
  printf("%s: %d of %d agree.\n", properties.name, agreement.same, agreement.cases);
}
