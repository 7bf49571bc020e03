// A program with a plan for each of its operations.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "rewrites/plan/fusion_record.h"
#include "rewrites/recipes/plan.h"

namespace heddle::lower {

// A version of the host's incremental flattening that was left out because no recipe can do it.
struct DroppedVersion {
  std::string function;
  int line = 0;  // of the branch, in the text read
  std::string reason;
};

struct PlannedProgram {
  seg::Program program;
  std::unordered_map<const seg::Stm*, Plan> plans;  // keyed by the statement in `program`
  std::vector<Failure> failures;  // of all kernels: nest::Fail and the runtime mean them by their numbers here
  std::vector<DroppedVersion> dropped;
  std::unordered_map<const seg::Stm*, std::vector<std::string>> loops;  // what was decided of their steps, and why
  std::vector<FusionRecord> fusions;                                    // of all bodies of host code with stages
};

}  // namespace heddle::lower
