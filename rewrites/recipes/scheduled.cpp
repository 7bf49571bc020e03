#include "rewrites/recipes/scheduled.h"

#include "rewrites/points/index_code.h"
#include "rewrites/recipes/group.h"
#include "rewrites/recipes/hybrid.h"
#include "rewrites/recipes/launched_where.h"
#include "rewrites/recipes/stream.h"
#include "rewrites/recipes/walk.h"

namespace heddle::lower {

std::vector<Launch> scheduled_kernels(const std::string& name, const std::vector<const StageCode*>& stages,
                                      const std::vector<bool>& is_stored, const stencil::FittedTile& schedule,
                                      NameSource& names, const std::function<Launch(Launch)>& finish) {
  const nest::Expr always = nest::constant(prim::Value::of_bool(true));
  if (schedule.walk) return {walk_kernel(name, stages, is_stored, *schedule.walk, names, always)};
  if (schedule.stream) return {stream_kernel(name, stages, is_stored, schedule.halos, *schedule.stream, names)};
  if (schedule.hybrid) return {hybrid_kernel(name, stages, is_stored, schedule, names)};
  if (!schedule.where_large) return {group_kernel(name, stages, is_stored, schedule, names, finish)};
  nest::Expr points = i64(1);
  for (const recognize::Index& i : stages.back()->indices) points = nest::mul(points, i.extent);
  const nest::Expr is_small = nest::less(points, i64(schedule.where_large->least_points));
  auto small = [&](Launch l) { return launched_where(is_small, finish(std::move(l))); };
  return {walk_kernel(name + "_walk", stages, is_stored, *schedule.where_large, names, nest::negate(is_small)),
          group_kernel(name, stages, is_stored, schedule, names, small)};
}

}  // namespace heddle::lower
