#include <fmt/format.h>

#include <algorithm>

#include "rewrites/stencil/strategies.h"

namespace heddle::stencil {

namespace {

class Growth {
 public:
  Growth(const Pipeline& p, const FitModel& model, Trace& trace)
      : p_(p), model_(model), trace_(trace), taken_(p.size()) {}

  std::vector<Group> run() {
    for (size_t last = p_.size(); last-- > 0;) {
      if (taken_[last]) continue;
      groups_.push_back(from(last));
      for (size_t s : groups_.back().stages) taken_[s] = true;
    }
    return std::move(groups_);
  }

 private:
  // Of the stages that are in no group yet, those that the group that ends with `last` reads, as far as a tile has room.
  Group from(size_t last) {
    Group group = group_of({last});
    if (p_.stage(last).alone) return group;
    for (size_t s = last; s-- > 0;) {
      const std::vector<size_t>& readers = p_.consumers(s);
      auto inside = [&](size_t r) { return group.contains(r); };
      if (taken_[s] || p_.stage(s).alone || std::ranges::none_of(readers, inside)) continue;
      const bool is_stored = p_.stage(s).live_out || !std::ranges::all_of(readers, inside);
      Group larger = merged(group, group_of({s}));
      if (is_stored && !may_be_stored(larger, s)) continue;
      ++trace_.effort;
      bool fits = fit_tile(p_, larger, model_).has_value();
      trace_.lines.push_back(
          fmt::format("{}: {}", text(p_, larger), fits ? "a tile has room for it" : "no tile has room for it"));
      if (fits) group = std::move(larger);
    }
    return group;
  }

  // Whether the group's kernel can store all of the stage, and no groups wait for each other then.
  bool may_be_stored(const Group& group, size_t s) const {
    Result<Halos> halos = tight_halos(p_, group);
    if (!halos || !is_covered(p_, *halos, s)) return false;
    // A kernel could store results of other sizes, too, but levels of pyramids are slower so: interpolate takes 0.171 ms
    // for 0.132, lens_blur 2.18 for 1.82 (bench/results/ablations-h100.md).
    if (!is_as_large_as_last(p_, *halos, s)) return false;
    std::vector<Group> all = groups_;
    all.push_back(group);
    for (size_t other = 0; other < p_.size(); ++other) {
      if (!taken_[other] && !group.contains(other)) all.push_back(group_of({other}));
    }
    return in_order(p_, std::move(all)).has_value();
  }

  const Pipeline& p_;
  const FitModel& model_;
  Trace& trace_;
  std::vector<bool> taken_;
  std::vector<Group> groups_;
};

}  // namespace

Decision largest(const Pipeline& p, const FitModel& model) {
  Decision d;
  d.partition.groups = *in_order(p, Growth(p, model, d.trace).run());
  return d;
}

}  // namespace heddle::stencil
