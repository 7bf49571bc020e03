#include "rewrites/stencil/dp_fusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "rewrites/stencil/strategies.h"

namespace heddle::stencil {

namespace {

using Set = std::bitset<kMostStages>;  // of a round's units

class Dp {
 public:
  Dp(const Pipeline& p, const GroupCost& cost, const DpBounds& bounds) : p_(p), cost_(cost), bounds_(bounds) {}

  Decision run() {
    for (size_t s = 0; s < p_.size(); ++s) units_.push_back(group_of({s}));
    if (p_.size() > kMostStages) {
      d_.trace.lines.emplace_back("too many stages");
    } else {
      size_t all = 1;
      while (all < p_.size()) all *= 2;
      for (size_t limit = bounds_.group;; limit *= 2) {
        round(limit);
        if (limit >= all || units_.size() == 1) break;
      }
    }
    d_.partition.groups = std::move(units_);  // in the order of the states
    return std::move(d_);
  }

 private:
  struct Candidate {
    Set units, needs;  // needs: units that must have run
    size_t count;      // of units
    Group group;
    double cost;
  };

  struct State {
    double cost;
    const Candidate* last;
    Set before;
  };

  std::optional<double> known(const Group& g) {
    auto place = costs_.find(g.stages);
    if (place == costs_.end()) {
      ++d_.trace.effort;
      place = costs_.emplace(g.stages, cost_(g)).first;
    }
    return place->second;
  }

  void round(size_t limit) {
    link();
    candidates(limit);
    choose();
    double sum = 0;
    for (const Group& g : units_) sum += known(g).value_or(0);
    d_.trace.lines.push_back(fmt::format("groups of up to {} stages: {} looked at{}, {} chosen, cost {:.6g}", limit,
                                         candidates_.size(), complete_ ? "" : " of more", units_.size(), sum));
  }

  // Which units read which.
  void link() {
    producers_.assign(units_.size(), {});
    neighbours_.assign(units_.size(), {});
    std::vector<size_t> unit_of(p_.size());
    for (size_t u = 0; u < units_.size(); ++u) {
      for (size_t s : units_[u].stages) unit_of[s] = u;
    }
    for (size_t s = 0; s < p_.size(); ++s) {
      for (size_t producer : p_.producers(s)) {
        size_t from = unit_of[producer], to = unit_of[s];
        if (from == to) continue;
        producers_[to].set(from);
        neighbours_[from].set(to);
        neighbours_[to].set(from);
      }
    }
  }

  // Connected sets of units, from single ones on; those that can be a group become candidates.
  void candidates(size_t limit) {
    candidates_.clear();
    complete_ = true;
    std::unordered_set<Set> seen;
    std::vector<Set> sets;
    for (size_t u = 0; u < units_.size(); ++u) sets.push_back(Set().set(u));
    for (size_t i = 0; i < sets.size(); ++i) {  // grows
      add_candidate(sets[i]);
      for (const Set& larger : extended(sets[i], limit)) {
        if (sets.size() >= bounds_.candidates + units_.size()) complete_ = false;
        if (complete_ && seen.insert(larger).second) sets.push_back(larger);
      }
    }
  }

  std::vector<Set> extended(const Set& set, size_t limit) const {
    size_t stages = 0;
    Set around;
    for (size_t u = 0; u < units_.size(); ++u) {
      if (!set[u]) continue;
      stages += units_[u].stages.size();
      around |= neighbours_[u];
    }
    std::vector<Set> result;
    for (size_t u = 0; u < units_.size(); ++u) {
      if (around[u] && !set[u] && stages + units_[u].stages.size() <= limit) result.push_back(Set(set).set(u));
    }
    return result;
  }

  void add_candidate(const Set& set) {
    Candidate c{set, {}, set.count(), {}, 0};
    for (size_t u = 0; u < units_.size(); ++u) {
      if (!set[u]) continue;
      c.group = merged(c.group, units_[u]);
      c.needs |= producers_[u];
    }
    c.needs &= ~set;
    if (!is_convex(p_, c.group)) return;
    std::optional<double> cost = known(c.group);
    if (!cost && c.count > 1) return;
    c.cost = cost.value_or(0);
    candidates_.push_back(std::move(c));
  }

