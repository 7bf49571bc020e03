#include "rewrites/plan/nest_stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/recipes/compute_at_reader.h"
#include "rewrites/recipes/layers.h"

namespace heddle::lower {

namespace {

class Nest {
 public:
  Nest(const stencil::Pipeline& p, const std::vector<stencil::Placement>& placements,
       const std::vector<const StageCode*>& codes, bool tiles_keep_points, const HostFacts& host,
       const std::function<bool(const Name&)>& is_stage, NameSource& names)
      : p_(p),
        placements_(placements),
        tiles_keep_points_(tiles_keep_points),
        host_(host),
        is_stage_(is_stage),
        names_(names) {
    for (size_t k = 0; k < placements.size(); ++k) codes_.emplace(placements[k].stage, codes[k]);
  }

  // From the last on, so that whatever reads a stage is where it will be computed before the stage is.
  NestedStages run() {
    for (size_t k = placements_.size(); k-- > 0;) {
      const stencil::Placement& placed = placements_[k];
      place_[placed.stage] = placed.stage;
      if (placed.reader != placed.stage)
        nested_.lines.insert(nested_.lines.begin(), name(placed.stage) + ": " + place(placed));
    }
    if (std::ranges::all_of(nested_.stages, [&](size_t s) { return is_kept_anyway(s); })) {
      nested_.stages.clear();
      nested_.codes.clear();
    }
    return std::move(nested_);
  }

 private:
  const std::string& name(size_t s) const { return p_.stage(s).name; }
  const StageCode& code(size_t s) const {
    auto changed = nested_.codes.find(s);
    return changed == nested_.codes.end() ? *codes_.at(s) : changed->second;
  }

  std::vector<size_t> readers(size_t s) const {
    std::vector<size_t> of_group;
    for (size_t r : p_.consumers(s)) {
      if (codes_.contains(r)) of_group.push_back(r);
    }
    return of_group;
  }

  // Whether a group's kernel computes it with the one that reads it, as it is.
  bool is_kept_anyway(size_t s) const {
    const std::vector<size_t> by = readers(s);
    return tiles_keep_points_ && by.size() == 1 && is_read_at_point(*codes_.at(s), *codes_.at(by[0]));
  }

  // Where a stage is computed, as a clause.
  std::string place(const stencil::Placement& placed) {
    const size_t s = placed.stage;
    if (placed.level == stencil::Level::Block) return "by the block, whose threads share it";
    const std::vector<size_t> by = readers(s);
    const size_t reader = place_.at(by[0]);
    if (std::ranges::any_of(by, [&](size_t r) { return place_.at(r) != reader; }))
      return "by the block, since those who read it are not computed at one place";
    if (std::ranges::any_of(by, [&](size_t r) { return stencil::points_share(p_, s, r); }))
      return fmt::format("for all layers of {}, which share it", name(reader));
    std::optional<StageCode> with = computing(code(reader), *codes_.at(s), host_, is_stage_, names_);
    if (!with) return fmt::format("as tiles have it, since conditions decide what {} reads of it", name(reader));
    nested_.codes.insert_or_assign(reader, *std::move(with));
    nested_.stages.insert(nested_.stages.begin(), s);
    place_[s] = reader;
    return fmt::format("by each thread, where it computes {}", name(reader));
  }

  const stencil::Pipeline& p_;
  const std::vector<stencil::Placement>& placements_;
  bool tiles_keep_points_;
  std::unordered_map<size_t, const StageCode*> codes_;
  const HostFacts& host_;
  const std::function<bool(const Name&)>& is_stage_;
  NameSource& names_;
  std::unordered_map<size_t, size_t> place_;  // of stages so far: at whose points
  NestedStages nested_;
};

}  // namespace

NestedStages nest_stages(const stencil::Pipeline& p, const std::vector<stencil::Placement>& placements,
                         const std::vector<const StageCode*>& codes, bool tiles_keep_points, const HostFacts& host,
                         const std::function<bool(const Name&)>& is_stage, NameSource& names) {
  return Nest(p, placements, codes, tiles_keep_points, host, is_stage, names).run();
}

}  // namespace heddle::lower
