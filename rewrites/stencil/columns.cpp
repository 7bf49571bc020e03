#include "rewrites/stencil/columns.h"

#include <algorithm>

#include "rewrites/stencil/tiles.h"

namespace heddle::stencil {

namespace {

// Along which rows lie below each other; none where an image has no rows.
std::optional<size_t> rows_dim(const std::vector<Interval>& domain) {
  size_t wide = domain.size();
  while (wide > 0 && domain[wide - 1].size() <= kNarrow) --wide;
  return wide < 2 ? std::nullopt : std::optional(wide - 2);
}

bool is_at_point(const Window& w, size_t d) {
  return w.follows == d && w.num == 1 && w.den == 1 && w.lo == 0 && w.hi == 0;
}

// How many rows are read beside one; nothing where other columns are read, too.
std::optional<int64_t> more_rows(const Read& read, const std::vector<Interval>& domain, size_t rows) {
  if (read.windows.size() != domain.size()) return std::nullopt;
  for (size_t d = 0; d < domain.size(); ++d) {
    const Window& w = read.windows[d];
    const bool moves_down = d == rows && w.follows == d && w.num == 1 && w.den == 1 && w.border != Border::Wrap;
    if (!moves_down && !is_at_point(w, d)) return std::nullopt;
  }
  return read.windows[rows].hi - read.windows[rows].lo;
}

}  // namespace

std::optional<int64_t> rows_around_columns(const Pipeline& p, const Group& g) {
  const std::optional<size_t> rows = rows_dim(p.stage(g.stages.back()).domain);
  if (!rows || outputs(p, g) != std::vector<size_t>{g.stages.back()}) return std::nullopt;
  // By stage, between it and the last one; of several ways the longest.
  std::vector<int64_t> around(p.size(), 0);
  for (auto reader = g.stages.rbegin(); reader != g.stages.rend(); ++reader) {
    const Stage& r = p.stage(*reader);
    for (const Read& read : r.reads) {
      if (read.source.kind != Source::Kind::Stage || !g.contains(read.source.number)) continue;
      const std::optional<int64_t> more = more_rows(read, r.domain, *rows);
      if (!more) return std::nullopt;
      int64_t& of_source = around[read.source.number];
      of_source = std::max(of_source, around[*reader] + *more);
    }
  }
  const int64_t most = *std::ranges::max_element(around);
  return most > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace heddle::stencil
