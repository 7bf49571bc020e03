#include "rewrites/stencil/nested.h"

#include <algorithm>

namespace heddle::stencil {

namespace {

// Whether neighbouring threads of the reader need the same element of the stage.
bool threads_share(const Pipeline& p, const Halos& halos, const std::vector<bool>& tiled, size_t stage, size_t reader) {
  for (const Read& r : p.stage(reader).reads) {
    if (r.source != Source{Source::Kind::Stage, stage}) continue;
    for (const Window& w : r.windows) {
      if (!w.follows) continue;
      const std::optional<Aligned>& along = halos.of(reader)[*w.follows].aligned;
      bool own = w.num % w.den == 0 && w.hi - w.lo < w.num / w.den;  // other elements for each point
      if (along && tiled[along->tile_dim] && !own) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Placement> nested(const Pipeline& p, const SioutasModel& model, const Halos& halos) {
  const std::vector<size_t>& stages = halos.group.stages;
  std::vector<bool> tiled = tiled_dims(p, model, halos);
  std::vector<size_t> results = outputs(p, halos.group);
  std::vector<Placement> reversed;
  std::vector<size_t> place(p.size());  // the stage at whose points it is computed: itself, if by the block
  for (auto s = stages.rbegin(); s != stages.rend(); ++s) {
    Placement placement{*s, *s, Level::Block};
    place[*s] = *s;
    std::vector<size_t> readers;
    for (size_t reader : p.consumers(*s)) {
      if (halos.group.contains(reader)) readers.push_back(reader);
    }
    if (!readers.empty()) {
      placement.reader = readers.back();
      size_t at = place[placement.reader];
      bool one_place = std::all_of(readers.begin(), readers.end(),
                                   [&](size_t r) { return place[r] == at && !threads_share(p, halos, tiled, *s, r); });
      if (one_place && !std::binary_search(results.begin(), results.end(), *s)) {
        placement.level = Level::Thread;
        place[*s] = at;
      }
    }
    reversed.push_back(placement);
  }
  return {reversed.rbegin(), reversed.rend()};
}

int64_t shared_bytes(const Pipeline& p, const Halos& halos, const Tile& tile,
                     const std::vector<Placement>& placements) {
  int64_t bytes = 0;
  for (const Placement& placed : placements) {
    if (placed.level == Level::Block) bytes += scratch_bytes(p, halos, placed.stage, tile);
  }
  return bytes;
}

bool is_nesting_worth_it(const Device& device, const SioutasCost& group) {
  constexpr int64_t kMuchShared = 32768;
  constexpr double kLittleOccupancy = 0.3, kManyThreads = 900;
  double active = group.occupancy * static_cast<double>(device.threads_per_sm());
  return group.shared_bytes > kMuchShared || group.occupancy < kLittleOccupancy || active > kManyThreads;
}

}  // namespace heddle::stencil
