#include "rewrites/nest/fix.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::nest {

Result<Rewritten> fix(const Kernel& kernel, const Name& scalar) {
  return rewrite([&]() -> Rewritten {
    Kernel result = kernel;
    auto at = std::ranges::find_if(result.scalars, [&](const ScalarParam& p) { return p.name == scalar; });
    if (at == result.scalars.end()) refuse(fmt::format("{} is no scalar parameter", scalar.text()));
    if (at->type != prim::Type::I64) refuse(fmt::format("{} is no i64", scalar.text()));
    result.scalars.erase(at);
    result.constants.push_back(scalar);
    return {result, fmt::format("the kernel is compiled for each positive {} by itself", scalar.text()), {}};
  });
}

}  // namespace heddle::nest
