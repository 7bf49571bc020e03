#include "rewrites/recipes/specialize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "ir/nest/threads.h"
#include "ir/support/error.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/contraction/tiled.h"
#include "rewrites/recipes/kernel_constants.h"
#include "runtime/device/limits.h"

namespace heddle::lower {

namespace {

// Whether some element is used for several points, so that keeping it near them pays.
bool reuses(const recognize::Contraction& c) {
  return std::any_of(c.operands.begin(), c.operands.end(),
                     [&](const recognize::Operand& o) { return contraction::reuse_of(c, o) > 1; });
}

void refuse_beyond(size_t limit, size_t count, const std::string& what) {
  if (count > limit) refuse(fmt::format("there are {} {}, and tilings have room for {}", count, what, limit));
}

// For the runtime no tiling would fit, and it may be that something else does better than the generic kernel.
void refuse_without_room(const recognize::Contraction& match) {
  refuse_beyond(HD_MAX_TILED_INDICES, match.parallel.size(), "parallel indices");
  refuse_beyond(HD_MAX_TILED_INDICES, match.reduction.size(), "reduction indices");
  refuse_beyond(HD_MAX_TILED_OPERANDS, match.operands.size(), "operands");
}

}  // namespace

Specialized specialize(const Way& way, NameSource& names) {
  refuse_without_room(way.match);
  if (!reuses(way.match)) refuse("every element is used for one point only");
  std::vector<Name> constants = kernel_constants(way);
  refuse_beyond(HD_MAX_FIXED_SIZES, constants.size(), "sizes that a kernel is compiled for");
  contraction::Tiling tiling = contraction::name_tiling(way.match, names);
  const Launch& direct = way.direct;
  Launch launch = direct;
  launch.kernel = contraction::tiled(way.match, tiling, constants, direct.kernel, names);
  if (!way.name.empty()) launch.kernel.name += "_" + way.name;
  launch.num_blocks = nest::num_blocks(launch.kernel);
  launch.block_size = nest::block_size(launch.kernel);
  launch.failures.clear();
  launch.scalar_args.clear();
  for (size_t i = 0; i < direct.scalar_args.size(); ++i) {
    if (std::ranges::find(constants, direct.kernel.scalars[i].name) == constants.end())
      launch.scalar_args.push_back(direct.scalar_args[i]);
  }
  keep_used(launch);
  nest::Substitution values = host_values(direct);
  std::vector<std::pair<Name, nest::Expr>> fixed;
  for (const Name& n : constants) fixed.emplace_back(n, values.at(n));
  Way guarded = way;
  if (nest::Expr forwards = steps_forwards(way)) demand(guarded, forwards);
  contraction::Structure structure = contraction::structure_of(way.match, direct.kernel.buffers);
  contraction::Geometry geometry =
      contraction::geometry_of(way.match, structure, contraction::full_schedule(way.match, structure, tiling));
  return {way.name,  way.match,         std::move(tiling), std::move(geometry), way.temporaries, way.before, way.first,
          way.after, std::move(launch), std::move(fixed),  guarded.guard,       way.parts,       way.detour, way.doubt};
}

nest::Kernel unfixed_kernel(const Specialized& way) {
  nest::Kernel kernel = way.launch.kernel;
  for (const auto& [name, value] : way.fixed) kernel.scalars.push_back({name, prim::Type::I64});
  kernel.constants.clear();
  return kernel;
}

}  // namespace heddle::lower
