#include "rewrites/stencil/tiles.h"

#include <algorithm>
#include <numeric>

#include "rewrites/stencil/window_reach.h"

namespace heddle::stencil {

namespace {

int64_t own_points(const Halo& h, int64_t tile_size) { return tile_size * h.aligned->scale.num / h.aligned->scale.den; }

// The last stage of the group that reads it; itself, if none does.
size_t last_use(const Pipeline& p, const Group& g, size_t s) {
  size_t last = s;
  for (size_t consumer : p.consumers(s)) {
    if (g.contains(consumer)) last = consumer;
  }
  return last;
}

// What of a stage's dimension lies in tiles of these numbers, of which none is left out between them.
Interval part(const Halo& h, const Tile& tile, const Interval& tiles, const Interval& domain) {
  if (!h.aligned) return h.wraps ? h.fixed : clipped(h.fixed, domain);
  int64_t size = tile[h.aligned->tile_dim];
  Interval all{box(h, size, tiles.first).first, box(h, size, tiles.last).last};
  return h.wraps ? all : clipped(all, domain);
}

// The points of a stage in all tiles: those along different dimensions of the tile multiply.
int64_t points_in_tiles(const Pipeline& p, const Halos& halos, size_t s, const Tile& tile) {
  const std::vector<Halo>& of = halos.of(s);
  const std::vector<Interval>& domain = p.stage(s).domain;
  int64_t result = 1;
  for (size_t d = 0; d < of.size(); ++d) {
    if (!of[d].aligned) result *= part(of[d], tile, {0, 0}, domain[d]).size();
  }
  for (size_t tile_dim = 0; tile_dim < halos.tile_dims; ++tile_dim) {
    Interval tiles = tiles_along(p, halos, tile_dim, tile);
    int64_t along = 0;
    for (int64_t t = tiles.first; t <= tiles.last; ++t) {
      int64_t in_tile = 1;
      for (size_t d = 0; d < of.size(); ++d) {
        if (of[d].aligned && of[d].aligned->tile_dim == tile_dim)
          in_tile *= part(of[d], tile, {t, t}, domain[d]).size();
      }
      along += in_tile;
    }
    result *= along;
  }
  return result;
}

// The points of a stage that the group's results need, of each but once.
int64_t points_needed(const Pipeline& p, const Halos& halos, size_t s, const Tile& tile) {
  if (p.stage(s).live_out) return points(p.stage(s).domain);
  const std::vector<Halo>& of = halos.of(s);
  int64_t result = 1;
  for (size_t d = 0; d < of.size(); ++d) {
    Interval tiles = of[d].aligned ? tiles_along(p, halos, of[d].aligned->tile_dim, tile) : Interval{0, 0};
    Interval needed = clipped(part(of[d], tile, tiles, p.stage(s).domain[d]), p.stage(s).domain[d]);
    result *= needed.size();
  }
  return result;
}

}  // namespace

Tile least_tile(const Halos& halos) {
  Tile result(halos.tile_dims, 1);
  for (const std::vector<Halo>& stage : halos.stages) {
    for (const Halo& h : stage) {
      if (!h.aligned) continue;
      int64_t& least = result[h.aligned->tile_dim];
      least = std::lcm(least, h.aligned->scale.den);
    }
  }
  return result;
}

Interval box(const Halo& h, int64_t tile_size, int64_t t) {
  if (!h.aligned) return h.fixed;
  int64_t own = own_points(h, tile_size);
  return {own * t - h.left - h.shift, own * (t + 1) - 1 + h.right - h.shift};
}

Interval clipped(const Interval& box, const Interval& domain) {
  return {std::max(box.first, domain.first), std::min(box.last, domain.last)};
}

int64_t extent(const Halo& h, int64_t tile_size) { return box(h, tile_size, 0).size(); }

std::vector<int64_t> extents(const Halos& halos, size_t stage, const Tile& tile) {
  std::vector<int64_t> result;
  for (const Halo& h : halos.of(stage)) result.push_back(extent(h, h.aligned ? tile[h.aligned->tile_dim] : 0));
  return result;
}

Interval tiles_along(const Pipeline& p, const Halos& halos, size_t tile_dim, const Tile& tile) {
  std::optional<Interval> result;
  for (size_t s : outputs(p, halos.group)) {
    for (size_t d = 0; d < halos.of(s).size(); ++d) {
      const Halo& h = halos.of(s)[d];
      const Interval& domain = p.stage(s).domain[d];
      if (!h.aligned || h.aligned->tile_dim != tile_dim || domain.size() == 0) continue;
      int64_t own = own_points(h, tile[tile_dim]);
      Interval of{floor_div(domain.first + h.shift, own), floor_div(domain.last + h.shift, own)};
      result = result ? Interval{std::min(result->first, of.first), std::max(result->last, of.last)} : of;
    }
  }
  return result.value_or(Interval{});
}

int64_t num_tiles(const Pipeline& p, const Halos& halos, const Tile& tile) {
  int64_t n = 1;
  for (size_t d = 0; d < halos.tile_dims; ++d) n *= tiles_along(p, halos, d, tile).size();
  return n;
}

double Work::redundant() const {
  auto all = static_cast<double>(std::accumulate(computed.begin(), computed.end(), int64_t{0}));
  auto once = static_cast<double>(std::accumulate(needed.begin(), needed.end(), int64_t{0}));
  return once == 0 ? 0 : std::max(0.0, all / once - 1);
}

Work work(const Pipeline& p, const Halos& halos, const Tile& tile) {
  Work w;
  for (size_t s : halos.group.stages) {
    w.computed.push_back(points_in_tiles(p, halos, s, tile));
    w.needed.push_back(points_needed(p, halos, s, tile));
  }
  return w;
}

bool is_covered(const Pipeline& p, const Halos& halos, size_t stage) {
  // What another stage needs as a whole must be there before: no kernel of that one's group can store it.
  if (p.stage(stage).needed_as_a_whole || p.stage(halos.group.stages.back()).needed_as_a_whole) return false;
  std::vector<bool> along(halos.tile_dims, false);
  for (const Halo& h : halos.of(stage)) {
    if (!h.aligned || h.shift != 0 || h.left < 0 || h.right < 0) return false;
    // Where two dimensions go along with one, tiles have a diagonal.
    if (along[h.aligned->tile_dim]) return false;
    along[h.aligned->tile_dim] = true;
  }
  return true;
}

bool is_as_large_as_last(const Pipeline& p, const Halos& halos, size_t stage) {
  const std::vector<size_t>&own = p.stage(stage).extents, &of_last = p.stage(halos.group.stages.back()).extents;
  const std::vector<Halo>& halo = halos.of(stage);
  if (own.size() != halo.size() || of_last.size() != halos.tile_dims) return false;
  for (size_t d = 0; d < halo.size(); ++d) {
    if (halo[d].aligned->scale != Ratio{} || own[d] != of_last[halo[d].aligned->tile_dim]) return false;
  }
  return true;
}

std::optional<size_t> not_covered(const Pipeline& p, const Halos& halos) {
  for (size_t s : outputs(p, halos.group)) {
    if (s != halos.group.stages.back() && !is_covered(p, halos, s)) return s;
  }
  return std::nullopt;
}

int64_t scratch_bytes(const Pipeline& p, const Halos& halos, size_t stage, const Tile& tile) {
  if (last_use(p, halos.group, stage) == stage) return 0;
  int64_t bytes = bytes_per_point(p.stage(stage));
  for (int64_t n : extents(halos, stage, tile)) bytes *= n;
  return bytes;
}

Scratch scratch(const Pipeline& p, const Halos& halos, const Tile& tile) {
  const std::vector<size_t>& stages = halos.group.stages;
  Scratch result;
  std::vector<int64_t> in_use(stages.size(), 0);  // while the stage of that place is computed
  for (size_t i = 0; i < stages.size(); ++i) {
    int64_t bytes = scratch_bytes(p, halos, stages[i], tile);
    result.bytes += bytes;
    size_t last = last_use(p, halos.group, stages[i]);
    for (size_t k = i; k < stages.size() && stages[k] <= last; ++k) in_use[k] += bytes;
  }
  for (int64_t bytes : in_use) result.peak_bytes = std::max(result.peak_bytes, bytes);
  return result;
}

}  // namespace heddle::stencil
