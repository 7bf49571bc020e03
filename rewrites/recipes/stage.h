// An operation as a stage of a pipeline: what each of its points computes, and which elements it reads of which arrays.
#pragma once

#include <functional>
#include <variant>

#include "ir/seg/traverse.h"
#include "rewrites/recipes/direct.h"
#include "rewrites/recognize/windows.h"

namespace heddle::lower {

// What a point computes that lies at least `margin` away from both ends of each dimension: no test of a border is left of what such
// points decide alike.
//   a[max(y - 1, 0)] + a[min(y + 1, h - 1)]     inside, with margin 1:     a[y - 1] + a[y + 1]
struct Inside {
  nest::Block work;
  std::vector<int64_t> margin;  // by index, in points
};

struct StageCode {
  std::vector<Name> arrays;               // its results, as the host calls them
  std::vector<recognize::Index> indices;  // of a point, in the order of the results' dimensions
  nest::Block work;                       // of a point; it ends with stores at the indices
  Inside inside;                          // the same far from the borders
  Launch launch;                          // of the kernel that does it point by point, with its parameters
  std::vector<Name> results;              // buffers in `work`, one for each of `arrays`
  // Of all stages' results, by the buffers' names, which are the arrays', and of other arrays where they are known.
  std::vector<recognize::WindowedRead> reads;
  // Results of other stages that are read anywhere, as tables are, and why they count as such.
  std::vector<std::pair<Name, std::string>> read_anywhere;
  std::string why_alone = {};  // where some stage reads its results so: it is in no group
  // At a point, on values, loops counted as often as they run: plain ones, and divisions of floats and builtin functions.
  int64_t operations = 0, dear_operations = 0;
  int64_t loads = 0;  // of elements of the device's arrays, likewise
};

// The operation as a stage, or why it is none, as a clause. A point that runs a loop of unknown length is none, since it must not be
// computed again for a neighbour. `is_of_stage`: whether an array is a stage's result.
std::variant<StageCode, std::string> stage_of(const seg::Stm& stm, Points& points,
                                              const std::function<bool(const Name&)>& is_of_stage);

// What the models want to know of it, but for where it is computed and what it reads.
stencil::Stage for_models(const StageCode& code);

}  // namespace heddle::lower
