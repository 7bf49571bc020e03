// The planner's record of arrays whose elements readers compute themselves (HostScope::computed), as it goes over host code in order.
#pragma once

#include "rewrites/graph/graph.h"
#include "rewrites/points/host_scope.h"

namespace heddle::lower {

// Elements cannot be computed any more where they are read once something has changed that they are computed from.
void forget_overwritten(ComputedArrays& computed, const seg::Exp& by, const graph::Graph& graph);

// Of them, those that an operation computes where it reads them.
ComputedArrays computed_by(const seg::Stm& operation, const ComputedArrays& computed);

// Adds the results of a map that cannot fail, as far as readers may compute them (graph/computed_where_read.h). Yields those that all do.
std::vector<Name> remember_map(const seg::StmPtr& map, ComputedArrays& computed);

// Adds what the points of a scan that cannot fail return besides (seg/mapped_again.h), which finish_scans then does not store.
void remember_mapped(const seg::Stm& scan, ComputedArrays& computed);

}  // namespace heddle::lower
