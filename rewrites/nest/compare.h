// Runs two kernels on the same small data.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/nest/eval.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

// How results are compared.
enum class Rounding {
  // By all their bits.
  Same,
  // By all their bits, too, but wherever a kernel adds a term to a sum of floats, a small integer is added that is
  // chosen
  // by the term's bits: of these all partial sums are exact, so that they are the same in any order, and a term that is
  // missing, taken twice or another one still shows. (That of products is 1 or -1; what is least or greatest is
  // without -0.) No bound on the error is needed, which would hide what is smaller, above all of half precision.
  InAnyOrder,
};

// What a kernel computes from small data: for given values of all its scalars and constants. Buffers that it reads hold
// small integers; the others hold nothing.
class Expected {
 public:
  Expected(const Kernel& kernel, std::unordered_map<Name, prim::Value> values, Rounding rounding = Rounding::Same);

  // What goes wrong in the kernel itself, if anything does.
  const std::optional<std::string>& problem() const { return problem_; }
  // What differs in the results of another kernel with the same buffers, or goes wrong in it; empty if nothing does.
  std::string difference(const Kernel& other) const;
  // The same of several kernels one after the other, which may have buffers among themselves.
  std::string difference(const std::vector<Kernel>& others) const;

 private:
  Kernel ready(const Kernel& kernel) const;

  std::unordered_map<Name, prim::Value> values_;
  Rounding rounding_;
  NameSet own_;  // the kernel's buffers; those of others may hold parts of sums
  std::vector<Buffer> buffers_;
  std::vector<Memory> before_, after_;
  std::optional<std::string> problem_;
};

}  // namespace heddle::nest
