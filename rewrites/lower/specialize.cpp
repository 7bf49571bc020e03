#include "rewrites/lower/specialize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "ir/nest/threads.h"
#include "ir/support/error.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/contraction/tiled.h"
#include "rewrites/lower/kernel_constants.h"
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
  return {way.name,  way.match,         std::move(tiling), std::move(geometry), way.temporaries, way.before,
          way.after, std::move(launch), std::move(fixed),  guarded.guard,       way.parts,       way.packing};
}

nest::Kernel unfixed_kernel(const Specialized& way) {
  nest::Kernel kernel = way.launch.kernel;
  for (const auto& [name, value] : way.fixed) kernel.scalars.push_back({name, prim::Type::I64});
  kernel.constants.clear();
  return kernel;
}

std::optional<Error> stop_derivations(PlannedProgram& program, std::string_view step) {
  const auto& steps = contraction::schedule_rewrites();
  if (std::ranges::find(steps, step, &contraction::ScheduleRewrite::name) == steps.end()) {
    std::vector<std::string_view> known;
    for (const contraction::ScheduleRewrite& s : steps) known.push_back(s.name);
    return input_error(
        fmt::format("there is no step '{}' of a tiled kernel; the steps are {}", step, fmt::join(known, ", ")));
  }
  for (auto& [stm, lowered] : program.plans) {
    for (Specialized& way : lowered.specialized) {
      nest::Kernel& kernel = way.launch.kernel;
      nest::Kernel direct = unfixed_kernel(way);
      contraction::Structure structure = contraction::structure_of(way.match, direct.buffers);
      contraction::Schedule full = contraction::full_schedule(way.match, structure, way.tiling);
      // No names of the kernel are as new as those that its text can have.
      NameSource names(std::numeric_limits<int>::max() / 2);
      nest::Kernel stopped =
          contraction::tiled(way.match, *contraction::schedule_until(step, full), kernel.constants, direct, names);
      kernel.body = std::move(stopped.body);
      kernel.bounds = std::move(stopped.bounds);
      kernel.address_scalars = std::move(stopped.address_scalars);
      way.launch.num_blocks = nest::num_blocks(kernel);
      way.launch.block_size = nest::block_size(kernel);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::lower
