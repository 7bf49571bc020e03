#include "frontend_bridge/tile_functions.h"

#include <algorithm>

#include "rewrites/plan/planner.h"
#include "rewrites/seg/host_soacs.h"
#include "rewrites/seg/inline_functions.h"
#include "rewrites/seg/plain_names.h"

namespace heddle {

Result<seg::Program> tile_functions(const seg::Program& program, const TileBody& tile) {
  Result<seg::Program> inlined = seg::inline_functions(program);
  if (inlined) inlined = seg::host_soacs(*inlined);
  if (!inlined) return inlined;
  lower::PlanOptions options;
  options.device = lower::Device::Blocks;
  // What is written back has tiles, and a stage's statement only where it is a stage.
  options.models.dissolve_in_groups = false;

  seg::Program result = program, alone = *inlined;
  int next_tag =
      inlined->next_tag();  // goes on from function to function, since thresholds have names that are the program's
  for (seg::FunDef& f : result.functions) {
    auto one = std::ranges::find(inlined->functions, f.name, &seg::FunDef::name);
    if (one == inlined->functions.end()) continue;
    alone.functions = {*one};
    Result<lower::PlannedProgram> planned = lower::plan_program(alone, options);
    if (!planned) return planned.error();
    NameSource names(std::max(next_tag, planned->program.next_tag()));
    seg::BodyPtr body = tile(*planned, alone, names);
    next_tag = names.next_tag();
    if (!body) continue;
    seg::FunDef tiled = *one;
    tiled.body = std::move(body);
    f = seg::plain_names(std::move(tiled));
  }
  return result;
}

}  // namespace heddle
