#include "rewrites/host/wait_less.h"

#include "rewrites/host/each_block.h"
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

}  // namespace

Program wait_less(Program program) {
  NameSource names(largest_tag(program) + 1);
  for (nest::Kernel& k : program.kernels) {
    if (threads_work_alone(k)) k = nest::read_ahead(nest::keep_last_steps(std::move(k), names), names);
  }
  return program;
}

}  // namespace heddle::host
