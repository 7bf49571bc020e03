// What the host computes for a contraction in tiles: chunks of the reduction, how operands lie in shared memory, and which
// threads copy what of them.
#pragma once

#include "rewrites/seg/builder.h"
#include "rewrites/seg/tile_contraction.h"

namespace heddle::seg {

// A dimension of what is copied of an operand.
struct CopiedDim {
  std::optional<size_t> dim;  // of the operand; none: all that go along the reduction, one after the other
  SubExp extent;              // of the array
  SubExp span;                // positions that are copied
  int64_t together = 1;       // threads along it
  int64_t each = 1;           // positions that each of these copies at a time
  SubExp turns;               // how often; the tile has room for all that these copy
  bool by_lanes = false;      // there is an index of threads along it

  int64_t at_once() const { return together * each; }
};

// How an operand lies in shared memory.
struct Tile {
  Name array;                     // the operand's, or a copy of it that lies in the order of the tile
  std::vector<size_t> order;      // its dimensions, the one last that neighbouring elements lie along
  std::vector<SubExp> spans;      // by dimension: how many positions from the first element read to the last one
  std::vector<SubExp> rooms;      // by dimension: for how many positions there is room
  SubExp size;                    // elements
  std::vector<size_t> picked;     // the parallel indices of which a thread reads several elements
  std::vector<CopiedDim> copied;  // in the same order
};

struct ContractionTiles {
  std::vector<SubExp> rounds, chunks;  // by index of the reduction: how many chunks, and how many steps each has
  std::vector<Tile> tiles;             // by operand
  SubExp shared_bytes;
};

// `before`: statements that lay operands out anew.
ContractionTiles contraction_tiles(const TiledContraction& c, Builder& host, Builder& before);

}  // namespace heddle::seg
