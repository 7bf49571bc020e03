#include "rewrites/stencil/benefit.h"

#include <fmt/format.h>

#include <algorithm>

#include "rewrites/stencil/masks.h"

namespace heddle::stencil {

namespace {

class Model {
 public:
  Model(const Pipeline& p, const Device& device, const HipaccModel& model) : p_(p), device_(device), model_(model) {
    for (const Stage& s : p.stages()) largest_ = std::max(largest_, static_cast<double>(points(s.domain)));
  }

  EdgeBenefit of(const Edge& e) const {
    EdgeBenefit b{};
    b.producer = e.producer;
    b.consumer = e.consumer;
    bool from_point = p_.stage(e.producer).kind == StageKind::Point;
    b.scenario = p_.stage(e.consumer).kind == StageKind::Point ? Scenario::PointBased
                 : from_point                                  ? Scenario::PointToLocal
                                                               : Scenario::LocalToLocal;
    b.saved = size({Source::Kind::Stage, e.producer}) * cycles_saved(b.scenario);
    b.recomputed = recomputed(e, b.scenario);
    b.gain = b.saved - b.recomputed + model_.launch_gain;
    b.unprofitable = b.gain <= 0;
    b.pair_illegal = why_illegal(p_, device_, model_, {{e.producer, e.consumer}});
    return b;
  }

 private:
  double size(const Source& source) const { return static_cast<double>(points(p_.domain(source))) / largest_; }  // IS

  // (3.4), (3.5)
  double cycles_saved(Scenario s) const {
    if (s != Scenario::LocalToLocal) return model_.global_cycles;
    return model_.shared_gain == HipaccModel::SharedGain::Ratio ? model_.global_cycles / model_.shared_cycles
                                                                : model_.global_cycles - model_.shared_cycles;
  }

  double recomputed(const Edge& e, Scenario scenario) const {
    if (scenario == Scenario::PointBased) return 0;
    const Stage& producer = p_.stage(e.producer);
    double operations = model_.alu_cycles * static_cast<double>(producer.alu_ops) +
                        model_.sfu_cycles * static_cast<double>(producer.sfu_ops);  // (3.8)
    double inputs = 0;
    for (const Source& s : p_.sources(e.producer)) inputs += size(s);
    std::vector<int64_t> mask = mask_of(p_.stage(e.consumer), {Source::Kind::Stage, e.producer});
    if (scenario == Scenario::LocalToLocal) widen(mask, producer);
    return operations * inputs * static_cast<double>(taps(mask));  // (3.9), (3.12)
  }

  // (3.11), for masks that need not be square: 3x3 around 3x3 reaches 5x5.
  void widen(std::vector<int64_t>& mask, const Stage& producer) const {
    std::vector<int64_t> around(mask.size(), 1);
    for (const Read& r : producer.reads) {
      std::vector<int64_t> of = mask_of(producer, r.source);
      for (size_t d = 0; d < std::min(of.size(), around.size()); ++d) around[d] = std::max(around[d], of[d]);
    }
    for (size_t d = 0; d < mask.size(); ++d) mask[d] += around[d] / 2 * 2;
  }

  const Pipeline& p_;
  const Device& device_;
  const HipaccModel& model_;
  double largest_ = 1;
};

}  // namespace

double EdgeBenefit::weight() const { return is_epsilon() ? kEpsilon : std::max(gain, kEpsilon); }

std::vector<EdgeBenefit> benefits(const Pipeline& p, const Device& device, const HipaccModel& model) {
  Model m(p, device, model);
  std::vector<EdgeBenefit> result;
  for (const Edge& e : p.edges()) result.push_back(m.of(e));
  return result;
}

std::string weight_text(const std::vector<EdgeBenefit>& edges) {
  double cycles = 0;
  size_t epsilons = 0;
  for (const EdgeBenefit& e : edges) {
    if (e.is_epsilon()) {
      ++epsilons;
    } else {
      cycles += e.gain;
    }
  }
  std::string some = epsilons == 0 ? "" : epsilons == 1 ? "eps" : fmt::format("{}eps", epsilons);
  if (cycles == 0 && epsilons != 0) return some;
  return fmt::format("{:.6g}{}{}", cycles, some.empty() ? "" : "+", some);
}

}  // namespace heddle::stencil
