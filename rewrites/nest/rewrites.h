// All rewrites of kernels. A rewrite's name here is its name on the command line (`heddle pass NAME`) and in what
// `heddle explain --steps` prints.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/error.h"
#include "rewrites/nest/arguments.h"
#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

struct NestRewrite {
  std::string_view name;
  std::string_view description;
  std::string_view why_here;  // where kernels go through it, and why there: a clause
  std::vector<Parameter> parameters;
  Result<Rewritten> (*run)(const Kernel&, const Arguments&, NameSource&);
};

// In the order in which kernels go through them: first those of every kernel, then those that derive a tiled one.
std::span<const NestRewrite> nest_rewrites();

// Runs one on a well-formed kernel, with texts for its parameters. An input error where they do not suit the kernel or
// the rewrite, and where the rewrite is not legal; its reason then.
Result<Rewritten> run_nest_rewrite(const NestRewrite& rewrite, const Kernel& kernel,
                                   std::map<std::string, std::string, std::less<>> given);

}  // namespace heddle::nest
