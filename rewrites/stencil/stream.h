// Groups that stream along the rows of an image: a block has a strip of columns and walks down its rows, each stage a few rows ahead of
// those who read it. Of a stage only those rows are kept that readers still need, in a ring, and none is computed twice in a strip. (In
// Sioutas' words a sliding window whose store level is outside of its compute level, with folded storage.)
//
//   b[y][x] := a[y][x-1] + a[y][x+1]                       b is read in its own column alone: a thread keeps 4 + 2 rows in registers
//   c[y][x] := b[y-1][x] + b[y+1][x]                       c: by other threads, too, so 2 * 3 + 2 rows lie in shared memory,
//   d[y][x] := c[y-1][x-1] + c[y+1][x+1]                   and b and c are a step of rows ahead of d, so that one barrier a step suffices
//
// The rows are cut into segments, so that all of a device has something to do; at its top each computes the rows again that the one above
// ends with.
#pragma once

#include "rewrites/stencil/halos.h"
#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

struct StreamModel {
  int64_t threads = 256;                            // of a block, with a column each
  std::vector<int64_t> steps = {8, 6, 4, 3, 2, 1};  // rows at a time, in order of preference
  int64_t most_scratch = 48 * 1024;                 // bytes
  int64_t most_registers = 40;                      // of a thread for what it keeps, in words of 32 bits
  // Of a thread in all: where nothing but registers bounds how many blocks are resident it has few, else as many as leave half of the
  // threads resident.
  int64_t few_registers = 40, registers = 64;
  int64_t most_operations = 4096;  // of a thread in a step, since all of it is written out
  int64_t most_rows_before = 32;   // that a stage needs before a segment's first
  double most_beside = 0.25;       // of the threads' columns, beside the strip's own
  int64_t blocks = 4 * 132 * 8;    // that fill a large device several times, so that none ends with few
  int64_t least_segment = 32;      // rows
};

// Where readers find a stage's rows.
enum class Kept { Nowhere, Registers, Shared };

struct StreamedStage {
  Kept kept;
  int64_t ahead;  // steps ahead of the last stage
  int64_t rows;   // that are kept, of shared memory a power of two
};

struct Stream {
  int64_t threads;
  int64_t step;         // rows at a time
  int64_t left, right;  // threads beside the strip's own columns
  int64_t blocks, least_segment;
  int64_t registers;                  // that a thread may have
  std::vector<StreamedStage> stages;  // in the group's order

  int64_t columns() const { return threads - left - right; }
  int64_t most_ahead() const;
  // How many rows of an image a segment has: whole steps.
  int64_t segment(int64_t rows, int64_t columns, int64_t others) const;
  int64_t shared_bytes(const Pipeline& p, const Group& g) const;
};

// The last two dimensions are rows and columns, those before are not read around.
Result<Stream> fit_stream(const Pipeline& p, const Halos& halos, const StreamModel& model = {});

// A segment of a strip as a tile of the last stage's points.
Tile tile_of(const Stream& s, const std::vector<Interval>& points);

// In words: of which rows each stage keeps how many where.
std::string text(const Pipeline& p, const Group& g, const Stream& s);

}  // namespace heddle::stencil
