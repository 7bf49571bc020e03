#include "rewrites/nest/interchange.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "rewrites/nest/dependence.h"

namespace heddle::nest {

namespace {

bool turns_around(const Dependence& d) {
  auto possible = [&](unsigned of_outer, unsigned of_inner) {
    return (d.loops[0] & of_outer) != 0 && (d.loops[1] & of_inner) != 0;
  };
  return possible(kLater, kEarlier) || possible(kEarlier, kLater);
}

bool is_serial(Role role) { return role == Role::Serial || role == Role::Unrolled; }

}  // namespace

Result<Rewritten> interchange(const Kernel& kernel, const Name& outer, NameSource& names) {
  return rewrite([&]() -> Rewritten {
    const For& o = *find_loop(kernel, outer).loop;
    Shell shell = shell_of(o.body);
    const auto* i = shell.core.size() == 1 ? std::get_if<For>(&shell.core[0]->node) : nullptr;
    if (!i) refuse(fmt::format("{} has no loop directly inside, or more than that", outer.text()));
    for (const For* l : {&o, i}) {
      if (!is_serial(l->role)) refuse(fmt::format("{} is {}", l->index.text(), to_text(l->role)));
    }
    Substitution lets = index_lets(kernel);
    Expr extent = substitute(lets, i->extent);
    NameSet moved = {outer};
    bool is_guarded = false;
    for (const Stmt& layer : shell.layers) {
      if (const auto* let = std::get_if<Let>(&layer->node)) moved.insert(let->name);
      is_guarded |= std::holds_alternative<If>(layer->node);
    }
    // An extent that mentions none of the Lets in between stays as it was written.
    if (std::ranges::none_of(free_names(i->extent), [&](const Name& n) { return moved.contains(n); }))
      extent = i->extent;
    if (free_names(extent).contains(outer))
      refuse(fmt::format("the extent of {} depends on {}", i->index.text(), outer.text()));
    if (is_guarded && !is_movable(extent))
      refuse(fmt::format("the extent of {} is defined only under the conditions around it", i->index.text()));
    for_each_expr(i->extent, [&](const Expr& e) {
      if (std::holds_alternative<Load>(e->node))
        refuse(fmt::format("the extent of {} is read from memory", i->index.text()));
    });
    std::vector<Dependence> all = dependences(kernel, {&o, i}, i->body, names);
    bool reorders = false;
    for (const Dependence& d : all) {
      reorders |= turns_around(d);
      if (turns_around(d) && !d.is_reduction)
        refuse(fmt::format("iterations of {} and {} may depend on each other in the direction (<, >) through {}",
                           outer.text(), i->index.text(), d.buffer.text()));
    }
    Kernel result = with_loop_replaced(kernel, outer, [&](const For&) -> Block {
      Block inner = {stmt(For{o.index, o.extent, o.role, in_layers(shell.layers, i->body)})};
      return {stmt(For{i->index, extent, i->role, std::move(inner)})};
    });
    return {result,
            fmt::format("no dependence over ({}, {}) has the direction (<, >): {}", outer.text(), i->index.text(),
                        to_text(all)),
            {},
            reorders};
  });
}

}  // namespace heddle::nest
