// Whether it pays to compute a stage again where it is read, instead of storing it.
#pragma once

#include "rewrites/recipes/stage.h"
#include "rewrites/stencil/group.h"

namespace heddle::lower {

// In a group's last stage, of a thread that goes down a column and computes so many rows of the others beside its own: whether these rows cost less
// than a tile's way through shared memory.
bool columns_pay(const std::vector<const StageCode*>& group, int64_t around);

// In all that read it: whether the bytes that need not be stored and read outweigh the operations that are done more than once, by estimates of sizes.
// `codes`: of all stages.
bool recomputation_pays(const stencil::Pipeline& p, size_t s, const std::vector<const StageCode*>& codes);

// Whether a stage in a tile only says where in another stage's tile its elements are, which its readers may know as well. At borders readers
// would have to find it out for each element.
bool copies_tile(const stencil::Pipeline& p, size_t s, const stencil::Group& group,
                 const std::vector<const StageCode*>& codes);

}  // namespace heddle::lower
