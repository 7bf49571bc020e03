// Whether heddle's kernels compute what the program does: what ir/host's evaluator makes of them, which also finds races, missing
// barriers and reads of what nobody wrote, against ir/seg's.
#pragma once

#include <map>

#include "frontend_bridge/pipeline.h"
#include "ir/seg/eval.h"
#include "tests/campaign/stages/pipeline.h"

namespace heddle::campaign {

// How heddle is asked to compile a program.
struct Way {
  bool by_default = false;  // as users have it: nothing of what follows
  stencil::Strategy fusion = stencil::Strategy::Largest;
  std::optional<stencil::TileSides> tile;  // of groups, however much is computed again in it; else as the model says
  std::optional<int64_t> time_tile;
  stencil::TileScope scope = stencil::TileScope::Block;  // others' where they have room
  stencil::HybridModel hybrid = {};
  stencil::Nesting nesting = stencil::Nesting::None;
  std::optional<int64_t> walked_columns;  // of a lane of warps that walk
};
std::string to_text(const Way& way);

struct Compiled {
  host::Program program;
  int64_t groups = 0, grouped_stages = 0, streams = 0,
          hybrids = 0;            // groups of several stages, and how many of these are such
  int64_t nested = 0;             // stages that threads compute for themselves
  int64_t joined = 0;             // stages with reductions of what they compute
  int64_t rounds = 0, walks = 0;  // loops of which several steps stream, and which warps walk
};
Result<Compiled> compile(const seg::Program& program, const Way& way);

// Of an entry point of the program; what shapes leave open is drawn.
std::vector<seg::TypedValue> draw_inputs(Random& random, const Pipeline& p, const std::vector<int64_t>& sizes);

enum class Verdict { Same, SameFailure, Different, NotEvaluated };
struct Comparison {
  Verdict verdict = Verdict::Same;
  std::string difference;
};
// `expected`: of the program that was compiled, for the same inputs.
Comparison compare(const seg::EvalResult& expected, const Compiled& compiled, const std::string& entry,
                   const std::vector<seg::TypedValue>& inputs);
seg::EvalResult reference(const seg::Program& program, const std::string& entry,
                          const std::vector<seg::TypedValue>& inputs);

}  // namespace heddle::campaign
