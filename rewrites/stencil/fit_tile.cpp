#include "rewrites/stencil/fit_tile.h"

namespace heddle::stencil {

namespace {

// Points computed again for each point that is needed, at most.
constexpr double kMostRedundant = 0.4;
constexpr int64_t kMostScratch = 48 * 1024;

// The points of the last dimension, and of the one before; the others have one.
struct Shape {
  int64_t last, before;
};
constexpr Shape kShapes[] = {{64, 16}, {32, 16}, {32, 8}};
constexpr int64_t kLine = 1024;  // where there is but one dimension

bool divides(const Tile& least, const Tile& tile) {
  for (size_t d = 0; d < tile.size(); ++d) {
    if (tile[d] % least[d] != 0) return false;
  }
  return true;
}

}  // namespace

std::optional<FittedTile> fit_tile(const Pipeline& p, const Group& g) {
  Result<Halos> halos = tight_halos(p, g);
  if (!halos || halos->tile_dims == 0) return std::nullopt;
  const Tile least = least_tile(*halos);
  for (const Shape& shape : kShapes) {
    Tile tile(halos->tile_dims, 1);
    tile.back() = tile.size() == 1 ? kLine : shape.last;
    if (tile.size() > 1) tile[tile.size() - 2] = shape.before;
    bool fits = divides(least, tile) && scratch(p, *halos, tile).bytes <= kMostScratch &&
                work(p, *halos, tile).redundant() <= kMostRedundant;
    if (fits) return FittedTile{*halos, std::move(tile)};
  }
  return std::nullopt;
}

}  // namespace heddle::stencil
