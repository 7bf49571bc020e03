// Sioutas' search (chapter 6 of his thesis, and Halide's greedy grouping, on which it builds): stages are inlined where
// that is cheaper, then groups are merged with the one that reads them, the best first, for as long as it helps.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rewrites/stencil/inline_stage.h"
#include "rewrites/stencil/masks.h"
#include "rewrites/stencil/nested.h"
#include "rewrites/stencil/strategies.h"

namespace heddle::stencil {

namespace {

// What a group costs that no tile suits: as if it could not be, yet comparable.
constexpr double kImpossible = 1e30;

class Grouper {
 public:
  Grouper(const Pipeline& p, const Device& device, const SioutasModel& model)
      : original_(p), p_(p), device_(device), model_(model) {
    for (size_t s = 0; s < p.size(); ++s) number_.push_back(s);
  }

  Decision run() {
    while (inline_best()) {
    }
    for (size_t s = 0; s < p_.size(); ++s) groups_.push_back({{s}});
    while (merge_best()) {
    }
    tile();
    finish();
    return std::move(d_);
  }

 private:
  double cost(const Pipeline& p, const Group& g) {
    ++d_.trace.effort;
    std::optional<SioutasCost> c = sioutas_cost(p, device_, model_, g, Phase::Grouping);
    return c ? c->cost : kImpossible;
  }

  double cost(const Group& g) {
    auto known = costs_.find(g.stages);
    if (known == costs_.end()) known = costs_.emplace(g.stages, cost(p_, g)).first;
    return known->second;
  }

  // Read at no more than one element for a point, or as cheap to compute as to load (step 1 of the thesis' order).
  bool is_trivial(size_t s) const {
    const Stage& stage = p_.stage(s);
    if (stage.kind == StageKind::Global || stage.live_out) return false;
    double operations = static_cast<double>(stage.alu_ops) + model_.sfu_ops * static_cast<double>(stage.sfu_ops);
    if (stage.kind == StageKind::Point && operations <= model_.trivial_ops * static_cast<double>(loads(stage)))
      return true;
    const std::vector<size_t>& readers = p_.consumers(s);
    return readers.size() == 1 && taps(mask_of(p_.stage(readers[0]), {Source::Kind::Stage, s})) == 1;
  }

  struct Inlining {
    size_t stage;
    double gain;
  };

  // What is saved if the stage goes into all that read it.
  std::optional<double> gain_of_inlining(size_t s) {
    Result<Pipeline> without = inline_stage(p_, s);
    if (!without) return std::nullopt;
    double gain = cost({{s}});
    for (size_t reader : p_.consumers(s)) gain += cost({{reader}}) - cost(*without, {{reader - 1}});
    return gain;
  }

  bool inline_best() {
    std::optional<Inlining> best;
    for (size_t s = 0; s < p_.size(); ++s) {
      if (!is_trivial(s)) continue;
      auto known = gains_.find(number_[s]);
      if (known == gains_.end()) known = gains_.emplace(number_[s], gain_of_inlining(s)).first;
      if (known->second && *known->second > 0 && (!best || *known->second > best->gain)) best = {s, *known->second};
    }
    if (!best) return false;
    d_.trace.lines.push_back(fmt::format("inline {}: saves {:.6g}", p_.stage(best->stage).name, best->gain));
    // Gains of whatever reads it, is read by it, or is read together with it are others afterwards.
    std::vector<size_t> near = p_.consumers(best->stage);
    for (size_t producer : p_.producers(best->stage)) near.push_back(producer);
    for (size_t reader : p_.consumers(best->stage)) {
      for (size_t producer : p_.producers(reader)) near.push_back(producer);
    }
    for (size_t s : near) gains_.erase(number_[s]);
    costs_.clear();
    d_.partition.inlined.push_back(number_[best->stage]);
    p_ = *inline_stage(p_, best->stage);
    number_.erase(number_.begin() + static_cast<std::ptrdiff_t>(best->stage));
    return true;
  }

