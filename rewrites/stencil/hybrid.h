// Hybrid tiles: of the tile that a warp has, the left part lies in shared memory, and the right one in the registers of the lanes that compute it (Jangda
// and Guha, PACT 2020, section 4).
//
//   b[y][x] := a[y][x-1] + a[y][x+1]                tile of 128 columns, half in registers:
//   c[y][x] := b[y][x-1] + b[y][x+1]                c: 64 columns, then 2 * 32; b: 66 columns in shared memory, then 2 * 32, all one to the right of c's
//
// The right part is cut into turns, in each of which every lane has a column. A stage's turns are shifted to the right against those of
// the stages that read it, by as much as they read to the right: so a lane reads its own column and columns to the left of it, which lie in
// registers of the same turn or the one before, or in shared memory. All that is computed again at the left lies in shared memory, too.
#pragma once

#include "rewrites/stencil/halos.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

constexpr int64_t kLanesOfWarp = 32;

struct HybridModel {
  double in_registers =
      0.5;  // of a tile's columns; rounded to whole turns, and one at least where it is more than none
  // Columns, which are turns, and rows, in order of preference.
  struct Sides {
    int64_t columns, rows;
  };
  std::vector<Sides> shapes = {{128, 8}, {64, 8}, {128, 4}, {64, 4}, {32, 8}, {32, 4}};
  // Tiles at borders are computed a piece after the other, in shared memory alone, which has room for so many columns.
  int64_t least_shared = 8;
  int64_t most_registers = 96;     // of a lane for what others read, in words of 32 bits
  int64_t most_operations = 8192;  // of a lane in all of its turns, since all of it is written out
};

struct Hybrid {
  int64_t shared_columns;  // of the last stage, and left of the turns
  int64_t turns;
  int64_t border_columns;      // of a piece of a tile at a border
  int64_t registers;           // of a lane for what others read, in words of 32 bits
  std::vector<int64_t> right;  // by stage of the group: how far its turns are shifted
};

// The numbers for a tile, or why it cannot be. The last two dimensions are rows and columns, in which all stages are aligned alike; of one before,
// each lane has all points of the tile.
Result<Hybrid> fit_hybrid(const Pipeline& p, const Halos& halos, const Tile& tile, const HybridModel& model = {});

// The tile as shared memory has it, for a stage's part of it and what memory that takes.
Tile in_shared(const Tile& tile, const Hybrid& h);

}  // namespace heddle::stencil
