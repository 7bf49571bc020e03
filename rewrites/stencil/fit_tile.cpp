#include "rewrites/stencil/fit_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::stencil {

namespace {

// Dimensions of at most so many points are whole in each tile where they lie behind the wide ones, or before, too.
constexpr int64_t kWhole = 16;
// Where one dimension alone is wide, a tile has at most so many points with those that are whole behind it, 16 of each thread; of the wide one a
// power of two, as stages that are sampled want multiples of their own.
constexpr int64_t kPointsOfLine = 4096, kLeastLine = 8;
// Bytes of a tile, at a time, of which as many blocks fit into a multiprocessor's shared memory as its threads have room for. For that a smaller tile
// is taken if no more than this part of the points is computed again besides.
constexpr int64_t kRoomy = 28 * 1024;
constexpr double kWorthRoom = 0.1;
// Of turns that are more or fewer than asked for.
constexpr double kPartOfTurn = 0.25;

Tile tile_of(const TileSides& shape, int64_t line, const std::vector<Interval>& points, bool whole_before,
             int64_t most_points) {
  Tile tile(points.size(), 1);
  size_t wide = points.size();
  auto whole = [&](size_t d) {
    if (points[d].size() <= kWhole) tile[d] = std::max<int64_t>(1, points[d].size());
    return points[d].size() <= kWhole;
  };
  int64_t layers = 1;
  while (wide > 0 && whole(wide - 1)) layers *= tile[--wide];
  if (wide == 1) {
    const auto most = static_cast<uint64_t>(std::max(kLeastLine, most_points / layers));
    tile[0] = std::min(line, static_cast<int64_t>(std::bit_floor(most)));
  }
  if (wide > 1) tile[wide - 1] = shape.last, tile[wide - 2] = shape.before;
  for (size_t d = 0; whole_before && d + 2 < wide; ++d) whole(d);
  return tile;
}

bool divides(const Tile& least, const Tile& tile) {
  for (size_t d = 0; d < tile.size(); ++d) {
    if (tile[d] % least[d] != 0) return false;
  }
  return true;
}

double redundant_work(const Pipeline& p, const Group& g, const Work& w) {
  double computed = 0, needed = 0;
  for (size_t k = 0; k < g.stages.size(); ++k) {
    const Stage& s = p.stage(g.stages[k]);
    auto cost = static_cast<double>(1 + s.alu_ops + s.sfu_ops + loads(s));
    computed += cost * static_cast<double>(w.computed[k]);
    needed += cost * static_cast<double>(w.needed[k]);
  }
  return needed == 0 ? 0 : computed / needed - 1;
}

// The first of these shapes of which `count` tiles have room, or why none. Lines have at most so many points.
Result<Tile> first_tile(const Pipeline& p, const Halos& halos, const FitModel& model,
                        const std::vector<TileSides>& shapes, int64_t line, int64_t count, int64_t most_points) {
  const Tile least = least_tile(halos);
  std::string why_not = "its stages are sampled at other rates than a tile has points";
  const std::vector<Interval>& domain = p.stage(halos.group.stages.back()).domain;
  struct Candidate {
    Tile tile;
    int64_t bytes;  // at a time
    double redundant;
  };
  std::optional<Candidate> found;
  bool is_few = false;
  for (const TileSides& shape : shapes) {
    for (bool whole_before : {false, true}) {
      Tile tile = tile_of(shape, line, domain, whole_before, most_points);
      if (!divides(least, tile)) continue;
      const Scratch needed = scratch(p, halos, tile);
      const int64_t most = model.most_scratch / count;
      if (needed.bytes > most) {
        why_not = fmt::format("a tile's scratch is {} bytes, of at most {}", needed.bytes, most);
        continue;
      }
      const Work w = work(p, halos, tile);
      const double points = w.redundant(), work = redundant_work(p, halos.group, w);
      if (points <= model.most_redundant && work <= model.most_redundant_work) {
        if (!found || is_few || points <= found->redundant + kWorthRoom)
          found = Candidate{std::move(tile), needed.peak_bytes, points};
        break;
      }
      why_not =
          fmt::format("{:.0f} % of the points, {:.0f} % of the work would be done again", 100 * points, 100 * work);
    }
    is_few = found && num_tiles(p, halos, found->tile) < model.few_tiles * count;
    if (found && !is_few && (count > 1 || found->bytes <= kRoomy)) break;
  }
  if (found) return std::move(found->tile);
  return unsupported(why_not);
}

// With a line as long as it may be where too much would be computed again for shorter ones.
Result<Tile> first_tile(const Pipeline& p, const Halos& halos, const FitModel& model,
                        const std::vector<TileSides>& shapes, int64_t line, int64_t count) {
  Result<Tile> found = first_tile(p, halos, model, shapes, line, count, kPointsOfLine);
  return found ? found : first_tile(p, halos, model, shapes, line, count, line * kPointsOfLine);
}

// Why so much may not be computed again, as a clause; empty if it may.
std::string why_too_much_again(const Pipeline& p, const Halos& halos, const FitModel& model, const Tile& tile) {
  const Work w = work(p, halos, tile);
  const double points = w.redundant(), again = redundant_work(p, halos.group, w);
  if (points <= model.most_redundant && again <= model.most_redundant_work) return "";
  return fmt::format("{:.0f} % of the points, {:.0f} % of the work would be done again", 100 * points, 100 * again);
}

// What is computed again where segments of strips meet is bounded as tiles' is.
Result<FittedTile> streamed(const Pipeline& p, const Halos& halos, const FitModel& model) {
  Result<Stream> stream = fit_stream(p, halos, model.stream);
  if (!stream) return stream.error();
  Tile tile = tile_of(*stream, p.stage(halos.group.stages.back()).domain);
  std::string why = why_too_much_again(p, halos, model, tile);
  if (!why.empty()) return unsupported(std::move(why));
  return FittedTile{halos, std::move(tile), TileScope::Stream, 1, *std::move(stream)};
}

Result<FittedTile> walked(const Pipeline& p, const Halos& halos, const FitModel& model) {
  Result<Walk> walk = fit_walk(p, halos, model.walk);
  if (!walk) return walk.error();
  Tile tile = tile_of(*walk, p.stage(halos.group.stages.back()).domain);
  std::string why = why_too_much_again(p, halos, model, tile);
  if (!why.empty()) return unsupported(std::move(why));
  FittedTile found{halos, std::move(tile), TileScope::Walk};
  found.walk = *std::move(walk);
  return found;
}

// A tile for each warp, with a part in registers.
Result<FittedTile> with_registers(const Pipeline& p, const Halos& halos, const FitModel& model, int64_t warps,
                                  Tile tile) {
  Result<Hybrid> hybrid = fit_hybrid(p, halos, tile, model.hybrid);
  if (!hybrid) return hybrid.error();
  const int64_t bytes = scratch(p, halos, in_shared(tile, *hybrid)).bytes, most = model.most_scratch / warps;
  if (bytes > most) return unsupported(fmt::format("a tile's scratch is {} bytes, of at most {}", bytes, most));
  std::string why = why_too_much_again(p, halos, model, tile);
  if (!why.empty()) return unsupported(std::move(why));
  FittedTile found{halos, std::move(tile), TileScope::Hybrid, warps};
  found.hybrid = *std::move(hybrid);
  return found;
}

// The first in which turns are about as large a part as asked for, else the first.
Result<FittedTile> with_registers(const Pipeline& p, const Halos& halos, const FitModel& model) {
  const std::vector<Interval>& domain = p.stage(halos.group.stages.back()).domain;
  Result<FittedTile> first = unsupported("no warp has a tile");
  for (int64_t warps : model.warps) {
    for (const HybridModel::Sides& shape : model.hybrid.shapes) {
      for (bool whole_before : {false, true}) {
        Tile tile = tile_of({shape.columns, shape.rows}, model.line, domain, whole_before, kPointsOfLine);
        const int64_t turns = tile.back() / kLanesOfWarp;
        const double asked_for = model.hybrid.in_registers * static_cast<double>(turns);
        Result<FittedTile> found = with_registers(p, halos, model, warps, std::move(tile));
        if (found && std::abs(static_cast<double>(found->hybrid->turns) - asked_for) <= kPartOfTurn) return found;
        if (!first) first = std::move(found);
      }
    }
  }
  return first;
}

// With a tile, or why none.
Result<FittedTile> fitted(const Pipeline& p, const Group& g, const FitModel& model) {
  Result<Halos> halos = model.tight_halos ? tight_halos(p, g) : uniform_halos(p, g);
  if (!halos && !model.tight_halos) halos = tight_halos(p, g);
  if (!halos) return halos.error();
  if (halos->tile_dims == 0) return unsupported("it has no dimensions");
  std::string why_not_as_asked;
  if (model.scope == TileScope::Stream) {
    Result<FittedTile> stream = streamed(p, *halos, model);
    if (stream) return stream;
    why_not_as_asked = "not streamed, since " + stream.error().message;
  }
  if (model.scope == TileScope::Walk) {
    Result<FittedTile> walk = walked(p, *halos, model);
    if (walk) return walk;
    why_not_as_asked = "no warps walk, since " + walk.error().message;
  }
  if (model.scope == TileScope::Hybrid) {
    Result<FittedTile> hybrid = with_registers(p, *halos, model);
    if (hybrid) return hybrid;
    why_not_as_asked = "none in registers, since " + hybrid.error().message;
  }
  auto instead = [&](FittedTile found) {
    found.why_not_as_asked = why_not_as_asked;
    return found;
  };
  if (model.scope == TileScope::Warp || model.scope == TileScope::Hybrid) {
    for (int64_t warps : model.warps) {
      Result<Tile> tile = first_tile(p, *halos, model, model.warp_shapes, model.line / warps, warps);
      if (tile) return instead({*std::move(halos), *std::move(tile), TileScope::Warp, warps});
    }
  }
  Result<Tile> tile = first_tile(p, *halos, model, model.shapes, model.line, 1);
  if (!tile) return tile.error();
  FittedTile found = instead({*std::move(halos), *std::move(tile)});
  if (model.scope != TileScope::Block) return found;
  Result<FittedTile> walk = walked(p, found.halos, model);
  if (walk && walks_by_default(p, found.halos, *walk->walk)) found.where_large = std::move(walk->walk);
  return found;
}

}  // namespace

std::optional<FittedTile> fit_tile(const Pipeline& p, const Group& g, const FitModel& model) {
  Result<FittedTile> found = fitted(p, g, model);
  if (!found) return std::nullopt;
  found->points_in_registers = model.points_in_registers;
  return *std::move(found);
}

std::string why_no_tile(const Pipeline& p, const Group& g, const FitModel& model) {
  Result<FittedTile> found = fitted(p, g, model);
  return found ? "" : found.error().message;
}

}  // namespace heddle::stencil
