// The kernel of a stage that is in no group: each thread computes a strip of points below each other. What these read in common stays
// in registers, and what they read apart is under way at the same time, so that plain maps gain, too.
//
//   b[y][x] := a[max(y-1, 0)][x] + a[min(y+1, h-1)][x]                          y < h, x < w
//
//   for yb in strips_y (grid) for xb in tiles_x (grid) for ty in tile_y (block) for tx in tile_x (block)
//     let y0 = (yb*tile_y + ty)*4; let x = xb*tile_x + tx
//     if 1 <= y0 && y0 + 3 < h - 1 && x < w { for rows y0..y0+3 of a strip (strip_code.h): b[y][x] := a[y-1][x] + a[y+1][x] }
//     else { for row in 4 { let y = y0 + row; if y < h && x < w { b[y][x] := a[max(y-1, 0)][x] + a[min(y+1, h-1)][x] } } }
//
// Of more dimensions, a block has points of several layers, where these are small: 256 threads, of which as many lie along x and y as
// have a point. Not where they fold what they compute.
//
// Narrow dimensions behind x, as of colours, are a part of it: x is w*3 points long then. Where elements are narrow and windows tall, a thread
// has several columns (wide_columns.h).
#pragma once

#include "rewrites/recipes/stage.h"

namespace heddle::lower {

// Of a stage whose rows share what they compute of others (StageCode::shares_rows): twice as many where what they read has room in registers.
constexpr int64_t kFewestRowsThatShare = 8;

// Whether its results lie row by row, and how many they are is known where the kernel is launched.
bool may_have_strips(const StageCode& stage, const Plan& direct);

// Whether a thread of a strip may have several columns, whatever the stage reads.
bool may_have_columns(const StageCode& stage);

// Of a thread of a stage that may have strips.
int64_t rows_of_strips(const StageCode& stage);  // 1 of one that may have none
int64_t columns_of_strips(const StageCode& stage);

// Nothing where it may have none, or where a strip would be a single point for which borders are as elsewhere, as in the direct plan.
std::optional<Launch> strips_kernel(const StageCode& stage, const Plan& direct, NameSource& names);

}  // namespace heddle::lower
