#include "rewrites/stencil/minimum_cut.h"

#include <algorithm>
#include <optional>

namespace heddle::stencil {

namespace {

// The last two vertices in the order in which they hang fastest on those before.
struct CutPhase {
  size_t last_but_one, last;
  double weight;  // of the last one's edges
};

CutPhase phase(const std::vector<std::vector<double>>& weights, const std::vector<size_t>& vertices) {
  CutPhase result{vertices[0], vertices[0], 0};
  std::vector<size_t> left(vertices.begin() + 1, vertices.end());
  std::vector<double> hold = weights[vertices[0]];  // on those taken
  while (!left.empty()) {
    auto next = std::max_element(left.begin(), left.end(), [&](size_t a, size_t b) { return hold[a] < hold[b]; });
    result = {result.last, *next, hold[*next]};
    left.erase(next);
    for (size_t v : left) hold[v] += weights[result.last][v];
  }
  return result;
}

}  // namespace

Cut minimum_cut(std::vector<std::vector<double>> weights) {
  size_t n = weights.size();
  std::vector<size_t> vertices;             // that are left
  std::vector<std::vector<size_t>> all(n);  // those that each stands for
  for (size_t v = 0; v < n; ++v) {
    vertices.push_back(v);
    all[v].push_back(v);
  }
  std::optional<Cut> best;
  while (vertices.size() > 1) {
    CutPhase p = phase(weights, vertices);
    if (!best || p.weight < best->weight) {
      best = Cut{p.weight, std::vector<bool>(n, false), n - 1};
      for (size_t v : all[p.last]) best->side[v] = true;
    }
    all[p.last_but_one].insert(all[p.last_but_one].end(), all[p.last].begin(), all[p.last].end());
    for (size_t v : vertices) {
      if (v == p.last_but_one) continue;
      weights[p.last_but_one][v] += weights[p.last][v];
      weights[v][p.last_but_one] = weights[p.last_but_one][v];
    }
    vertices.erase(std::find(vertices.begin(), vertices.end(), p.last));
  }
  return *best;
}

}  // namespace heddle::stencil
