// An update of an accumulator that points make, by themselves or in maps within them, as if each step of these maps were a point.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::seg {

struct PointUpdate {
  std::vector<SegDim> dims;   // the points' first, then those of the maps, outer ones first
  std::vector<size_t> place;  // of `dims`: those that tell the place that is updated, in its order
  Stms steps;                 // what the maps compute in each step
  UpdateAcc update;           // of what the points or `steps` have
  Certs certs;
};

//   segmap(thread)(i < n, j < k) : {acc} {
//     ... let {u} = map(d, {xs, iota, acc}, \{x, l, a} -> let v = c * x let {b} = update_acc(a, {j, l}, {v}) in {b}) return {returns u}
//   }
// as  dims i < n, j < k, l < d;  place j, l;  steps  let x = xs[l] let v = c * x;  update_acc(acc, {j, l}, {v}).
// None where something else tells the place, or anything depends on what other updates do. `iotas`: of the host, from 0 by 1.
std::optional<PointUpdate> point_update(const SegOp& op, size_t result, const std::unordered_set<Name>& iotas);

// Whether each point has a place of its own, of all that the operation updates.
bool has_own_places(const PointUpdate& u);

}  // namespace heddle::seg
