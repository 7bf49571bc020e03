#include "rewrites/host/wait_less.h"

#include <algorithm>
#include <unordered_set>

#include "ir/host/changing.h"
#include "rewrites/host/each_block.h"
#include "rewrites/nest/drop_fills.h"
#include "rewrites/nest/keep_last_steps.h"
#include "rewrites/nest/read_ahead.h"

namespace heddle::host {

namespace {

bool threads_work_alone(const nest::Kernel& kernel) {
  bool alone = kernel.constants.empty() && !kernel.bounds;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* alloc = std::get_if<nest::Alloc>(&s->node);
    alone = alone && !(alloc && alloc->buffer.space == nest::Space::Shared) &&
            !std::holds_alternative<nest::Barrier>(s->node) && !std::holds_alternative<nest::Shuffle>(s->node);
  });
  return alone;
}

// The kernels that only run until there is one for the sizes at hand.
std::unordered_set<int> kernels_of_ways(Program& program) {
  std::unordered_set<int> found;
  auto launched = [&](const Block& block) {
    for_each_stmt(block, [&](const Stmt& s) {
      if (const auto* launch = std::get_if<Launch>(&s->node)) found.insert(launch->kernel);
    });
  };
  each_body(program, [&](const Block& body) {
    const nest::NameSet changing = changing_names(body);
    for_each_stmt(body, [&](const Stmt& s) {
      const auto* choose = std::get_if<Choose>(&s->node);
      if (!choose) return;
      auto changes = [&](const Way& way) { return sizes_change(way, changing); };
      if (std::ranges::none_of(choose->ways, changes)) launched(choose->otherwise);
      for (const Way& way : choose->ways) launched(way.body);
    });
  });
  return found;
}

}  // namespace

Program wait_less(Program program) {
  NameSource names(largest_tag(program) + 1);
  const std::unordered_set<int> of_ways = kernels_of_ways(program);
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    nest::Kernel& kernel = program.kernels[k];
    if (of_ways.contains(static_cast<int>(k)) || !threads_work_alone(kernel)) continue;
    kernel = nest::read_ahead(nest::drop_fills(nest::keep_last_steps(std::move(kernel), names)), names);
  }
  return program;
}

}  // namespace heddle::host
