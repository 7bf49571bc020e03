#include "rewrites/plan/recomputation.h"

#include <algorithm>

#include "rewrites/recipes/compute_at_reader.h"
#include "rewrites/recipes/strips.h"

namespace heddle::lower {

namespace {

// Operations that take about as long as a byte's way to memory or from it; in such operations, a dear one, and a load from a cache.
constexpr double kOperationsOfByte = 8;
constexpr int64_t kDear = 32, kLoad = 4;
// Of a point in a column: such operations in what its thread computes beside the column.
constexpr int64_t kMostAroundColumns = 8;

double bytes_of(const stencil::Pipeline& p, const stencil::Source& source) {
  return static_cast<double>(source.kind == stencil::Source::Kind::Stage
                                 ? stencil::bytes_per_point(p.stage(source.number))
                                 : p.inputs()[source.number].element_bytes);
}

}  // namespace

bool columns_pay(const std::vector<const StageCode*>& group, int64_t around) {
  int64_t operations = 0;
  for (const StageCode* code : group) {
    if (code->dear_operations > 0) return false;
    if (code != group.back()) operations += code->operations + kLoad * code->loads;
  }
  return around * operations <= kMostAroundColumns * kFewestRowsThatShare;
}

bool recomputation_pays(const stencil::Pipeline& p, size_t s, const std::vector<const StageCode*>& codes) {
  auto count = [](const std::vector<stencil::Interval>& domain) {
    return static_cast<double>(stencil::points(domain));
  };
  const stencil::Stage& stage = p.stage(s);
  const StageCode& code = *codes[s];
  const double points = count(stage.domain), bytes = static_cast<double>(stencil::bytes_per_point(stage));
  double saved = points * bytes, more = -points;
  for (size_t r : p.consumers(s)) {
    double reads = count(p.stage(r).domain) * static_cast<double>(reads_of(*codes[r], code));
    double elements = std::min(points, reads);
    more += reads;
    saved += elements * bytes;
    for (const stencil::Read& read : stage.reads)
      saved -= bytes_of(p, read.source) * std::min(elements, count(p.domain(read.source)));
  }
  double operations = static_cast<double>(code.operations + kDear * code.dear_operations + kLoad * code.loads);
  return kOperationsOfByte * saved > more * operations;
}

bool copies_tile(const stencil::Pipeline& p, size_t s, const stencil::Group& group,
                 const std::vector<const StageCode*>& codes) {
  const StageCode& code = *codes[s];
  const stencil::Stage& stage = p.stage(s);
  auto inside = [&](size_t r) { return group.contains(r) && !codes[r]->is_tiled; };
  auto has_no_borders = [](const stencil::Read& read) {
    return std::ranges::all_of(read.windows, [](const stencil::Window& w) {
      return w.follows && w.den == 1 && w.border == stencil::Border::None;
    });
  };
  auto reads_plainly = [&](size_t r) {
    return std::ranges::all_of(p.stage(r).reads, [&](const stencil::Read& read) {
      return read.source != stencil::Source{stencil::Source::Kind::Stage, s} || has_no_borders(read);
    });
  };
  auto reads_tile = [&](const stencil::Read& read) {
    return read.source.kind == stencil::Source::Kind::Stage && inside(read.source.number) && has_no_borders(read);
  };
  if (stage.live_out) return false;
  const bool copies =
      code.operations + code.dear_operations == 0 && code.loads == static_cast<int64_t>(code.results.size());
  const std::vector<size_t>& readers = p.consumers(s);
  return copies && std::ranges::all_of(stage.reads, reads_tile) && std::ranges::all_of(readers, inside) &&
         std::ranges::all_of(readers, reads_plainly);
}

}  // namespace heddle::lower
