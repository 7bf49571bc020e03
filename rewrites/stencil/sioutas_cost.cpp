#include "rewrites/stencil/sioutas_cost.h"

#include <algorithm>
#include <functional>

#include "rewrites/stencil/masks.h"
#include "rewrites/stencil/occupancy.h"
#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {

namespace {

std::vector<int64_t> points_along(const Pipeline& p, const Halos& halos) {
  std::vector<int64_t> points(halos.tile_dims, 1);
  size_t reference = outputs(p, halos.group).back();
  for (size_t d = 0; d < halos.tile_dims; ++d) points[d] = p.stage(reference).domain[d].size();
  return points;
}

class Block {
 public:
  Block(const Pipeline& p, const Device& device, const SioutasModel& model, const Halos& halos, const Tile& tile)
      : p_(p), device_(device), model_(model), halos_(halos), tile_(tile) {}

  std::optional<SioutasCost> cost(Phase phase) {
    tiled_ = tiled_dims(p_, model_, halos_);
    SioutasCost c;
    c.tile = tile_;
    c.shared_bytes = scratch(p_, halos_, tile_).bytes;
    c.block = std::vector<int64_t>(tile_.size(), 1);
    for (size_t s : halos_.group.stages)
      each_tiled(s, [&](size_t d, int64_t n) { c.block[d] = std::max(c.block[d], n); });
    int64_t threads = 1;
    for (int64_t n : c.block) threads *= n;
    int64_t blocks = num_tiles(p_, halos_, tile_);
    if (phase == Phase::Grouping) threads = ceil_div(threads, device_.warp_size) * device_.warp_size;
    if (threads % device_.warp_size != 0 || threads > device_.threads_per_block || blocks < device_.num_sms ||
        c.shared_bytes > device_.shared_per_block)
      return std::nullopt;

    double arithmetic = 0, memory = 0, active = static_cast<double>(device_.threads_per_sm());
    c.occupancy = 1;
    for (size_t s : halos_.group.stages) {
      int64_t of_stage = 1;
      each_tiled(s, [&](size_t, int64_t n) { of_stage *= n; });
      double occ = occupancy(device_, {of_stage, registers(of_stage), c.shared_bytes});
      if (occ < model_.least_occupancy) return std::nullopt;
      double act = occ * static_cast<double>(device_.threads_per_sm());
      const Stage& stage = p_.stage(s);
      double operations = static_cast<double>(stage.alu_ops) + model_.sfu_ops * static_cast<double>(stage.sfu_ops);
      arithmetic += operations * points_of(s) / (occ * act);
      c.occupancy = std::min(c.occupancy, occ);
      active = std::min(active, act);
      memory += loads_of(s);
    }
    if (phase == Phase::Tiling) memory /= c.occupancy * active;
    c.cost = (arithmetic + memory) * static_cast<double>(blocks);
    return c;
  }

 private:
  // Calls f with dimension of the tile and extent, for all along which threads lie.
  template <class F>
  void each_tiled(size_t s, F f) const {
    for (const Halo& h : halos_.of(s)) {
      if (h.aligned && tiled_[h.aligned->tile_dim]) f(h.aligned->tile_dim, extent(h, tile_[h.aligned->tile_dim]));
    }
  }

  // As many as threads may have; the model bounds them, and does not predict them.
  int64_t registers(int64_t threads) const {
    return std::clamp<int64_t>(device_.registers_per_sm / std::max<int64_t>(threads, 1), 1,
                               std::min<int64_t>(64, device_.registers_per_thread));
  }

  double points_of(size_t s) const {
    double n = 1;
    for (int64_t e : extents(halos_, s, tile_)) n *= static_cast<double>(e);
    return n;
  }

  // f(F, g, S) of the published code: between 1 and the factor.
  double load_factor(double bytes) const {
    return std::min(1 + bytes * model_.global_factor / model_.cached_bytes, model_.global_factor);
  }

  // Loads of a tile: one each from members, and from other images by how much of them there is.
  double loads_of(size_t s) const {
    double result = 0;
    for (const Source& source : p_.sources(s)) {
      int64_t of_point = 0;  // each element once
      for (const Read& r : p_.stage(s).reads) of_point += r.source == source ? loads(r) : 0;
      of_point = std::min(of_point, taps(mask_of(p_.stage(s), source)));
      double count = points_of(s) * static_cast<double>(of_point);
      bool of_member = source.kind == Source::Kind::Stage && halos_.group.contains(source.number);
      result += of_member ? count : from_outside(s, source, count);
    }
    return result;
  }

