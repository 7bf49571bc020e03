// What the parts of a tiled kernel are made from.
#pragma once

#include <vector>

#include "ir/nest/buffers.h"
#include "rewrites/contraction/thread_map.h"

namespace heddle::contraction {

struct TileContext {
  StatementWriter& w;
  const recognize::Contraction& c;
  const Structure& structure;
  const Schedule& schedule;
  const Geometry& geometry;
  const ThreadMap& threads;
  const std::vector<nest::Buffer>& buffers;  // of the kernel

  // Whether sums that are no numbers are computed again.
  bool is_unguarded() const { return schedule.unguarded && c.unguarded; }
  const nest::Expr& term() const { return is_unguarded() ? *c.unguarded : c.term; }
  size_t num_parallel() const { return c.parallel.size(); }
  size_t num_reduction() const { return c.reduction.size(); }
  const nest::Buffer& buffer(const Name& name) const { return nest::buffer_named(buffers, name); }
};

}  // namespace heddle::contraction
