// What a reduction's points compute of a stage's results at one place, as results of the stage itself, of which a kernel can fold what its
// points give (fold_by_blocks.h) instead of storing it.
//
//   let {b} = segmap(thread)(y < h, x < w) { .. return {returns v} }                              a stage b(y, x) := v, e(y, x) := abs v,
//   let {s} = segred(thread)(d < 1, i < h*w) (max) { let e = abs b[i / w, i % w] return {e} }     of which s is the maximum of all e
#pragma once

#include "rewrites/recipes/fold_by_blocks.h"
#include "rewrites/recipes/stage.h"

namespace heddle::lower {

// Whether the operation is a reduction of scalars to one, whose elements may come in any order; of all that its points return.
bool is_fold_to_one(const seg::Stm& stm);
bool is_fold_of_all(const seg::Stm& stm);

// Where the reduction stands, in whose place the stage then is.
struct FoldInStage {
  const StageCode& stage;
  const seg::Stm& made_by;  // the stage's statement
  const seg::StmPtr& reduction;
};
// The stage with the elements, or why that cannot be, as a clause. `is_needed`: whether an array of the stage is read by others, too; without that
// it is none of the results any more. `others`: as for stage_of.
std::variant<StageCode, std::string> with_elements(const FoldInStage& fold,
                                                   const std::function<bool(const Name& array)>& is_needed,
                                                   const StageArrays& others, const HostScope& host, NameSource& names);

// What the kernel of stages has to fold.
std::vector<PointFold> folds_of(const std::vector<const StageCode*>& stages);

}  // namespace heddle::lower
