// The cost of a group in overlapped tiles by warps, part of them in registers (Jangda and Guha, "Model-Based Warp
// Overlapped Tiling", PACT 2020, algorithm 2), and the best configuration by it.
//
//   cost = w1 * transactions + w2 * (1 - occupancy) + w3 * memory time / compute time + w4 * unused shared memory
//        + w5 * unused registers + w6 * redundant computation + w7 * blocks of the last, partial round
#pragma once

#include <array>

#include "rewrites/stencil/device.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

struct PolymageModel {
  // As printed; or as it must have been meant:
  //   lines 13-17, transactions: of a thread, which grow with its points; or for each of them, halos included
  //   line 10, shared memory: what is not in registers, of tile and halo; or of the tile, and all of the halo
  //   line 11, registers: for their part of what is left in shared memory; or of the whole buffers
  enum class Reading { Literal, Corrected } reading = Reading::Corrected;

  // w1 .. w7, table 3; those of the V100 where the device has none of its own.
  std::optional<std::array<double, 7>> weights = {};
  double sfu_ops = 4;       // plain operations that a special function counts for, where no time was measured
  size_t most_stages = 64;  // of a group
};

struct PolymageConfig {
  Tile thread_tile;                // points of a thread, along each dimension of the tile
  std::vector<int64_t> block;      // threads, likewise
  double in_registers = 0;         // part of the tile along its last dimension of more than a point
  int64_t transaction_bytes = 32;  // 32: by the L2 cache, 128: by the L1 cache

  bool operator==(const PolymageConfig&) const = default;
};

// Every term, for explanations.
struct PolymageCost {
  PolymageConfig config;
  int64_t shared_bytes = 0;  // of a block
  int64_t registers = 0;     // of a thread
  int64_t blocks_per_sm = 0;
  double transactions = 0, occupancy = 0;
  double memory_ns = 0, compute_ns = 0;
  double unused_shared = 0, unused_registers = 0, redundant = 0;
  int64_t extra_blocks = 0;
  double cost = 0;
};

// How the lanes of a warp lie along the tile's dimensions, the last one first: (1, 8, 16) -> (1, 2, 16).
std::vector<int64_t> warp_shape(const std::vector<int64_t>& block, int64_t warp_size);

// Costs of one group; what does not depend on the configuration is computed once.
class PolymageGroup {
 public:
  // Refuses groups that cannot be tiled, have a global stage beside others, or too many stages.
  static Result<PolymageGroup> of(const Pipeline& p, const Device& device, const PolymageModel& model, const Group& g);

  // None where the device has no room for it.
  std::optional<PolymageCost> cost(const PolymageConfig& config) const;
  // Of the configurations that are tried: tiles of powers of two, common shapes of blocks.
  std::optional<PolymageCost> best() const;

 private:
  // A row of an image from outside, of which each point of a stage reads an interval.
  struct Row {
    size_t stage;
    int64_t first, last;
    int64_t step;  // elements from one lane's to the next one's
    int64_t element_bytes;
  };

  PolymageGroup(const Pipeline& p, const Device& device, const PolymageModel& model, Halos halos);
  double transactions(const PolymageConfig& config, const std::vector<int64_t>& warp) const;

  const Pipeline* p_;
  const Device* device_;
  PolymageModel model_;
  std::array<double, 7> weights_;
  Halos halos_;
  std::vector<int64_t> size_;  // of the result, by dimension of the tile
  std::vector<Row> rows_;
};

}  // namespace heddle::stencil
