#include "rewrites/recipes/launched_where.h"

#include "rewrites/points/index_code.h"

namespace heddle::lower {

Launch launched_where(const nest::Expr& holds, Launch launch) {
  auto only = [&](const nest::Expr& count) { return nest::select(holds, count, i64(0)); };
  nest::Block body = launch.kernel.body;
  for (nest::Stmt& s : body) {
    const auto* grid = std::get_if<nest::For>(&s->node);
    if (grid && grid->role == nest::Role::Grid)
      s = nest::stmt(nest::For{grid->index, only(grid->extent), grid->role, grid->body});
  }
  launch.kernel.body = std::move(body);
  launch.num_blocks = only(launch.num_blocks);
  return launch;
}

}  // namespace heddle::lower
