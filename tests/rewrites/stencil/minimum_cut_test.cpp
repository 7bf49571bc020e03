// Cuts weigh as much as Boost's.
#include "rewrites/stencil/minimum_cut.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/stoer_wagner_min_cut.hpp>

namespace heddle::stencil {
namespace {

using Matrix = std::vector<std::vector<double>>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, double>>;

double least_of_boost(const Matrix& weights) {
  Graph g(weights.size());
  for (size_t a = 0; a < weights.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (weights[a][b] != 0) boost::add_edge(a, b, weights[a][b], g);
    }
  }
  return boost::stoer_wagner_min_cut(g, boost::get(boost::edge_weight, g));
}

RC_GTEST_PROP(MinimumCut, WeighsAsMuchAsBoosts, ()) {
  size_t n = *rc::gen::inRange<size_t>(2, 12);
  Matrix weights(n, std::vector<double>(n, 0));
  for (size_t a = 1; a < n; ++a) {
    size_t parent = *rc::gen::inRange<size_t>(0, a);  // so that it is connected
    for (size_t b = 0; b < a; ++b) {
      int weight = *rc::gen::inRange(-6, 6);
      weights[a][b] = weights[b][a] = std::max(weight, b == parent ? 1 : 0);
    }
  }
  Cut cut = minimum_cut(weights);
  double crossing = 0;
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = 0; b < a; ++b) crossing += cut.side[a] != cut.side[b] ? weights[a][b] : 0;
  }
  RC_ASSERT(std::count(cut.side.begin(), cut.side.end(), true) > 0);
  RC_ASSERT(!cut.side[0]);
  RC_ASSERT(crossing == cut.weight);
  RC_ASSERT(cut.weight == least_of_boost(weights));
}

}  // namespace
}  // namespace heddle::stencil
