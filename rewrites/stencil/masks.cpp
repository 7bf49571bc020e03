#include "rewrites/stencil/masks.h"

#include <algorithm>

namespace heddle::stencil {

namespace {

std::vector<Interval> box_around(const Stage& s, const Source& source) {
  std::vector<Interval> box;
  for (const Read& r : s.reads) {
    if (r.source != source) continue;
    for (size_t d = 0; d < r.windows.size(); ++d) {
      const Window& w = r.windows[d];
      if (d == box.size()) box.push_back({w.lo, w.hi});
      box[d] = {std::min(box[d].first, w.lo), std::max(box[d].last, w.hi)};
    }
  }
  return box;
}

}  // namespace

std::vector<int64_t> mask_of(const Stage& s, const Source& source) {
  std::vector<int64_t> mask;
  for (const Interval& i : box_around(s, source)) mask.push_back(i.size());
  return mask;
}

int64_t taps(const std::vector<int64_t>& mask) {
  int64_t n = 1;
  for (int64_t m : mask) n *= m;
  return n;
}

bool holds_own_point(const Stage& s, const Source& source) {
  std::vector<Interval> box = box_around(s, source);
  return std::all_of(box.begin(), box.end(), [](const Interval& i) { return i.first <= 0 && i.last >= 0; });
}

}  // namespace heddle::stencil
