#include "rewrites/plan/why_apart.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/recipes/fold_in_stage.h"
#include "rewrites/recipes/folds.h"

namespace heddle::lower {

namespace {

// Without windows, of each other's results or of images, there is nothing that a tile of an image would be good for, and the
// arrays may be of any shape.
bool reads_windows(const stencil::Group& group, const stencil::Pipeline& p) {
  return std::ranges::any_of(group.stages, [&](size_t s) {
    return std::ranges::any_of(p.stage(s).reads, [](const stencil::Read& r) {
      return std::ranges::any_of(r.windows, [](const stencil::Window& w) { return w.follows && w.lo < w.hi; });
    });
  });
}

}  // namespace

std::string why_apart(const stencil::Group& group, const PipelineOfBody& stages, const HostScope& host,
                      NameSource& names) {
  return reads_windows(group, stages.pipeline()) ? why_no_kernel(group, stages, host, names)
                                                 : "none of its stages reads windows";
}

std::string why_no_kernel(const stencil::Group& group, const PipelineOfBody& stages, const HostScope& host,
                          NameSource& names) {
  const stencil::Pipeline& p = stages.pipeline();
  Result<stencil::Halos> halos = stencil::tight_halos(p, group);
  for (size_t s : stencil::outputs(p, group)) {
    const bool is_last = s == group.stages.back();
    const bool is_covered = halos && stencil::is_covered(p, *halos, s);
    if (!is_last && (!is_covered || stages.is_needed_before(s, group)))
      return fmt::format("{} is read outside, too", p.stage(s).name);
    if (!stages.code(s).folds.empty() && !(halos && stencil::is_as_large_as_last(p, *halos, s)))
      return fmt::format("not all tiles have as many points of {}, of which each is to count once", p.stage(s).name);
  }
  const std::vector<PointFold> folds = folds_of(stages.codes_of(group));
  std::string why_not = folds.empty() ? "" : FoldByBlocks(folds, host, names).why_not();
  if (!why_not.empty()) return why_not;
  return stages.sources_stay(group) ? "" : "what it reads is overwritten before its last stage";
}

bool has_room_to_fold(const stencil::Group& group, const stencil::FittedTile& fitted, const PipelineOfBody& stages) {
  const std::vector<PointFold> folds = folds_of(stages.codes_of(group));
  if (fitted.stream || fitted.walk) return folds.empty();
  int64_t bytes = stencil::scratch(stages.pipeline(), fitted.halos, fitted.tile).peak_bytes;
  for (const PointFold& f : folds) bytes += shared_bytes_to_fold(f);
  return bytes <= kSharedBytes;
}

}  // namespace heddle::lower
