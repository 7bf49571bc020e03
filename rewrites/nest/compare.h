// Runs two kernels on the same small data.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/nest/eval.h"

namespace heddle::nest {

// What a kernel computes from small data: for given values of all its scalars and constants. Buffers that it reads hold
// small integers, so that sums have the same bits in any order; the others hold nothing.
class Expected {
 public:
  Expected(const Kernel& kernel, std::unordered_map<Name, prim::Value> values);

  // What goes wrong in the kernel itself, if anything does.
  const std::optional<std::string>& problem() const { return problem_; }
  // What differs in the results of another kernel with the same buffers, or goes wrong in it; empty if nothing does.
  std::string difference(const Kernel& other) const;
  // The same of several kernels one after the other, which may have buffers among themselves.
  std::string difference(const std::vector<Kernel>& others) const;

 private:
  std::unordered_map<Name, prim::Value> values_;
  std::vector<Buffer> buffers_;
  std::vector<Memory> before_, after_;
  std::optional<std::string> problem_;
};

}  // namespace heddle::nest
