#include "rewrites/nest/parallelize.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "rewrites/nest/dependence.h"

namespace heddle::nest {

namespace {

// Throws Refused unless each thread gets to the loop through parallel loops, Lets and tests only.
void check_way_to(const Name& loop, const Block& block) {
  Shell shell = shell_of(block);
  const auto* f = shell.core.size() == 1 ? std::get_if<For>(&shell.core[0]->node) : nullptr;
  if (!f) refuse(fmt::format("other statements stand beside {} or a loop around it", loop.text()));
  if (f->index == loop) return;
  if (!parallel(f->role)) refuse(fmt::format("{}, which is around it, is {}", f->index.text(), to_text(f->role)));
  check_way_to(loop, f->body);
}

}  // namespace

Result<Rewritten> parallelize(const Kernel& kernel, const Name& loop, Role role, NameSource& names) {
  return rewrite([&]() -> Rewritten {
    const For& f = *find_loop(kernel, loop).loop;
    if (!parallel(role)) refuse(fmt::format("a {} loop is not parallel", to_text(role)));
    if (f.role != Role::Serial) refuse(fmt::format("{} is {} already", loop.text(), to_text(f.role)));
    check_way_to(loop, kernel.body);
    std::vector<Dependence> all = dependences(kernel, {&f}, f.body, names);
    for (const Dependence& d : all) {
      if (d.loops[0] != kSame)
        refuse(fmt::format("iterations of {} may depend on each other through {}", loop.text(), d.buffer.text()));
    }
    Expr extent = extent_without(f.extent, index_lets(kernel), {});
    if (!extent) refuse(fmt::format("the extent of {} is read from memory", loop.text()));
    Kernel result = with_loop_replaced(kernel, loop, [&](const For&) -> Block {
      return {stmt(For{f.index, extent, role, f.body})};
    });
    return {result, fmt::format("no iteration of {} depends on another: {}", loop.text(), to_text(all)), {}};
  });
}

}  // namespace heddle::nest
