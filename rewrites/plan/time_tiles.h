// Which host loops are iterated stencils, and how many of their steps become one kernel.
//
//   loop {a} = {x} for i < n do { let {b} = segmap(thread)(y < h, x < w) { ..a[y, x-1]..a[y+1, x].. } in {b} }
//
// All that a step does on the device is stages (recipes/stage.h), which read what the loop carries in windows; what it carries to the
// next step are their results. Where each step decides whether there is another, it may do so by reductions of what the stages compute. How many steps: stencil/time_tile.h. The loop is then written by so many steps at a time
// (seg/strip_mine.h), and the stages of a round become one group.
#pragma once

#include "rewrites/plan/fuse_stages.h"
#include "rewrites/stencil/time_tile.h"

namespace heddle::lower {

// Of a loop whose body's statements have been planned; nothing where it has no stages. `wanted`: so many steps, if they can be.
std::optional<stencil::TimeTileDecision> time_tile(const seg::Loop& loop, const seg::Stms& planned,
                                                   const StageCodes& stages, std::optional<int64_t> wanted,
                                                   const stencil::FitModel& fit, const HostScope& host,
                                                   NameSource& names);

}  // namespace heddle::lower
