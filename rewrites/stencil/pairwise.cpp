// Hipacc's first search (Qiao's thesis, algorithm 1, (3.15)); it needs no weights.
#include <fmt/format.h>

#include "rewrites/stencil/strategies.h"

namespace heddle::stencil {

namespace {

// (3.15): the producer's only reader, which reads nothing else.
bool depends_alone(const Pipeline& p, size_t producer, size_t consumer) {
  return p.consumers(producer).size() == 1 && !p.stage(producer).live_out && p.sources(consumer).size() == 1;
}

std::vector<Group> chains(const Pipeline& p) {
  std::vector<Group> result;
  std::vector<std::optional<size_t>> chain_of(p.size());
  for (size_t s = 0; s < p.size(); ++s) {
    const std::vector<size_t>& producers = p.producers(s);
    if (producers.size() == 1 && depends_alone(p, producers[0], s)) {
      chain_of[s] = chain_of[producers[0]];
      result[*chain_of[s]].stages.push_back(s);
    } else {
      chain_of[s] = result.size();
      result.push_back({{s}});
    }
  }
  return result;
}

}  // namespace

Decision pairwise(const Pipeline& p, const Device& device, const HipaccModel& model) {
  Decision d;
  std::vector<Group> left = chains(p), done;
  while (!left.empty()) {
    Group g = std::move(left.back());
    left.pop_back();
    Group dropped;
    while (g.stages.size() > 1) {
      ++d.trace.effort;
      std::optional<std::string> why = breaks_resources(p, device, model, g);
      if (!why) why = breaks_header(p, g);
      if (!why) break;
      d.trace.lines.push_back(fmt::format("{}: {}; without {}", text(p, g), *why, p.stage(g.stages.back()).name));
      dropped.stages.insert(dropped.stages.begin(), g.stages.back());
      g.stages.pop_back();
    }
    if (g.stages.size() > 1) d.trace.lines.push_back(fmt::format("{}: fused", text(p, g)));
    if (!dropped.stages.empty()) left.push_back(std::move(dropped));
    done.push_back(std::move(g));
  }
  d.partition.groups = in_order(p, std::move(done)).value();  // chains, which have one way in and one out
  return d;
}

}  // namespace heddle::stencil
