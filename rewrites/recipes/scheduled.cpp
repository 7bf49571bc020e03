#include "rewrites/recipes/scheduled.h"

#include "rewrites/recipes/group.h"
#include "rewrites/recipes/hybrid.h"
#include "rewrites/recipes/stream.h"
#include "rewrites/recipes/walk.h"

namespace heddle::lower {

Launch scheduled_kernel(const std::string& name, const std::vector<const StageCode*>& stages,
                        const std::vector<bool>& is_stored, const stencil::FittedTile& schedule, NameSource& names,
                        const std::function<Launch(Launch)>& finish) {
  if (schedule.walk) return walk_kernel(name, stages, is_stored, *schedule.walk, names);
  if (schedule.stream) return stream_kernel(name, stages, is_stored, schedule.halos, *schedule.stream, names);
  if (schedule.hybrid) return hybrid_kernel(name, stages, is_stored, schedule, names);
  return group_kernel(name, stages, is_stored, schedule, names, finish);
}

}  // namespace heddle::lower
