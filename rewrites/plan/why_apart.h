// Why the stages of a group are not one kernel, whatever its tiles are.
//
//   let {blurred} = segmap(thread)(y < h, x < w) { ..img[y, x-1].. }        apart where something overwrites img between them, or reads a part
//   ..                                                                      of `blurred` that no tile of `sharp` covers
//   let {sharp} = segmap(thread)(y < h, x < w) { ..blurred[y+1, x].. }
#pragma once

#include "rewrites/plan/pipeline_of_body.h"

namespace heddle::lower {

// Why the group is no kernel, whatever tile it has, or should be none, as a clause; empty if it may be one.
std::string why_apart(const stencil::Group& group, const PipelineOfBody& stages, const HostScope& host,
                      NameSource& names);

// The same, but for whether it should be none.
std::string why_no_kernel(const stencil::Group& group, const PipelineOfBody& stages, const HostScope& host,
                          NameSource& names);

// Whether beside its tile a block has memory for an element of each thread.
bool has_room_to_fold(const stencil::Group& group, const stencil::FittedTile& fitted, const PipelineOfBody& stages);

}  // namespace heddle::lower