  double from_outside(size_t s, const Source& source, double count) const {
    int64_t bytes = source.kind == Source::Kind::Input ? p_.inputs()[source.number].element_bytes
                                                       : bytes_per_point(p_.stage(source.number));
    double footprint = 1, column = 1;
    for (const Interval& read : read_by_tile(s, source)) {
      column = static_cast<double>(read.size());
      footprint *= column;
    }
    auto size = static_cast<double>(points(p_.domain(source)) * bytes);
    double together = std::min(column, static_cast<double>(model_.transaction_bytes) / static_cast<double>(bytes));
    return (footprint * load_factor(size) + count * load_factor(footprint * static_cast<double>(bytes))) /
           std::max(1.0, together);
  }

  // The least box around it, for the first tile.
  std::vector<Interval> read_by_tile(size_t s, const Source& source) const {
    std::vector<int64_t> here = extents(halos_, s, tile_);
    std::vector<Interval> result;
    for (const Read& r : p_.stage(s).reads) {
      if (r.source != source) continue;
      for (size_t d = 0; d < r.windows.size(); ++d) {
        const Window& w = r.windows[d];
        Interval read = image_of(w, w.follows ? Interval{0, here[*w.follows] - 1} : Interval{});
        if (d == result.size()) result.push_back(read);
        result[d] = {std::min(result[d].first, read.first), std::max(result[d].last, read.last)};
      }
    }
    return result;
  }

  const Pipeline& p_;
  const Device& device_;
  const SioutasModel& model_;
  const Halos& halos_;
  const Tile& tile_;
  std::vector<bool> tiled_;
};

}  // namespace

std::vector<bool> tiled_dims(const Pipeline& p, const SioutasModel& model, const Halos& halos) {
  std::vector<int64_t> points = points_along(p, halos);
  std::vector<bool> tiled;
  for (int64_t n : points) tiled.push_back(n >= model.tiled_from);
  if (std::none_of(tiled.begin(), tiled.end(), std::identity()) && !points.empty())
    tiled[static_cast<size_t>(std::max_element(points.begin(), points.end()) - points.begin())] = true;
  return tiled;
}

Interval tile_sizes(int64_t points, size_t tiled_dims) {
  int64_t least = points >= 64 ? 8 : 2;
  int64_t parts = points >= 1024 ? (tiled_dims == 1 ? 128 : 32) : (tiled_dims == 1 ? 32 : 2);
  return {least, std::max(least, points / parts)};
}

std::optional<SioutasCost> sioutas_cost(const Pipeline& p, const Device& device, const SioutasModel& model,
                                        const Halos& halos, const Tile& tile, Phase phase) {
  return Block(p, device, model, halos, tile).cost(phase);
}

std::optional<SioutasCost> sioutas_cost(const Pipeline& p, const Device& device, const SioutasModel& model,
                                        const Group& g, Phase phase) {
  Result<Halos> halos = tight_halos(p, g);
  if (!halos) return std::nullopt;
  std::vector<int64_t> points = points_along(p, *halos);
  std::vector<bool> tiled = tiled_dims(p, model, *halos);
  auto num_tiled = static_cast<size_t>(std::count(tiled.begin(), tiled.end(), true));
  Tile least = least_tile(*halos);
  std::optional<SioutasCost> best;
  std::function<void(Tile&)> choose = [&](Tile& tile) {
    size_t d = tile.size();
    if (d == halos->tile_dims) {
      std::optional<SioutasCost> c = sioutas_cost(p, device, model, *halos, tile, phase);
      if (c && (!best || c->cost < best->cost)) best = std::move(c);
      return;
    }
    if (!tiled[d]) {
      tile.push_back(ceil_div(points[d], least[d]) * least[d]);
      choose(tile);
      tile.pop_back();
      return;
    }
    Interval sizes = tile_sizes(points[d], num_tiled);
    for (int64_t n = sizes.first; n <= sizes.last; n = phase == Phase::Grouping ? 2 * n : n + 2) {
      if (n % least[d] != 0) continue;
      tile.push_back(n);
      choose(tile);
      tile.pop_back();
    }
  };
  Tile tile;
  choose(tile);
  return best;
}

}  // namespace heddle::stencil
