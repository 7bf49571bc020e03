// Groups whose warps walk down the rows of an image: a warp has a strip of columns, several beside each other in each lane, and computes a row
// of every stage at a time. The rows that are still needed stay in registers of the lanes, which read each other's by shuffles; nothing is
// shared and nobody waits. So it is a tile of time that overlaps others along columns alone, and is skewed along rows: partial-dimensional overlap
// (Zhao and Cohen, Flextended Tiles, section 9), with each producer's row at the shortest distance before its consumers'.
//
//   b1[y][x] := a[y-1][x] + a[y][x-1]      b2[y][x] := b1[y-1][x] + b1[y+1][x]
//
//   row y of b2:  b1 y+1, of which y-1..y+1 are kept; a y+1, loaded some rows before, of which y.. are kept
#pragma once

#include "rewrites/stencil/halos.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

struct WalkModel {
  std::vector<int64_t> columns = {4, 2, 1};  // of a lane, in order of preference; none: no warp walks
  int64_t most_registers = 144;              // of a lane for rows, in words of 32 bits
  int64_t beside = 56, registers = 232;      // that it has besides, and in all
  int64_t rows_early = 3;                    // that images are loaded before they are needed
  int64_t most_written_out = 4;              // rows that take each other's places in registers without being moved
  int64_t most_operations = 8192;            // of a lane for these, since all of it is written out
  int64_t most_rows_before = 96;             // that a segment's first needs
  double most_beside = 0.4;                  // of the columns, beside the strip's own
  int64_t multiprocessors = 132, register_file = 65536;  // of a large device
  int64_t most_warps = 16;                               // of a multiprocessor
  int64_t warps_of_block = 2;
  int64_t least_segment = 32;  // rows
  // Near the image's left and right borders a row takes several times as long, so that segments there are so much shorter.
  int64_t shorter_at_borders = 4;
};

// What is kept of a stage or an image: so many rows, the newest of which is so far ahead of the last stage's. None where it is not read.
struct RowsWalked {
  int64_t ahead = 0, rows = 0;
};

// An image that is read in windows, by the pipeline's name for it.
struct ImageWalked {
  std::string name;
  RowsWalked kept;
};

struct Walk {
  int64_t columns_of_lane;
  int64_t left, right;  // columns of a warp beside the strip's own, whole lanes
  int64_t before;       // rows that are walked before a segment's first
  int64_t written_out;  // rows at a time
  int64_t warps;        // that a large device has at a time
  int64_t warps_of_block, least_segment, shorter_at_borders;
  int64_t registers;               // that a thread may have
  std::vector<RowsWalked> stages;  // in the group's order
  std::vector<ImageWalked> images;

  int64_t columns() const { return kLanes * columns_of_lane - left - right; }
  // How many rows of an image a segment has, so that all warps are there at a time: whole turns, with those before.
  int64_t segment(int64_t rows, int64_t columns) const;
  // Strips that may be near the left or right border: the first and the last ones, of which the very last may be narrow.
  static constexpr int64_t kAtBorders = 3;

  static constexpr int64_t kLanes = 32;
};

// Of stages with rows and columns alone.
Result<Walk> fit_walk(const Pipeline& p, const Halos& halos, const WalkModel& model = {});

// A segment of a strip as a tile of the last stage's points.
Tile tile_of(const Walk& w, const std::vector<Interval>& points);

// How many points of each stage a warp computes for a segment of so many rows, in the group's order: those beside it, too.
std::vector<int64_t> points_walked(const Walk& w, int64_t rows);

}  // namespace heddle::stencil
