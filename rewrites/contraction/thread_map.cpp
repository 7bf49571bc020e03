#include "rewrites/contraction/thread_map.h"

namespace heddle::contraction {

using nest::add;
using nest::Expr;
using nest::mul;
using nest::Role;

void ThreadMap::write_blocks(StatementWriter& w, const std::function<void(const std::vector<Expr>&)>& body) const {
  const std::vector<size_t>& order = schedule_.grid_order;
  std::vector<Expr> extents;
  for (size_t p : order) extents.push_back(geometry_.blocks_along[p]);
  w.loops("block", extents, Role::Grid, [&](const std::vector<Expr>& block) {
    std::vector<Expr> at(order.size()), origin;
    for (size_t k = 0; k < order.size(); ++k) at[order[k]] = block[k];
    for (size_t p = 0; p < order.size(); ++p) origin.push_back(w.let("origin", mul(at[p], geometry_.block_tile[p])));
    body(origin);
  });
}

void ThreadMap::write_threads(StatementWriter& w, const std::vector<Expr>& origin,
                              const std::function<void(const ThreadPlace&)>& body) const {
  size_t num_parallel = schedule_.parallel.size();
  w.loop("thread", geometry_.threads, Role::Block, [&](const Expr& number) {
    std::vector<Expr> parts = {schedule_.slices};
    for (const Schedule::Parallel& p : schedule_.parallel) parts.push_back(p.warps);
    for (const Schedule::Parallel& p : schedule_.parallel) parts.push_back(p.lanes);
    std::vector<Expr> digit = digits(number, parts);
    bool sliced = nest::int_constant(schedule_.slices) != 1;
    ThreadPlace place{number, sliced ? w.let("slice", digit[0]) : zero(), origin, {}};
    for (size_t p = 0; p < num_parallel; ++p) {
      Expr warp = digit[1 + p], lane = digit[1 + num_parallel + p];
      place.at.push_back(w.let("at", add(mul(warp, schedule_.parallel[p].lanes), lane)));
    }
    body(place);
  });
}

Expr ThreadMap::place(size_t p, const Expr& thread, const Expr& point) const {
  return add(mul(thread, schedule_.parallel[p].run), from_first_point(p, point));
}

Expr ThreadMap::from_first_point(size_t p, const Expr& point) const {
  if (!structure_.separable[p]) return point;
  const Expr& run = schedule_.parallel[p].run;
  return add(mul(nest::div(point, run), mul(geometry_.threads_along[p], run)), nest::mod(point, run));
}

}  // namespace heddle::contraction
