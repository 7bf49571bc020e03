#include <fmt/format.h>

#include <algorithm>

#include "rewrites/stencil/strategies.h"

namespace heddle::stencil {

namespace {

// Of the stages that are in no group yet, those that the group that ends with `last` alone reads, as far as a tile has room.
Group grow(const Pipeline& p, size_t last, const std::vector<bool>& taken, const FitModel& model, Trace& trace) {
  Group group = group_of({last});
  for (size_t s = last; s-- > 0;) {
    const std::vector<size_t>& readers = p.consumers(s);
    bool inside = !readers.empty() && std::ranges::all_of(readers, [&](size_t r) { return group.contains(r); });
    if (taken[s] || p.stage(s).live_out || !inside) continue;
    Group larger = merged(group, group_of({s}));
    ++trace.effort;
    bool fits = fit_tile(p, larger, model).has_value();
    trace.lines.push_back(
        fmt::format("{}: {}", text(p, larger), fits ? "a tile has room for it" : "no tile has room for it"));
    if (fits) group = std::move(larger);
  }
  return group;
}

}  // namespace

Decision largest(const Pipeline& p, const FitModel& model) {
  Decision d;
  std::vector<bool> taken(p.size(), false);
  std::vector<Group> groups;
  for (size_t last = p.size(); last-- > 0;) {
    if (taken[last]) continue;
    groups.push_back(grow(p, last, taken, model, d.trace));
    for (size_t s : groups.back().stages) taken[s] = true;
  }
  // Each group ends with its only output, so that none waits for another in a circle.
  d.partition.groups = *in_order(p, std::move(groups));
  return d;
}

}  // namespace heddle::stencil
