// What the models of pipelines take for a size that only the run will tell.
//
//   let {half_3 : i64} = sdiv64(h_2, 2)      h_2 is not known: 2048; half_3 follows: 1024
//   let {level_4 : i64} = loop {n_5} = {h_2} for i_6 < 3 do { sdiv64(n_5, 2) }                          256
#pragma once

#include "rewrites/points/host_facts.h"

namespace heddle::lower {

// What stands for a scalar of which nothing is known, and for sizes that would be none.
constexpr int64_t kEstimatedExtent = 2048;

int64_t estimate(const nest::Expr& size, const HostFacts& host);

// The number of an extent among those seen, of which it becomes one: the same for equal ones.
size_t number_of(const nest::Expr& extent, std::vector<nest::Expr>& seen);

}  // namespace heddle::lower
