#include "rewrites/stencil/nested.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace heddle::stencil {

namespace {

// All that a point of the reader needs of the stage, as one window for each of the stage's dimensions; none where it reads at several rates.
std::optional<std::vector<Window>> needed(const Pipeline& p, size_t stage, size_t reader) {
  std::vector<Window> all;
  for (const Read& r : p.stage(reader).reads) {
    if (r.source != Source{Source::Kind::Stage, stage}) continue;
    if (all.empty()) all = r.windows;
    for (size_t d = 0; d < all.size(); ++d) {
      const Window& w = r.windows[d];
      if (w.follows != all[d].follows || w.num != all[d].num || w.den != all[d].den) return std::nullopt;
      all[d].lo = std::min(all[d].lo, w.lo);
      all[d].hi = std::max(all[d].hi, w.hi);
    }
  }
  return all;
}

// Whether points beside each other along one of these dimensions of the reader need the same element.
bool share_along(const Pipeline& p, size_t stage, size_t reader, const std::function<bool(size_t)>& counts) {
  const std::optional<std::vector<Window>> windows = needed(p, stage, reader);
  if (!windows) return true;
  for (size_t d = 0; d < p.stage(reader).domain.size(); ++d) {
    if (!counts(d)) continue;
    auto own = [&](const Window& w) { return w.follows == d && w.num % w.den == 0 && w.hi - w.lo < w.num / w.den; };
    if (std::none_of(windows->begin(), windows->end(), own)) return true;
  }
  return false;
}

bool threads_share(const Pipeline& p, const Halos& halos, const std::vector<bool>& tiled, size_t stage, size_t reader) {
  return share_along(p, stage, reader, [&](size_t d) {
    const std::optional<Aligned>& along = halos.of(reader)[d].aligned;
    return along && tiled[along->tile_dim];
  });
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

bool points_share(const Pipeline& p, size_t stage, size_t reader) {
  return share_along(p, stage, reader, [&](size_t d) { return p.stage(reader).domain[d].size() > 1; });
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

std::string why_not_nested(const Pipeline& p, const Device& device, const SioutasModel& model, const Group& g) {
  const std::optional<SioutasCost> cost = sioutas_cost(p, device, model, g, Phase::Tiling);
  if (!cost) return "no stage is nested, since the model has no tile for the group";
  if (is_nesting_worth_it(device, *cost)) return "";
  return fmt::format("no stage is nested, since {} bytes of shared memory and an occupancy of {:.2f} leave room",
                     cost->shared_bytes, cost->occupancy);
}

}  // namespace heddle::stencil
