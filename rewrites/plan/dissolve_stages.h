// Stages that are none by themselves, since those who read them compute them (recipes/compute_at_reader.h) where that costs less than memory or a tile.
//
//   let {gray} = segmap(thread)(y < h, x < w) { ..img[y, x, 0].. }                is not read any more
//   let {edges} = segmap(thread)(y < h, x < w) { ..gray[y, x-1], gray[y, x].. }   reads img and computes `gray` itself
#pragma once

#include "rewrites/plan/pipeline_of_body.h"

namespace heddle::lower {

struct Dissolved {
  std::string stages;        // their names
  std::vector<Name> arrays;  // that nobody reads any more
};

// Has the readers of a stage compute it, or the last stage of a group all others, and leaves these out of `stages`, which are to be described anew.
// Their readers' codes are others then; what the plan of a group's last stage has for some sizes or devices goes. Nothing, and nothing has changed,
// where no stage is to be computed so.
std::optional<Dissolved> dissolve_stages(const stencil::Partition& partition, PipelineOfBody& stages, StageCodes& codes,
                                         const HostScope& host, const stencil::Models& models, PlannedProgram& planned,
                                         NameSource& names);

}  // namespace heddle::lower
