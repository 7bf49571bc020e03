#include "rewrites/plan/stop_derivations.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/nest/threads.h"
#include "rewrites/contraction/schedule_steps.h"
#include "rewrites/contraction/tiled.h"
#include "rewrites/recipes/specialize.h"

namespace heddle::lower {

std::optional<Error> stop_derivations(PlannedProgram& program, std::string_view step) {
  const auto& steps = contraction::schedule_rewrites();
  if (std::ranges::find(steps, step, &contraction::ScheduleRewrite::name) == steps.end()) {
    std::vector<std::string_view> known;
    for (const contraction::ScheduleRewrite& s : steps) known.push_back(s.name);
    return input_error(
        fmt::format("there is no step '{}' of a tiled kernel; the steps are {}", step, fmt::join(known, ", ")));
  }
  for (auto& [stm, plan] : program.plans) {
    for (Specialized& way : plan.specialized) {
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
