// What the lanes of a warp fold and scan of what they have in registers, telling each other by shuffles.
#pragma once

#include <functional>
#include <vector>

#include "rewrites/points/operators.h"

namespace heddle::lower {

// Of one thread; all threads of its warp do the same. A row of lanes is a warp's, or a part of it, and then a power of two.
class WarpLanes {
 public:
  // `thread`: its number in the block. The rest must live longer. `role`: of the loop over distances, of which the operators' text is the body.
  WarpLanes(BodyLowerer& body, NameSource& names, const std::vector<seg::SegBinOp>& ops, nest::Expr thread,
            nest::Role role = nest::Role::Unrolled)
      : b_(body), names_(names), ops_(ops), thread_(std::move(thread)), role_(role) {}

  // What the variables hold in another lane of the warp.
  Values in_lane(const std::vector<ArrayValue>& variables, const nest::Expr& lane);
  // The first of the lanes of a row gets what they all fold to. `lane`: this one's number in the row. A row of several warps is taken as these.
  void fold(const std::vector<ArrayValue>& acc, const nest::Expr& lane, const nest::Expr& lanes);
  // Each of so many lanes gets what those before it and it fold to.
  void scan(const std::vector<ArrayValue>& acc, const nest::Expr& lane, const nest::Expr& lanes);

 private:
  nest::Expr short_number(const nest::Expr& x);
  // `emit` for distances 1, 2, 4 and so on below `lanes` and a warp's.
  void for_distances(const nest::Expr& lanes, const std::function<void(const nest::Expr& apart)>& emit);

  BodyLowerer& b_;
  NameSource& names_;
  const std::vector<seg::SegBinOp>& ops_;
  nest::Expr thread_;
  nest::Role role_;
};

// A lane's number in its warp.
nest::Expr modulo_warp(const nest::Expr& thread);

}  // namespace heddle::lower