  // Ways through the states, by how many units have run.
  void choose() {
    std::vector<std::unordered_map<Set, State>> layers(units_.size() + 1);
    layers[0].emplace(Set(), State{0, nullptr, {}});
    for (size_t n = 0; n < units_.size(); ++n) {
      thin(layers[n]);
      for (const auto& [done, state] : layers[n]) {
        ++d_.trace.effort;
        for (const Candidate& c : candidates_) {
          if ((c.units & done).any() || (c.needs & ~done).any()) continue;
          State next{state.cost + c.cost, &c, done};
          auto [place, is_new] = layers[n + c.count].try_emplace(done | c.units, next);
          if (!is_new && next.cost < place->second.cost) place->second = next;
        }
      }
    }
    std::vector<Group> chosen;
    const auto& [all, last] = *layers.back().begin();
    const State* state = &last;
    for (size_t n = units_.size(); state->last != nullptr; state = &layers[n].at(state->before)) {
      chosen.push_back(state->last->group);
      n -= state->last->count;
      if (n == 0) break;
    }
    std::reverse(chosen.begin(), chosen.end());
    units_ = std::move(chosen);
  }

  // Keeps the cheapest states, and those that cost as much as the last of them.
  void thin(std::unordered_map<Set, State>& layer) {
    if (layer.size() <= bounds_.states) return;
    complete_ = false;
    std::vector<double> costs;
    for (const auto& [done, state] : layer) costs.push_back(state.cost);
    std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(bounds_.states), costs.end());
    double most = costs[bounds_.states];
    std::erase_if(layer, [&](const auto& entry) { return entry.second.cost > most; });
  }

  const Pipeline& p_;
  const GroupCost& cost_;
  const DpBounds& bounds_;
  std::vector<Group> units_;  // groups of the round before
  std::vector<Set> producers_, neighbours_;
  std::vector<Candidate> candidates_;
  std::map<std::vector<size_t>, std::optional<double>> costs_;
  bool complete_ = true;  // whether the round looked at all that there is
  Decision d_;
};

std::string by(const std::vector<int64_t>& sizes) {
  std::string result;
  for (int64_t n : sizes) result += (result.empty() ? "" : "x") + std::to_string(n);
  return result;
}

std::string text(const Device& device, const PolymageCost& c) {
  return fmt::format(
      "{:.6g}: tile {}, block {}, warps of {}, {:.1f} in registers, transactions of {} bytes: {:.3f} transactions, "
      "occupancy {:.3f}, "
      "memory {:.1f} ns, compute {:.1f} ns, unused shared {:.3f}, unused registers {:.3f}, redundant {:.4f}, extra "
      "blocks {}",
      c.cost, by(c.config.thread_tile), by(c.config.block), by(warp_shape(c.config.block, device.warp_size)),
      c.config.in_registers, c.config.transaction_bytes, c.transactions, c.occupancy, c.memory_ns, c.compute_ns,
      c.unused_shared, c.unused_registers, c.redundant, c.extra_blocks);
}

}  // namespace

Decision dp_fusion(const Pipeline& p, const GroupCost& cost, const DpBounds& bounds) {
  return Dp(p, cost, bounds).run();
}

Decision dp_fusion(const Pipeline& p, const Device& device, const PolymageModel& model) {
  auto best = [&](const Group& g) -> std::optional<PolymageCost> {
    Result<PolymageGroup> group = PolymageGroup::of(p, device, model, g);
    return group ? group->best() : std::nullopt;
  };
  // A stage that the model cannot tile stays alone, whatever that costs.
  GroupCost cost = [&](const Group& g) -> std::optional<double> {
    std::optional<PolymageCost> c = best(g);
    if (c) return c->cost;
    return g.stages.size() == 1 ? std::optional<double>(0) : std::nullopt;
  };
  Decision d = dp_fusion(p, cost, {});
  for (const Group& g : d.partition.groups) {
    if (std::optional<PolymageCost> c = best(g))
      d.trace.lines.push_back(fmt::format("{}: {}", text(p, g), text(device, *c)));
  }
  return d;
}

}  // namespace heddle::stencil
