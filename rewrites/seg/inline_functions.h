// Replaces calls of the program's own functions by their bodies, in host code and in kernels.
//
//   fun f (x : i64) : {i64} = { let {y : i64} = add64(x, 1i64) in {y} }
//   entry main ... { let {a : i64} = apply f(n) : {i64} ... }
// becomes
//   entry main ... { let {y' : i64} = add64(n, 1i64)   let {a : i64} = y' ... }
//
// Parallel operations of functions that kernels call are done by the thread that comes to them, so they have no grid:
//   segmap(thread; ; grid=..; blocksize=..)(i < n) { .. apply f(..) .. }   with   fun f .. = { let {s} = segred(thread; ; grid=..; blocksize=..)(j < m) .. }
// becomes
//   segmap(thread; ; grid=..; blocksize=..)(i < n) { .. let {s'} = segred(thread)(j < m) .. }
//
// Afterwards only entry points are left. Futhark's programs are not recursive; one that is, is refused.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

Result<Program> inline_functions(const Program& program);

}  // namespace heddle::seg
