// An operation as a stage of a pipeline: what each of its points computes, and which elements it reads of which arrays.
#pragma once

#include <variant>

#include "ir/seg/traverse.h"
#include "rewrites/recipes/direct.h"
#include "rewrites/recognize/windows.h"

namespace heddle::lower {

struct StageCode {
  std::vector<Name> arrays;                    // its results, as the host calls them
  std::vector<recognize::Index> indices;       // of a point, in the order of the results' dimensions
  nest::Block work;                            // of a point; it ends with stores at the indices
  Launch launch;                               // of the kernel that does it point by point, with its parameters
  std::vector<Name> results;                   // buffers in `work`, one for each of `arrays`
  std::vector<recognize::WindowedRead> reads;  // of other stages' results, by the buffers' names, which are the arrays'
};

// Whether the kernel of an array has a name for it. Or why the operation is no stage, as a clause. `others`: arrays that are results
// of stages.
std::variant<StageCode, std::string> stage_of(const seg::Stm& stm, Points& points, const seg::NameSet& others);

}  // namespace heddle::lower
