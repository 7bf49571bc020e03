// A contraction as the plainest nest that computes it: what derivations begin with.
#pragma once

#include "ir/nest/nest.h"
#include "ir/nest/traverse.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

// for y in h (serial) { for x in w (serial) {
//   alloc acc; acc[] := 0;
//   for k in n (serial) { acc[] := acc[] + a[y][k] * b[k][x]; }
//   let sum = acc[]; out[y][x] := sum;
// } }
// with those buffers and scalars of `lowered` that are used, or that an operand has. An operand that is padded is tested against the
// bounds of its buffer.
nest::Kernel plain_nest(const recognize::Contraction& c, const nest::Kernel& lowered, NameSource& names);

// ... with short new names for the indices: x, y, z counted from the innermost parallel one, n, i, j for those of the
// reduction.
struct DirectNest {
  nest::Kernel kernel;
  recognize::Contraction contraction;  // with the new indices
};
DirectNest direct_nest(const recognize::Contraction& c, const nest::Kernel& lowered, NameSource& names);

// What the nest does for one point, with the names of the parallel indices.
nest::Block point_of(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers, NameSource& names);

// Serial loops over all combinations of indices.
nest::Block nested(const std::vector<recognize::Index>& indices, nest::Block body);

// The kernel with this to do, without the buffers and scalars that neither this uses nor anything else.
nest::Kernel doing(nest::Kernel kernel, nest::Block body, nest::NameSet besides = {});

// What an operand reads of its buffer: 0 outside of it where it is padded.
nest::Expr element(const recognize::Operand& o, const nest::Buffer& buffer);

}  // namespace heddle::contraction
