// The ways to compute a contraction by tiled kernels, of which the host chooses at each launch.
#pragma once

#include "ir/support/error.h"
#include "rewrites/recipes/way.h"

namespace heddle::lower {

// Whether terms may be computed together by fewer products, which rounds otherwise (contraction/winograd.h), where a check at run time
// says that it may.
enum class Products { AsWritten, Fewer };

// In order of preference:
//   indices merged (contraction/merge.h), where that takes sizes that only the host knows;
//   for each of that and the match as it is
//     fewer products, where windows have three steps, the runtime says that it pays and the check holds,
//     the reduction split over blocks (contraction/split.h), where the runtime says so,
//     operands as they lie, where others would be packed (pack_operands.h) and the runtime says that it does not pay,
//     all else.
// The last one has no name, and no guard but for what the match needs. `direct` computes the contraction point by
// point. Refuses what no tiling suits, with the reason.
Result<std::vector<Specialized>> alternatives(const recognize::Contraction& match, const Launch& direct,
                                              Products products, NameSource& names);

// How many points they have together.
nest::Expr product_of_extents(const std::vector<recognize::Index>& indices);
// The host's scalars from which the sizes of a contraction follow; `launch` computes it.
nest::NameSet host_sizes(const recognize::Contraction& match, const Launch& launch);

}  // namespace heddle::lower
