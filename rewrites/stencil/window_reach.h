// What windows need of an image, as intervals.
#pragma once

#include "rewrites/stencil/pipeline.h"

namespace heddle::stencil {

// Rounds towards minus infinity; d > 0.
constexpr int64_t floor_div(int64_t n, int64_t d) { return n / d - (n % d != 0 && n < 0 ? 1 : 0); }
constexpr int64_t ceil_div(int64_t n, int64_t d) { return -floor_div(-n, d); }

// The window, wide enough that elements which stand for others beyond the border are in it, too, wherever in the image
// its reader is. Clamp: the border itself. Mirror: as far to the one side as to the other, less the border.
inline Window with_exchanged(Window w) {
  // How far the window goes beyond the border from the first and from the last point.
  int64_t before = -floor_div(w.lo, w.den), behind = floor_div(w.hi - w.num, w.den) + 1;
  int64_t first = 0, last = -1;  // what must be reached from there, the last one counted from the image's end
  if (w.border == Border::Mirror) {
    first = std::max<int64_t>(first, before - 1);
    last = std::min<int64_t>(last, -behind);
  } else if (w.border != Border::Clamp) {
    return w;
  }
  w.hi = std::max(w.hi, w.den * first);
  w.lo = std::min(w.lo, w.den * last + w.num + w.den - 1);
  return w;
}

// The elements that are read at points of the reader (section 10.1, by boxes).
inline Interval image_of(const Window& w, const Interval& reader) {
  if (!w.follows) return {w.lo, w.hi};
  return {floor_div(w.num * reader.first + w.lo, w.den), floor_div(w.num * reader.last + w.hi, w.den)};
}

}  // namespace heddle::stencil