  // The only group that reads the group's results, if there is such.
  std::optional<size_t> reader_of(const Group& g) const {
    std::optional<size_t> result;
    for (size_t s : outputs(p_, g)) {
      if (p_.stage(s).live_out) return std::nullopt;
      for (size_t reader : p_.consumers(s)) {
        if (g.contains(reader)) continue;
        size_t of = 0;
        while (!groups_[of].contains(reader)) ++of;
        if (result && *result != of) return std::nullopt;
        result = of;
      }
    }
    return result;
  }

  bool merge_best() {
    double most = 0;
    std::optional<std::pair<size_t, size_t>> best;
    for (size_t i = 0; i < groups_.size(); ++i) {
      std::optional<size_t> reader = reader_of(groups_[i]);
      if (!reader) continue;
      double parts = cost(groups_[i]) + cost(groups_[*reader]), whole = cost(merged(groups_[i], groups_[*reader]));
      if (whole >= kImpossible || parts - whole <= most) continue;
      most = parts - whole;
      best = {i, *reader};
    }
    if (!best) return false;
    auto [from, to] = *best;
    Group both = merged(groups_[from], groups_[to]);
    d_.trace.lines.push_back(fmt::format("{} with {}: {:.6g} and {:.6g} become {:.6g}", text(p_, groups_[from]),
                                         text(p_, groups_[to]), cost(groups_[from]), cost(groups_[to]), cost(both)));
    groups_[to] = std::move(both);
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(from));
    return true;
  }

  void tile() {
    for (const Group& g : groups_) {
      std::optional<SioutasCost> c = sioutas_cost(p_, device_, model_, g, Phase::Tiling);
      d_.trace.lines.push_back(c ? fmt::format("{}: tile {}, {} threads, {} bytes shared, occupancy {:.2f}",
                                               text(p_, g), by(c->tile), by(c->block), c->shared_bytes, c->occupancy)
                                 : fmt::format("{}: no tile suits the device", text(p_, g)));
      if (c && g.stages.size() > 1 && is_nesting_worth_it(device_, *c)) nest(g, *c);
    }
  }

  void nest(const Group& g, const SioutasCost& c) {
    Halos halos = *tight_halos(p_, g);
    std::vector<Placement> placements = nested(p_, model_, halos);
    for (const Placement& placed : placements) {
      if (placed.level != Level::Thread) continue;
      d_.trace.lines.push_back(fmt::format("{}: by each thread, where it computes {}; {} bytes shared are left",
                                           p_.stage(placed.stage).name, p_.stage(placed.reader).name,
                                           shared_bytes(p_, halos, c.tile, placements)));
    }
  }

  static std::string by(const std::vector<int64_t>& sizes) {
    std::string result;
    for (int64_t n : sizes) result += (result.empty() ? "" : "x") + std::to_string(n);
    return result;
  }

  // Back to the stages' own numbers; what is inlined goes to all who read it.
  void finish() {
    std::vector<size_t>& inlined = d_.partition.inlined;
    std::sort(inlined.begin(), inlined.end());
    // A group is merged with all that read it, so that no two wait for each other.
    std::vector<Group> groups = in_order(p_, groups_).value();
    for (Group& g : groups) {
      for (size_t& s : g.stages) s = number_[s];
    }
    for (Group& g : groups) {
      for (auto s = inlined.rbegin(); s != inlined.rend(); ++s) {
        const std::vector<size_t>& readers = original_.consumers(*s);
        if (std::any_of(readers.begin(), readers.end(), [&](size_t r) { return g.contains(r); })) g = merged(g, {{*s}});
      }
    }
    d_.partition.groups = std::move(groups);
  }

  const Pipeline& original_;
  Pipeline p_;  // without what is inlined
  const Device& device_;
  const SioutasModel& model_;
  std::vector<size_t> number_;  // of p_'s stages in the original
  std::vector<Group> groups_;   // of p_'s stages
  std::map<std::vector<size_t>, double> costs_;
  std::map<size_t, std::optional<double>> gains_;  // of inlining, by number in the original
  Decision d_;
};

}  // namespace

Decision greedy(const Pipeline& p, const Device& device, const SioutasModel& model) {
  return Grouper(p, device, model).run();
}

}  // namespace heddle::stencil
