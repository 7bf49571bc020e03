// An operation as a stage of a pipeline: what each of its points computes, and which elements it reads of which arrays.
#pragma once

#include <functional>
#include <variant>

#include "ir/seg/traverse.h"
#include "rewrites/recipes/direct.h"
#include "rewrites/recipes/inside.h"
#include "rewrites/recognize/exchanges.h"

namespace heddle::lower {

// A reduction of some of a stage's results, which are none in memory (fold_by_blocks.h).
struct StageFold {
  seg::StmPtr reduction;
  size_t first, count;  // which results
};

struct StageCode {
  std::vector<Name> arrays;                     // its results, as the host calls them
  std::vector<recognize::Index> indices;        // of a point, in the order of the results' dimensions
  nest::Block work;                             // of a point; it ends with stores at the indices
  Inside inside;                                // the same far from the borders
  recognize::Beyond beyond;                     // the same where what it reads goes on beyond its borders
  Launch launch;                                // of the kernel that does it point by point, with its parameters
  std::vector<Name> results;                    // buffers in `work`, one for each of `arrays`
  std::vector<std::vector<nest::Expr>> places;  // of a point's element in each of them, over the indices
  bool computes_others = false;                 // what its direct plan reads from memory (compute_at_reader.h)
  // Whether points below each other have so much of that in common that a thread had better compute many.
  bool shares_rows = false;
  bool updates = false;   // an array that was there before: no part of a group, but strips can do it
  bool is_tiled = false;  // by its plan, as a contraction, and stays so where it is in no group
  // Of all arrays that are read in windows, by the buffers' names, which are the arrays'.
  std::vector<recognize::WindowedRead> reads;
  std::vector<recognize::OtherRead> elsewhere;  // of other stages' results that must be there as a whole
  std::vector<StageFold> folds;                 // of its last results
  std::vector<HostCheck> checks;     // that must hold, so that no point fails; failures are numbered as in `launch`
  std::vector<Name> looked_through;  // arrays that are not read, but computed again
  // At a point, on values, loops counted as often as they run: plain ones, and divisions of floats and builtin functions.
  int64_t operations = 0, dear_operations = 0;
  int64_t loads = 0;  // of elements of the device's arrays, likewise
};

// The results of stages, and what else they are called, by the names that the stages give them.
using StageArrays = std::unordered_map<Name, Name>;

// The array that a statement gives another name, perhaps with other names for its sizes; null where it does something else.
const Name* same_array(const seg::Stm& stm);

// The operation as a stage, or why it is none, as a clause. A point that runs a loop of unknown length is none, since it must not be
// computed again for a neighbour.
std::variant<StageCode, std::string> stage_of(const seg::Stm& stm, Points& points, const StageArrays& others,
                                              NameSource& names);

// Sets what follows from the code's work, of which each point succeeds: what it costs, what it is inside, and its reads. `is_stage`:
// whether this array is another stage's. `facts` hold where the work begins, those about the indices included.
void look_into_work(StageCode& code, const std::function<bool(const Name& array)>& is_stage, nest::Facts& facts,
                    NameSource& names);

// Has borders tested at each point, wherever it is: for those who measure what code without these tests gains.
void test_all_borders(StageCode& code);

// What the models want to know of it, but for where it is computed and what it reads.
stencil::Stage for_models(const StageCode& code);

}  // namespace heddle::lower
