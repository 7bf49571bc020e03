#include "rewrites/contraction/schedule.h"

#include <algorithm>
#include <numeric>

#include "rewrites/contraction/reuse.h"
#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

namespace {

// The parallel indices that the first operand does not depend on count fastest.
std::vector<size_t> grid_order(const Structure& s, size_t num_parallel) {
  std::vector<size_t> order;
  for (bool invariant : {false, true}) {
    for (size_t p = 0; p < num_parallel; ++p) {
      bool used = std::ranges::any_of(s.maps[0], [&](const DimMap& m) { return depends(m, p); });
      if (used != invariant) order.push_back(p);
    }
  }
  return order;
}

// Slices share groups of an index that has many.
size_t sliced_index(const Structure& s) {
  auto plain = std::ranges::find(s.window, false);
  return plain == s.window.end() ? 0 : static_cast<size_t>(plain - s.window.begin());
}

}  // namespace

// Where only the reduction runs along the last dimension, a thread's points would lie rows apart: then the next one
// along which there are points comes last. But where each element is used once, copying it in wide pieces matters more
// than loading it so from shared memory.
std::vector<size_t> staged_order(const recognize::Contraction& c, const Structure& structure, size_t operand) {
  const std::vector<DimMap>& maps = structure.maps[operand];
  std::vector<size_t> order(maps.size());
  std::iota(order.begin(), order.end(), 0);
  auto of_points = [&](const DimMap& m) {
    for (size_t p = 0; p < c.parallel.size(); ++p) {
      if (depends(m, p)) return true;
    }
    return false;
  };
  if (maps.empty() || reuse_of(c, c.operands[operand]) <= 1 || of_points(maps.back())) return order;
  for (size_t d = maps.size() - 1; d-- > 0;) {
    if (!of_points(maps[d])) continue;
    std::rotate(order.begin() + static_cast<long>(d), order.begin() + static_cast<long>(d) + 1, order.end());
    return order;
  }
  return order;
}

// Where neighbouring members of a group share elements or read neighbours.
bool loads_by_group(const Structure& structure, size_t operand, const std::vector<size_t>& order, size_t num_parallel) {
  const std::vector<DimMap>& maps = structure.maps[operand];
  return std::ranges::any_of(order, [&](size_t d) {
    bool parallel = false, reduction = false;
    for (size_t i = 0; i < maps[d].coefficients.size(); ++i)
      (i < num_parallel ? parallel : reduction) |= depends(maps[d], i);
    return reduction && (parallel || d == order.back());
  });
}

Schedule full_schedule(const recognize::Contraction& c, const Structure& structure, const Tiling& t) {
  Schedule s{grid_order(structure, c.parallel.size()),
             {},
             {},
             sliced_index(structure),
             {},
             true,
             true,
             Reads::Registers,
             true,
             true,
             index_of(t.slices),
             index_of(t.store_width),
             index_of(t.result_shared),
             index_of(t.stages),
             index_of(t.ahead),
             index_of(t.registers)};
  for (const ParallelTile& p : t.parallel)
    s.parallel.push_back({index_of(p.warps), index_of(p.lanes), index_of(p.points), index_of(p.run)});
  for (const ReductionTile& r : t.reduction) s.reduction.push_back({index_of(r.chunk), index_of(r.unroll)});
  for (size_t o = 0; o < t.operands.size(); ++o) {
    std::vector<size_t> order = staged_order(c, structure, o);
    bool group = loads_by_group(structure, o, order, c.parallel.size());
    const OperandTile& tile = t.operands[o];
    s.operands.push_back(
        {std::move(order), group, index_of(tile.copy_width), index_of(tile.load_width), index_of(tile.padding)});
  }
  return s;
}

bool is_transposed(const std::vector<size_t>& order) { return !std::ranges::is_sorted(order); }

}  // namespace heddle::contraction
