// Hipacc's second search (Qiao's thesis, algorithm 2): the whole pipeline if it is legal, else both sides of its
// minimum cut.
#include <fmt/format.h>

#include <algorithm>

#include "rewrites/stencil/benefit.h"
#include "rewrites/stencil/minimum_cut.h"
#include "rewrites/stencil/strategies.h"

namespace heddle::stencil {

namespace {

bool is_within(const EdgeBenefit& e, const Group& g) { return g.contains(e.producer) && g.contains(e.consumer); }

class Cutter {
 public:
  Cutter(const Pipeline& p, const Device& device, const HipaccModel& model)
      : p_(p), device_(device), model_(model), edges_(benefits(p, device, model)) {}

  Decision run() {
    for (const EdgeBenefit& e : edges_) describe(e);
    std::vector<Group> left = components(), legal;
    for (size_t i = 0; i < left.size(); ++i) {  // grows
      ++d_.trace.effort;
      std::optional<std::string> why = illegal(left[i]);
      if (!why) {
        say(left[i], "legal");
        legal.push_back(left[i]);
        continue;
      }
      say(left[i], *why);
      auto [cut, rest] = sides(left[i]);
      left.push_back(std::move(cut));
      left.push_back(std::move(rest));
    }
    // A legal group has one result, on which all within it go, so no two wait for each other.
    d_.partition.groups = in_order(p_, std::move(legal)).value();
    return std::move(d_);
  }

 private:
  void say(const Group& g, const std::string& what) {
    d_.trace.lines.push_back(fmt::format("{}: {}", text(p_, g), what));
  }

  void describe(const EdgeBenefit& e) {
    std::string why = e.unprofitable ? "; recomputing costs more" : e.pair_illegal ? "; " + *e.pair_illegal : "";
    d_.trace.lines.push_back(fmt::format("{} -> {}: {} ({:.6g} saved, {:.6g} recomputed{})", p_.stage(e.producer).name,
                                         p_.stage(e.consumer).name, weight_text({e}), e.saved, e.recomputed, why));
  }

  std::vector<Group> components() const {
    std::vector<Group> result;
    for (size_t s = 0; s < p_.size(); ++s) {
      Group with{{s}};
      std::vector<Group> others;
      for (Group& g : result) {
        bool meets =
            std::any_of(p_.producers(s).begin(), p_.producers(s).end(), [&](size_t t) { return g.contains(t); });
        if (meets) {
          with = merged(with, g);
        } else {
          others.push_back(std::move(g));
        }
      }
      others.push_back(std::move(with));
      result = std::move(others);
    }
    return result;
  }

  std::optional<std::string> illegal(const Group& g) const {
    if (std::optional<std::string> why = why_illegal(p_, device_, model_, g)) return why;
    for (const EdgeBenefit& e : edges_) {
      if (e.unprofitable && is_within(e, g))
        return fmt::format("{} -> {} is not worth it", p_.stage(e.producer).name, p_.stage(e.consumer).name);
    }
    return std::nullopt;
  }

  // What the first least cut takes off, and the rest, in which the group's first stage is.
  std::pair<Group, Group> sides(const Group& g) {
    auto vertex = [&](size_t s) {
      return static_cast<size_t>(std::lower_bound(g.stages.begin(), g.stages.end(), s) - g.stages.begin());
    };
    std::vector<std::vector<double>> weights(g.stages.size(), std::vector<double>(g.stages.size(), 0));
    for (const EdgeBenefit& e : edges_) {
      if (!is_within(e, g)) continue;
      size_t from = vertex(e.producer), to = vertex(e.consumer);
      weights[from][to] = weights[to][from] = e.weight();
    }
    Cut cut = minimum_cut(weights);
    Group off, rest;
    for (size_t i = 0; i < g.stages.size(); ++i) (cut.side[i] ? off : rest).stages.push_back(g.stages[i]);
    std::vector<EdgeBenefit> crossing;
    for (const EdgeBenefit& e : edges_) {
      if (is_within(e, g) && off.contains(e.producer) != off.contains(e.consumer)) crossing.push_back(e);
    }
    say(g, fmt::format("{} phases cut {} off, weight {}", cut.phases, text(p_, off), weight_text(crossing)));
    d_.trace.effort += static_cast<int64_t>(cut.phases);
    return {std::move(off), std::move(rest)};
  }

  const Pipeline& p_;
  const Device& device_;
  const HipaccModel& model_;
  std::vector<EdgeBenefit> edges_;
  Decision d_;
};

}  // namespace

Decision min_cut(const Pipeline& p, const Device& device, const HipaccModel& model) {
  return Cutter(p, device, model).run();
}

}  // namespace heddle::stencil
