// Which elements of an array a point reads around its own place: what makes an operation a stage of a pipeline.
//
//   let up = img[max(y - 1, 0)][x]; let down = img[min(y + 1, h - 1)][x]; out[y][x] := up + down       0 <= y < h
//
// reads img at rows y-1..y+1 and at column x, whatever the borders make of it. Bounds are proved, so that no way of writing a border
// has to be known.
#pragma once

#include <variant>

#include "ir/nest/facts.h"
#include "ir/nest/traverse.h"
#include "rewrites/recognize/contraction.h"
#include "rewrites/stencil/pipeline.h"

namespace heddle::recognize {

// All reads of one buffer.
struct WindowedRead {
  Name buffer;
  std::vector<stencil::Window> windows;  // one for each dimension; `follows` counts the point's indices
};

// How far from its own place, in elements, a point may read so that it is worth to stage what it reads.
constexpr int64_t kFarthest = 64;

// The reads of `buffers` in the work of a point, or why they are no windows, as a clause. `facts` hold where the work begins, those
// about the indices included.
std::variant<std::vector<WindowedRead>, std::string> find_windows(const std::vector<Index>& indices,
                                                                  const nest::Block& work,
                                                                  const std::vector<nest::Buffer>& buffers,
                                                                  nest::Facts& facts);

}  // namespace heddle::recognize
