// Small serial nests that rewrites are tried on, and their comparison with what a rewrite makes of them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "rewrites/nest/rewrite_support.h"
#include "tests/ir/nest_examples.h"

namespace heddle::nest::examples {

using Values = std::map<Name, int64_t>;

// That both compute the same for these values of their scalars and constants.
void expect_same(const Kernel& before, const Kernel& after, const Values& values);

// What differs between them, or goes wrong in the second; empty if nothing does.
std::string difference(const Kernel& before, const Kernel& after, const Values& values);

// 0, 1, one less and one more than a tile, primes.
std::vector<int64_t> awkward_sizes(int64_t tile);

// The rewritten kernel; fails the test where the rewrite is refused.
Kernel rewritten(const Result<Rewritten>& result);
// The reason of a refusal, or "done".
std::string refusal(const Result<Rewritten>& result);

// The parameters that the nests below share, of which each uses some.
struct Names {
  Name n{"n", 1}, m{"m", 2}, tile{"T", 3}, points{"R", 4};                  // sizes; tile and points are constants
  Name in{"in", 5}, weights{"weights", 6}, out{"out", 7}, both{"both", 8};  // buffers
  Name i{"i", 10}, j{"j", 11}, k{"k", 12}, t{"t", 13}, acc{"acc", 14}, sum{"sum", 15}, x{"x", 16};
  NameSource fresh{100};
};

// The kernel that this text is; fails the test where it is none.
Kernel kernel_of(const std::string& text);
// Kernels with this body, over in: f32[n], out: f32[n] and both: f32[n + 1], with constants T and R, named as above.
Kernel vector_kernel(const std::string& body);
// The same over in, out: f32[n][m] and both: f32[n + 1][m + 1].
Kernel matrix_kernel(const std::string& body);

// out[i] = sum over k of in[i + k] * weights[k] for i < n, with m weights, and as many more elements in `in`.
Kernel filter_kernel();

// The filter in blocks of T threads with R points each, the loops over points inside: those of the reduction are
// `points`.
struct Filter {
  Names s;
  Kernel plain = filter_kernel(), kernel;
  Name points;

  Filter();
  // That a kernel computes what the plain one does, for awkward numbers of points and of weights.
  void expect_computes_the_same(const Kernel& after) const;
};

}  // namespace heddle::nest::examples
