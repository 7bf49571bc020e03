// The cost of a group in blocks of overlapped tiles, by arithmetic, loads and occupancy (S. Sioutas, "Automatic
// scheduling of image processing pipelines", TU Eindhoven 2020, listing 6.1; constants of the load factor from the code
// that he published).
#pragma once

#include "rewrites/stencil/device.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

struct SioutasModel {
  double global_factor =
      200;  // how much dearer a load from global memory is, at most, than an operation or a shared load
  double cached_bytes = 64 * 1024;  // of an image whose loads cost half as much as that, about
  int64_t transaction_bytes = 64;   // within which neighbours' loads are one
  double least_occupancy = 0.1;
  double sfu_ops = 4;       // plain operations that a special function counts for
  int64_t tiled_from = 64;  // points: dimensions of fewer are not tiled, unless all are
  double trivial_ops = 2;   // for each load: stages of points with no more are cheap to compute again
};

// A group's best tile, and what its blocks are then.
struct SioutasCost {
  double cost = 0;
  Tile tile;                   // by dimension of the tile
  std::vector<int64_t> block;  // threads, likewise; 1 where it is not tiled
  int64_t shared_bytes = 0;
  double occupancy = 0;  // the least of its stages
};

// Along which dimensions of the tile there are threads: those of many points, or else the longest.
std::vector<bool> tiled_dims(const Pipeline& p, const SioutasModel& model, const Halos& halos);

// Sizes that are tried of a dimension with so many points, if so many are tiled.
Interval tile_sizes(int64_t points, size_t tiled_dims);

// While groups are looked for, tiles are powers of two, loads do not count as slower where occupancy is low, and
// threads need not be whole warps (powers of two with a halo of 1 never are); of the groups that remain, all even sizes
// are tried (section 6, steps 4 and 5). None if the group has no tile that the device can run.
enum class Phase { Grouping, Tiling };
std::optional<SioutasCost> sioutas_cost(const Pipeline& p, const Device& device, const SioutasModel& model,
                                        const Group& g, Phase phase);

// ... for one tile.
std::optional<SioutasCost> sioutas_cost(const Pipeline& p, const Device& device, const SioutasModel& model,
                                        const Halos& halos, const Tile& tile, Phase phase);

}  // namespace heddle::stencil
