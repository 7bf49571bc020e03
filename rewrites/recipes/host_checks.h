// Checks of points that the host does instead, before the kernel runs: those that hold at all points if they hold at the first and
// at the last. Who computes some of the points only, or some of them twice, has to do with no check then.
//
//   indices y < h + 2;  let at = max(0, min(h - 1, y - 1)); if !(at < h) { fail 3(at, h) } v := img[at]
// gives
//   v := img[max(0, min(h - 1, y - 1))], after the host has seen to
//   h + 2 < 1 || max(0, min(h - 1, 0 - 1)) < h, else failure 3
//   h + 2 < 1 || max(0, min(h - 1, h)) < h, else failure 3
//
// Where one of them does not hold the program fails in any case, at that point.
#pragma once

#include "rewrites/recipes/find_contraction.h"

namespace heddle::lower {

struct CheckedByHost {
  nest::Block work;
  std::vector<HostCheck> checks;
};

// Of the work of a point at the indices, as the launch's kernel does it. `facts` hold where the work begins, those about the
// indices included. Nothing where some check must stay.
std::optional<CheckedByHost> checks_by_host(const nest::Block& work, const std::vector<recognize::Index>& indices,
                                            const Launch& launch, nest::Facts& facts);

}  // namespace heddle::lower
