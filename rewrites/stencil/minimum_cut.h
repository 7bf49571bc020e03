// The least cut of a connected graph in two (Stoer and Wagner, "A Simple Min-Cut Algorithm", JACM 1997).
//
// Boost.Graph has one, too, which names another of several least cuts. Here it is the one that the papers name: phases
// begin at the first vertex, vertices that hang equally fast are taken by their numbers, and the first least cut of a
// phase wins.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::stencil {

struct Cut {
  double weight = 0;
  std::vector<bool> side;  // of each vertex: whether it is cut off from the first one
  size_t phases = 0;
};

// Of the symmetric matrix of weights; at least two vertices.
Cut minimum_cut(std::vector<std::vector<double>> weights);

}  // namespace heddle::stencil
