#include "rewrites/recipes/group_parts.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/parameters.h"

namespace heddle::lower {

using nest::Expr;

bool is_read_in_group(const Stages& stages, size_t s, size_t k) {
  return std::ranges::any_of(stages, [&](const StageCode* r) {
    return std::ranges::find(r->reads, stages[s]->arrays[k], &recognize::WindowedRead::buffer) != r->reads.end();
  });
}

nest::Block work_of_point(const nest::Block& work, const Places& places, NameSource& names) {
  return redirected(nest::renamed(work, nest::bound_in(work), names), places);
}

std::vector<Expr> away_from_borders(const StageCode& stage, const std::vector<Expr>& first,
                                    const std::vector<int64_t>& extents, const std::vector<bool>& may_be_negative) {
  std::vector<Expr> all, last;
  for (size_t d = 0; d < extents.size(); ++d) {
    const int64_t margin = stage.inside.margin[d];
    if (may_be_negative[d] || margin > 0) all.push_back(nest::less(i64(margin - 1), first[d]));
    Expr beyond = nest::add(first[d], i64(extents[d] + margin - 1));
    all.push_back(nest::less(beyond, stage.indices[d].extent));
    last.push_back(nest::add(first[d], i64(extents[d] - 1)));
  }
  all.push_back(within_limits(stage.inside, stage.indices, first, last));
  return all;
}

Launch launch_of_group(const std::string& name, nest::Block body, const Expr& num_blocks, int64_t threads,
                       const Stages& stages) {
  Launch result;
  std::vector<const Launch*> launches;
  for (const StageCode* s : stages) launches.push_back(&s->launch);
  take_parameters(result, nest::free_names(body), launches);
  result.kernel.name = name;
  result.kernel.body = std::move(body);
  result.num_blocks = num_blocks;
  result.block_size = i64(threads);
  return result;
}

}  // namespace heddle::lower
