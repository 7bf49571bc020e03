// One walk over the host statements of a program: what its tables will contain, and whether there is anything that no
// code can be generated for.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/host/generate.h"

namespace heddle::codegen::host {

struct TuningParam {
  std::string name;
  seg::SizeClass size_class;
};

struct KernelEntry {
  nest::Kernel kernel;  // its name is unique in the program
  bool can_fail;
};

struct Constant {
  Name name;
  seg::Type type;
};

struct Survey {
  std::unordered_set<const seg::Stm*> unneeded;  // for which no code is made

  std::vector<TuningParam> params;
  std::unordered_map<std::string, int> param_index;  // by name

  std::vector<KernelEntry> kernels;
  std::unordered_map<const lower::Launch*, int> kernel_index;

  // Kernels compiled at run time; empty where the target cannot.
  std::vector<nest::Kernel> specialized;
  std::vector<const lower::Specialized*> ways;  // of these
  std::vector<std::string> labels;  // of these, for tuning files: "main.contraction_0", "main.contraction_0_merged"
  std::unordered_map<const lower::Specialized*, int> specialized_index;

  std::vector<lower::Failure> failures;  // the kernels', then those of the host's asserts
  std::unordered_map<const seg::Stm*, int> failure_index;

  std::vector<Constant> constants;  // those that entry points use
  std::unordered_map<Name, int> constant_index;
};

// `compiles`: whether the target can compile kernels at run time.
Result<Survey> survey(const lower::LoweredProgram& program, bool compiles);

}  // namespace heddle::codegen::host
