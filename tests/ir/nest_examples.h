// Small hand-written kernels of every kind, and short words to write them in.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest::examples {

Expr i64(int64_t x);
Expr f32(float x);
Expr v(const Name& name);  // an i64 variable
Expr fadd(Expr a, Expr b);
Expr fmul(Expr a, Expr b);
Stmt loop(Role role, const Name& index, Expr extent, Block body);
Stmt let(const Name& name, Expr value);
Stmt store(const Name& buffer, std::vector<Expr> index, Expr value);
Stmt barrier(Scope scope = Scope::Block);
Stmt when(Expr condition, Block body);
Buffer buffer(const Name& name, prim::Type elem, Space space, std::vector<Expr> dims);  // dense
Expr at(const Name& buffer, std::vector<Expr> index);                                   // a load of f32

// out[i] = in[i] for i < n, in blocks of 32 threads.
Kernel copy();

// c = a * b, one thread for each element, in blocks of 4 x 8 threads. Sizes n x m, m x k.
Kernel matmul();

// The same through tiles of 4 x 4 in shared memory; all sizes are multiples of 4.
struct Barriers {
  bool before_use = true, after_use = true;
};
Kernel tiled_matmul(Barriers barriers = {});

// out[b] = sum of in[b][0..64), by a tree of 64 threads in shared memory.
Kernel block_sums();

// The same by one warp, which needs no barrier of the whole block: two warps, each of which sums a row of 32.
Kernel warp_sums(bool with_barriers = true);

// out[w][l] = in[w][(l + 5) mod 32], by a shuffle, for n warps in blocks of one.
Kernel rotated(prim::Type elem = prim::Type::F32);

// hist[in[i]] += 1 for i < n, where in has type i32; with wrapping addition, or else with the maximum of i and the old
// value.
Kernel histogram(bool with_sum = true);

// Fails with number 7 and argument i, in[i] where in[i] < 0; else out[i] = sqrt(in[i]).
Kernel checked_roots();

}  // namespace heddle::nest::examples
