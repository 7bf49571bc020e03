// Groups of stages that become one kernel each, and partitions of a pipeline into groups.
#pragma once

#include "rewrites/stencil/pipeline.h"

namespace heddle::stencil {

// Stages in the pipeline's order, each once.
struct Group {
  std::vector<size_t> stages;

  bool contains(size_t s) const;
  bool operator==(const Group&) const = default;
};

// Groups in an order in which they can run; each stage is in one of them, unless it is inlined.
struct Partition {
  std::vector<Group> groups;
  std::vector<size_t> inlined = {};  // computed anew wherever they are read: they stand in each group that reads them

  bool operator==(const Partition&) const = default;
};

Group group_of(std::vector<size_t> stages);
Group merged(const Group& a, const Group& b);
Group whole(const Pipeline& p);

// Stages whose results somebody outside reads.
std::vector<size_t> outputs(const Pipeline& p, const Group& g);
// What the group reads from outside, each once.
std::vector<Source> inputs(const Pipeline& p, const Group& g);
// Whether all its stages hang together by edges within it.
bool is_connected(const Pipeline& p, const Group& g);
// Whether no path leaves the group and comes back, so that it can run as a whole.
bool is_convex(const Pipeline& p, const Group& g);

// Disjoint groups in an order in which they can run, by their first stages where that is free; none if two wait for
// each other.
std::optional<std::vector<Group>> in_order(const Pipeline& p, std::vector<Group> groups);

// The groups of a pipeline without these stages, by the numbers that the others have there.
std::vector<Group> without(const std::vector<Group>& groups, const std::vector<size_t>& gone);

std::string text(const Pipeline& p, const Group& g);          // {sx, gx}
std::string text(const Pipeline& p, const Partition& parts);  // {dx} {sx, gx} ..

}  // namespace heddle::stencil
