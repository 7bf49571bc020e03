#include "rewrites/stencil/group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace heddle::stencil {

bool Group::contains(size_t s) const { return std::binary_search(stages.begin(), stages.end(), s); }

Group group_of(std::vector<size_t> stages) {
  std::sort(stages.begin(), stages.end());
  stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
  return {std::move(stages)};
}

Group merged(const Group& a, const Group& b) {
  Group both;
  std::set_union(a.stages.begin(), a.stages.end(), b.stages.begin(), b.stages.end(), std::back_inserter(both.stages));
  return both;
}

Group whole(const Pipeline& p) {
  Group g;
  for (size_t s = 0; s < p.size(); ++s) g.stages.push_back(s);
  return g;
}

std::vector<size_t> outputs(const Pipeline& p, const Group& g) {
  std::vector<size_t> result;
  for (size_t s : g.stages) {
    const std::vector<size_t>& readers = p.consumers(s);
    bool outside = std::any_of(readers.begin(), readers.end(), [&](size_t c) { return !g.contains(c); });
    if (outside || readers.empty() || p.stage(s).live_out) result.push_back(s);
  }
  return result;
}

std::vector<Source> inputs(const Pipeline& p, const Group& g) {
  std::vector<Source> result;
  for (size_t s : g.stages) {
    for (const Source& source : p.sources(s)) {
      if (source.kind == Source::Kind::Stage && g.contains(source.number)) continue;
      if (std::find(result.begin(), result.end(), source) == result.end()) result.push_back(source);
    }
  }
  return result;
}

bool is_connected(const Pipeline& p, const Group& g) {
  if (g.stages.empty()) return false;
  std::vector<size_t> reached{g.stages[0]};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const std::vector<size_t>* next : {&p.producers(reached[i]), &p.consumers(reached[i])}) {
      for (size_t s : *next) {
        if (g.contains(s) && std::find(reached.begin(), reached.end(), s) == reached.end()) reached.push_back(s);
      }
    }
  }
  return reached.size() == g.stages.size();
}

bool is_convex(const Pipeline& p, const Group& g) {
  std::vector<bool> left(p.size(), false);  // stages outside that need something of the group
  for (size_t s = g.stages.empty() ? p.size() : g.stages[0]; s < p.size(); ++s) {
    bool inside = g.contains(s);
    for (size_t producer : p.producers(s)) {
      if (left[producer] && inside) return false;
      if (!inside && (left[producer] || g.contains(producer))) left[s] = true;
    }
  }
  return true;
}

std::optional<std::vector<Group>> in_order(const Pipeline& p, std::vector<Group> groups) {
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.stages < b.stages; });
  std::vector<bool> done(p.size(), true);
  for (const Group& g : groups) {
    for (size_t s : g.stages) done[s] = false;
  }
  auto is_ready = [&](const Group& g) {
    return std::all_of(g.stages.begin(), g.stages.end(), [&](size_t s) {
      const std::vector<size_t>& needed = p.producers(s);
      return std::all_of(needed.begin(), needed.end(), [&](size_t n) { return done[n] || g.contains(n); });
    });
  };
  std::vector<Group> result;
  while (!groups.empty()) {
    auto next = std::find_if(groups.begin(), groups.end(), is_ready);
    if (next == groups.end()) return std::nullopt;
    for (size_t s : next->stages) done[s] = true;
    result.push_back(std::move(*next));
    groups.erase(next);
  }
  return result;
}

std::vector<Group> without(const std::vector<Group>& groups, const std::vector<size_t>& gone) {
  std::vector<Group> left(groups.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    for (size_t s : groups[g].stages) {
      const auto before = std::count_if(gone.begin(), gone.end(), [&](size_t n) { return n < s; });
      if (std::find(gone.begin(), gone.end(), s) == gone.end())
        left[g].stages.push_back(s - static_cast<size_t>(before));
    }
  }
  return left;
}

std::string text(const Pipeline& p, const Group& g) {
  std::vector<std::string> names;
  for (size_t s : g.stages) names.push_back(p.stage(s).name);
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

std::string text(const Pipeline& p, const Partition& parts) {
  std::vector<std::string> groups;
  for (const Group& g : parts.groups) groups.push_back(text(p, g));
  return fmt::format("{}", fmt::join(groups, " "));
}

}  // namespace heddle::stencil
