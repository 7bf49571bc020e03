// Which elements of an array a point reads around its own place: what makes an operation a stage of a pipeline.
//
//   let up = img[max(y - 1, 0)][x]; let down = img[min(y + 1, h - 1)][x]; out[y][x] := up + down       0 <= y < h
//
// reads img at rows y-1..y+1 and at column x, whatever the borders make of it. Bounds are proved, so that no way of writing a border
// has to be known; but where the other end of the image stands beyond the border, such as img[(y + 1) % h], the window is that of
// the index before it is wrapped, y+1..y+1.
#pragma once

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

// A buffer that is read at other places, too: as the data have it, or all over.
struct OtherRead {
  Name buffer;
  std::string why;  // a clause
};

// How far from its own place, in elements, a point may read so that it is worth to stage what it reads; a window that lies elsewhere
// as a whole, by so many elements for all points, counts as near.
constexpr int64_t kFarthest = 64;

// The reads of `buffers` in the work of a point. `facts` hold where the work begins, those about the indices included.
struct Reads {
  std::vector<WindowedRead> windowed;
  std::vector<OtherRead> others;  // none of the former
};
Reads find_windows(const std::vector<Index>& indices, const nest::Block& work, const std::vector<nest::Buffer>& buffers,
                   nest::Facts& facts);

}  // namespace heddle::recognize
