// From a lowered program to statements that the host executes. Lifetimes are the plainest: every array lives to the end of its
// block, and what a block yields is shared.
//
//   let {b_2 : [n_1]i32} = segmap ..     =>    alloc b_2: i32[n_1];
//   let {x_3 : i32} = b_2[0i64]                launch 0 (n_1) (b_2);
//   in {x_3, b_2}                              read x_3: i32 = b_2[0];
//                                              share b_4 = b_2;
//                                              free b_2;
//                                              yield x_3, b_4;
#pragma once

#include "ir/host/host.h"
#include "ir/support/error.h"
#include "rewrites/plan/planned_program.h"

namespace heddle::host {

struct BuildOptions {
  bool compiles = true;      // the device compiles kernels at run time, so there may be ways to choose from
  bool side_by_side = true;  // kernels that need nothing of each other may run at the same time
};

// All functions must be entry points: calls have been inlined. What the host cannot do is refused.
Result<Program> build(const lower::PlannedProgram& lowered, const BuildOptions& options = {});

// How a kernel for sizes is told to its family.
FamilyKernel family_kernel(const lower::Specialized& way, const std::string& label);

// The ways of all contractions in the order of the program's text, with their names in tuning files.
struct LabelledWay {
  std::string label;
  const lower::Specialized* way;
  const lower::Plan* of;
};
std::vector<LabelledWay> labelled_ways(const lower::PlannedProgram& lowered);

}  // namespace heddle::host
