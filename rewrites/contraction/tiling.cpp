#include "rewrites/contraction/tiling.h"

namespace heddle::contraction {

Tiling name_tiling(const recognize::Contraction& c, NameSource& names) {
  Tiling t;
  for (const recognize::Index& i : c.parallel) {
    const std::string& base = i.name.base;
    t.parallel.push_back({names.fresh("WARPS_" + base), names.fresh("LANES_" + base), names.fresh("POINTS_" + base),
                          names.fresh("RUN_" + base)});
  }
  for (const recognize::Index& i : c.reduction) {
    t.reduction.push_back({names.fresh("CHUNK_" + i.name.base), names.fresh("UNROLL_" + i.name.base)});
  }
  for (const recognize::Operand& o : c.operands) {
    const std::string& base = o.buffer.base;
    t.operands.push_back(
        {names.fresh("COPY_WIDTH_" + base), names.fresh("LOAD_WIDTH_" + base), names.fresh("PADDING_" + base)});
  }
  t.slices = names.fresh("SLICES");
  t.store_width = names.fresh("STORE_WIDTH");
  t.result_shared = names.fresh("RESULT_SHARED");
  t.stages = names.fresh("STAGES");
  t.ahead = names.fresh("AHEAD");
  t.registers = names.fresh("REGISTERS");
  return t;
}

std::vector<Name> constants_of(const Tiling& t) {
  std::vector<Name> all;
  for (const ParallelTile& p : t.parallel) all.insert(all.end(), {p.warps, p.lanes, p.points, p.run});
  for (const ReductionTile& r : t.reduction) all.insert(all.end(), {r.chunk, r.unroll});
  for (const OperandTile& o : t.operands) all.insert(all.end(), {o.copy_width, o.load_width, o.padding});
  all.insert(all.end(), {t.slices, t.store_width, t.result_shared, t.stages, t.ahead, t.registers});
  return all;
}

}  // namespace heddle::contraction
