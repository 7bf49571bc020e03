// The schedule with which a group becomes a kernel of overlapped tiles.
#pragma once

#include <array>
#include <string_view>

#include "rewrites/stencil/hybrid.h"
#include "rewrites/stencil/stream.h"
#include "rewrites/stencil/walk.h"

namespace heddle::stencil {

// Points of the last wide dimension, and of the one before; those before have one.
struct TileSides {
  int64_t last, before;
};

// Who computes a tile together, with barriers among these threads alone: those of a block, or those of a warp, each of which has a
// tile of its own (Jangda and Guha, PACT 2020), all of it in shared memory or a part in registers (hybrid.h). Or a block goes down a strip of columns (stream.h),
// or a warp (walk.h), which is no tile any more.
enum class TileScope { Block, Warp, Hybrid, Stream, Walk };

// By the names with which users choose.
struct NamedScope {
  std::string_view name;
  TileScope scope;
};
constexpr std::array kTileScopes{NamedScope{"block", TileScope::Block}, NamedScope{"warp", TileScope::Warp},
                                 NamedScope{"hybrid", TileScope::Hybrid}, NamedScope{"stream", TileScope::Stream},
                                 NamedScope{"walk", TileScope::Walk}};
constexpr std::optional<TileScope> find_tile_scope(std::string_view name) {
  for (const NamedScope& s : kTileScopes) {
    if (s.name == name) return s.scope;
  }
  return std::nullopt;
}

struct FitModel {
  TileScope scope = TileScope::Block;                                       // others' where there is such
  std::vector<TileSides> shapes = {{64, 32}, {64, 16}, {32, 16}, {32, 8}};  // in order of preference
  int64_t line = 1024;                                                      // points, where one dimension alone is wide
  // Of points, and of the work at all points: what is computed again for each that is needed, at most. The first is about memory
  // and waiting, the second keeps dear stages from being computed for cheap ones, as a sum of a row for each tile of the row.
  double most_redundant = 0.4;
  double most_redundant_work = 0.75;
  int64_t most_scratch = 48 * 1024;  // bytes
  // Of an image with fewer tiles, as a small level of a pyramid, a smaller tile is taken: where most of a device has nothing to do, what a
  // thread does one after the other is all that counts. A tile or two for each multiprocessor of a large device.
  int64_t few_tiles = 256;
  bool tight_halos = true;  // else uniform ones, where there are such
  // Whether threads of a tile keep in registers what a single reader needs of a stage at its own point, or in layers there.
  bool points_in_registers = true;
  // Tiles of warps, and how many of them a block has, the most that have room: as many as a block of the other kind has warps, so that
  // as many threads are resident, and else fewer before smaller tiles, which compute more again.
  std::vector<TileSides> warp_shapes = {{64, 16}, {64, 8}, {32, 16}, {32, 8}};
  std::vector<int64_t> warps = {8, 4, 2};
  HybridModel hybrid = {};
  StreamModel stream = {};
  WalkModel walk = {};
};

struct FittedTile {
  Halos halos;
  Tile tile;
  TileScope scope = TileScope::Block;
  int64_t tiles_of_block = 1;
  std::optional<Stream> stream = {};     // the tile is a segment of a strip, by estimates of sizes, then
  std::optional<Walk> walk = {};         // likewise
  std::optional<Walk> where_large = {};  // of images of as many points as it says; others have tiles
  std::optional<Hybrid> hybrid = {};
  std::string why_not_as_asked =
      {};  // where a hybrid tile, a stream or a walk was asked for, and is not what there is: a clause
  bool points_in_registers = true;  // as the model says
};

// The first of the model's tiles for which the stages' parts have room in the shared memory that every device has for a block, and
// not too much is computed again, and which are not few; the last if they are few with all. None if there is no such tile, or no
// overlapped tile at all.
std::optional<FittedTile> fit_tile(const Pipeline& p, const Group& g, const FitModel& model = {});

// Why there is none, as a clause; for the last of the tiles.
std::string why_no_tile(const Pipeline& p, const Group& g, const FitModel& model = {});

}  // namespace heddle::stencil
