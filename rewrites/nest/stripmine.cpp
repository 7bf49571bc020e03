#include "rewrites/nest/stripmine.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"

namespace heddle::nest {

using prim::Type;

Result<Rewritten> stripmine(const Kernel& kernel, const Name& loop, const Expr& tile, const std::string& outer,
                            const std::string& inner, NameSource& names) {
  return rewrite([&]() -> Rewritten {
    LoopSite place = find_loop(kernel, loop);
    if (place.loop->role != Role::Serial)
      refuse(fmt::format("{} is {}; only a serial loop can be cut into tiles", loop.text(), to_text(place.loop->role)));
    if (!is_positive(kernel, tile, names)) refuse(fmt::format("a tile of {} may be empty", to_text(tile)));
    Name o = names.fresh(outer), i = names.fresh(inner);
    Expr outer_var = var(o, Type::I64), inner_var = var(i, Type::I64);
    Expr extent = place.loop->extent, first = mul(outer_var, tile);
    std::optional<Expr> exact = exact_quotient(extent, tile, names);
    Expr tiles = exact ? *exact : ceil_div(extent, tile);
    Expr in_tile = exact ? tile : min(tile, sub(extent, first));
    Kernel result = with_loop_replaced(kernel, loop, [&](const For& f) -> Block {
      Block body = f.body;
      body.insert(body.begin(), stmt(Let{f.index, add(first, inner_var)}));
      return {stmt(For{o, tiles, Role::Serial, {stmt(For{i, in_tile, Role::Serial, body})}})};
    });
    std::string why = fmt::format(
        "the iterations of {} keep their order, and {}", loop.text(),
        exact ? fmt::format("{} divides {}", to_text(tile), to_text(extent)) : "the last tile ends where they do");
    return {result, why, {o, i}};
  });
}

}  // namespace heddle::nest
