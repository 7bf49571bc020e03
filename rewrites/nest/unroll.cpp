#include "rewrites/nest/unroll.h"

#include <fmt/format.h>

#include "ir/nest/printer.h"

namespace heddle::nest {

Result<Rewritten> unroll(const Kernel& kernel, const Name& loop) {
  return rewrite([&]() -> Rewritten {
    const For& f = *find_loop(kernel, loop).loop;
    if (f.role != Role::Serial) refuse(fmt::format("{} is {} already", loop.text(), to_text(f.role)));
    if (!is_fixed(kernel, f.extent))
      refuse(fmt::format("the extent of {}, {}, is not constant", loop.text(), to_text(f.extent)));
    Kernel result = with_loop_replaced(kernel, loop, [&](const For&) -> Block {
      return {stmt(For{f.index, f.extent, Role::Unrolled, f.body})};
    });
    return {result, fmt::format("{} is constant when the kernel is compiled", to_text(f.extent)), {}};
  });
}

}  // namespace heddle::nest
