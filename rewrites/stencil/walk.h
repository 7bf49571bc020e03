// Groups whose warps walk down the rows of an image: a warp has a strip of columns, several beside each other in each lane, and computes a row
// of every stage at a time. The rows that are still needed stay in registers of the lanes, which read each other's by shuffles; what lanes
// copy to shared memory they read themselves, so that nobody waits for others. So it is a tile of time that overlaps others along columns alone,
// and is skewed along rows: partial-dimensional overlap (Zhao and Cohen, Flextended Tiles, section 9), with each producer's row at the shortest
// distance before its consumers'. Where stages have other dimensions before rows and columns, a warp has one place in each of them.
//
//   b1[y][x] := a[y-1][x] + a[y][x-1]      b2[y][x] := b1[y-1][x] + b1[y+1][x]
//
//   row y of b2:  b1 y+1, of which y-1..y+1 are kept; a y+1, of which y.. are kept, copied to shared memory some rows before
#pragma once

#include <compare>

#include "rewrites/stencil/halos.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

struct WalkModel {
  std::vector<int64_t> columns = {4, 2, 1};  // of a lane, in order of preference; none: no warp walks
  int64_t most_registers = 144;              // of a lane for rows, in words of 32 bits
  int64_t beside = 56, registers = 232;      // that it has besides, and in all
  // Rows of images are copied to shared memory before they are needed: so many that this much is under way in a multiprocessor, if there is room.
  std::vector<int64_t> slots = {4, 8};  // of a lane's rows there, powers of two
  int64_t bytes_under_way = 24 * 1024;
  int64_t shared_of_block = 48 * 1024, shared_memory = 227 * 1024,
          shared_besides = 1024;   // bytes; besides: of each block
  int64_t most_layers = 4;         // of an image that a point reads
  int64_t most_written_out = 6;    // rows that take each other's places in registers without being moved
  int64_t most_operations = 8192;  // of a lane for these, since all of it is written out
  // Of a lane's turn whose rows the device's compiler may mix, so that they wait less; of more it makes worse code (bench/results/pipelines-h100.md).
  int64_t most_mixed = 512;
  int64_t most_rows_before = 96;  // that a segment's first needs
  double most_beside = 0.4;       // of the columns, beside the strip's own
  // Of a large device; of a scheduler's lanes, of which a multiprocessor has four.
  int64_t multiprocessors = 132, registers_of_scheduler = 512, schedulers = 4;
  int64_t most_warps = 16;  // of a multiprocessor
  int64_t warps_of_block = 2;
  int64_t least_segment = 32;  // rows
  // Segments are as long as for as many warps as there are at a time, or for twice as many, so that all multiprocessors are busy to the end, if they are
  // so many times longer than the rows before them.
  int64_t least_of_before = 16;
  // Near the image's left and right borders a row takes several times as long, so that segments there are so much shorter.
  int64_t shorter_at_borders = 4;
};

// What is kept of a stage or an image: so many rows, the newest of which is so far ahead of the last stage's. None where it is not read.
struct RowsWalked {
  int64_t ahead = 0, rows = 0;
};

// Where a dimension of an image before its rows and columns is read: at the stage's own index, or at the same place by all points.
struct LayerPlace {
  std::optional<size_t> follows;
  int64_t at = 0;

  auto operator<=>(const LayerPlace&) const = default;
};

// A plane of an image that is read around points, by the pipeline's name for it.
struct ImageWalked {
  std::string name;
  std::vector<LayerPlace> layer;
  RowsWalked kept;
};

struct Walk {
  int64_t columns_of_lane;
  int64_t left, right;  // columns of a warp beside the strip's own, whole lanes
  int64_t before;       // rows that are walked before a segment's first
  int64_t slots;        // for rows of images in shared memory: they are copied there so many rows early, less one
  int64_t written_out;  // rows of a turn
  bool mixed;           // whether the device's compiler is to mix a turn's rows
  int64_t warps;        // that a large device has at a time
  int64_t warps_of_block, least_segment, least_of_before, shorter_at_borders;
  int64_t registers;                // that a thread may have
  int64_t least_points;             // of the last stage, so that all warps of a large device have enough to do
  std::vector<RowsWalked> stages;   // in the group's order
  std::vector<ImageWalked> images;  // planes of the same image behind each other

  int64_t columns() const { return kLanes * columns_of_lane - left - right; }
  // How many rows of an image a segment has: whole turns, with those before.
  int64_t segment(int64_t rows, int64_t columns, int64_t others) const;
  // Strips that may be near the left or right border: the first and the last ones, of which the very last may be narrow.
  static constexpr int64_t kAtBorders = 3;

  static constexpr int64_t kLanes = 32;
};

// Of stages whose last two dimensions are the rows and columns.
Result<Walk> fit_walk(const Pipeline& p, const Halos& halos, const WalkModel& model = {});

// Whether it was found to be faster than tiles of blocks, of large images: no point looks where borders are, which cost a walk much, lanes keep few rows, and elements
// have four bytes, of which a lane loads and stores four at once (bench/results/pipelines-h100.md).
bool walks_by_default(const Pipeline& p, const Halos& halos, const Walk& w);

// A segment of a strip as a tile of the last stage's points.
Tile tile_of(const Walk& w, const std::vector<Interval>& points);

// What lanes keep:
//   4 columns of each lane, 112 columns without those beside; rows of img 6 (4 ahead), b1 3 (1 ahead)
std::string text(const Pipeline& p, const Group& g, const Walk& w);

// How many points of each stage a warp computes for a segment of so many rows, in the group's order: those beside it, too.
std::vector<int64_t> points_walked(const Walk& w, int64_t rows);

}  // namespace heddle::stencil
