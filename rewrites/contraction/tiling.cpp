#include "rewrites/contraction/tiling.h"

#include <algorithm>

namespace heddle::contraction {

namespace {

// The constant for the value `name` of what is called `base`, as it stands in the kernel's text.
Name constant_for(const char* name, const std::string& base, NameSource& names) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return names.fresh(base.empty() ? upper : upper + "_" + base);
}

}  // namespace

// In the order of the list.
#define HD_FRESH_NAME(name, settled) tile.name = constant_for(#name, base, names);
#define HD_ADD_NAME(name, settled) all.push_back(tile.name);

Tiling name_tiling(const recognize::Contraction& c, NameSource& names) {
  Tiling tiling;
  for (const recognize::Index& i : c.parallel) {
    ParallelTile& tile = tiling.parallel.emplace_back();
    const std::string& base = i.name.base;
    HD_PARALLEL_VALUES(HD_FRESH_NAME)
  }
  for (const recognize::Index& i : c.reduction) {
    ReductionTile& tile = tiling.reduction.emplace_back();
    const std::string& base = i.name.base;
    HD_REDUCTION_VALUES(HD_FRESH_NAME)
  }
  for (const recognize::Operand& o : c.operands) {
    OperandTile& tile = tiling.operands.emplace_back();
    const std::string& base = o.buffer.base;
    HD_OPERAND_VALUES(HD_FRESH_NAME)
  }
  Tiling& tile = tiling;
  const std::string base;
  HD_KERNEL_VALUES(HD_FRESH_NAME)
  return tiling;
}

std::vector<Name> constants_of(const Tiling& tiling) {
  std::vector<Name> all;
  for (const ParallelTile& tile : tiling.parallel) {
    HD_PARALLEL_VALUES(HD_ADD_NAME)
  }
  for (const ReductionTile& tile : tiling.reduction) {
    HD_REDUCTION_VALUES(HD_ADD_NAME)
  }
  for (const OperandTile& tile : tiling.operands) {
    HD_OPERAND_VALUES(HD_ADD_NAME)
  }
  const Tiling& tile = tiling;
  HD_KERNEL_VALUES(HD_ADD_NAME)
  return all;
}

#undef HD_FRESH_NAME
#undef HD_ADD_NAME

}  // namespace heddle::contraction
