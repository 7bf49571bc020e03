// Before, a function that was inlined twice having left its kernel twice:
//
//   kernel f (n: i64) (out: [n]f32) { ... fail 3 ... }     kernel g (m: i64) (to: [m]f32) { ... fail 8 ... }
//   launch f(a) (xs)
//   launch g(b) (ys)
//
// After, where failures 3 and 8 say the same:
//
//   launch f(a) (xs)
//   launch f(b) (ys)
//
// A kernel that nothing launches is left out.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program share_kernels(Program program);

}  // namespace heddle::host
