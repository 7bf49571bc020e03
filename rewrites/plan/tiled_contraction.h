// What was recognized as a contraction, written back into the program as block-level code that the host compiles.
//
//   let {c} = segmap(thread) (...) {...}
// becomes
//   let {c} = if <equiv> can_be_tiled
//             then { let {tiled} = if <equiv> few_rows then { let {flat} = segmap(block) (...) {...} in {flat} }
//                                  else { let {square} = segmap(block) (...) {...} in {square} }
//                    in {tiled} }
//             else { let {plain} = segmap(thread) (...) {...} in {plain} }
// where the first condition says that no check of the points fails, that sizes are such as recognition supposed, and that a
// threshold of its own, which the host's tuner finds, is reached; the second, that flat tiles have much less beyond the result
// than square ones.
#pragma once

#include <unordered_map>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "rewrites/points/layouts.h"
#include "rewrites/recipes/plan.h"

namespace heddle::lower {

using TypesOfNames = std::unordered_map<Name, seg::Type>;

// `stm`: the thread-level segmap for which `plan` was made. `types`: of all arrays that the host has. `layouts`: those that
// the plan was made with.
Result<seg::Stms> tiled_contraction(const seg::Stm& stm, const Plan& plan, const TypesOfNames& types,
                                    const Layouts& layouts, NameSource& names);

}  // namespace heddle::lower
