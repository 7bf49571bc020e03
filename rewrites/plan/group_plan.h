// The plan of a group of stages that is one kernel.
//
//   let {blurred} = segmap(thread)(y < h, x < w) { ..img[y, x-1].. }        only makes `blurred`, where others read it, too; else nobody reads it
//   let {sharp} = segmap(thread)(y < h, x < w) { ..blurred[y+1, x].. }      its kernel computes both, and fills `blurred` where others read it
#pragma once

#include "rewrites/plan/pipeline_of_body.h"

namespace heddle::lower {

// Gives the group's last statement a plan for all of it, in such tiles; the others that somebody outside reads only make their arrays. The group may be
// one kernel, and has room to fold (why_apart.h). Yields the arrays that nobody reads then.
std::vector<Name> plan_group(const stencil::Group& group, const stencil::FittedTile& fitted,
                             const PipelineOfBody& stages, const HostScope& host, PlannedProgram& planned,
                             NameSource& names);

}  // namespace heddle::lower
