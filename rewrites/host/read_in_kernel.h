// Has a kernel read elements that the host would read to pass them on, and compute what follows from them.
//
//   kernel f(n_1: i64, s_2: f32, a_3: global f32[n_1]) { ... s_2 ... }
//   read x_4: f32 = b_5[0];
//   let y_6: f32 = x_4 / z_7;
//   launch f (m_8, y_6) (c_9);
// becomes
//   kernel f(n_1: i64, z_10: f32, a_3: global f32[n_1], b_11: global f32[1]) {
//     let x_12: f32 = b_11[0];
//     let s_2: f32 = x_12 / z_10;
//     ... s_2 ...
//   }
//   launch f (m_8, z_7) (c_9, b_5);
//
// Not where blocks, threads or sizes of memory depend on it. Each thread computes, so only a few operators that are quick and
// yield the same bits as on the host: a program may use the value there, too, or in another kernel. What none but this one uses
// may be what a function yields.
#pragma once

#include <optional>
#include <unordered_map>

#include "ir/host/host.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

// Statements that read and compute scalars, by the names that they bind: elements of arrays of one element, or whose elements stand in a row, at
// places that are known, and Lets.
using Scalars = std::unordered_map<Name, Stmt>;

// Products that compilers of kernels do not contract with a sum, as the host's do not.
Expr with_exact_products(const Expr& value);

struct Reading {
  nest::Kernel kernel;
  std::vector<Expr> scalars;
  std::vector<Name> buffers;
};
// Nothing where the kernel cannot be without one of these scalars. `its_own`: those that only this launch needs.
std::optional<Reading> read_in_kernel(const nest::Kernel& kernel, const Launch& launch, const Scalars& known,
                                      const nest::NameSet& its_own, NameSource& names);

}  // namespace heddle::host
