// How many threads a block has, and powers of two of them along an index.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::lower {

inline constexpr int64_t kBlockSize = 256;
inline constexpr int64_t kLevelsOfWarp = 5, kLanesOfWarp = 1 << kLevelsOfWarp;
// Blocks that fill the largest devices of today, several on each multiprocessor.
inline constexpr int64_t kFillingBlocks = 132 * 8;
// Elements of a thread that are worth a block more.
inline constexpr int64_t kElementsOfThread = 8;

// ceil(log2(x)), for x >= 1.
inline nest::Expr log2_up(const nest::Expr& x) {
  nest::Expr leading =
      nest::operation(prim::Op(prim::Family::SExt, prim::Type::I32, prim::Type::I64),
                      {nest::call(prim::find_function("clz64"), {nest::sub(x, nest::constant(int64_t{1}))})});
  return nest::sub(nest::constant(int64_t{64}), leading);
}

// 2^exponent.
inline nest::Expr power_of_two(const nest::Expr& exponent) {
  return nest::operation(prim::Op(prim::Family::Shl, prim::Type::I64), {nest::constant(int64_t{1}), exponent});
}

// How many threads of a block lie along an index of n points, of 1 to `most`: as many where a warp has more, so that all have a point, else the
// power of two next above.
inline nest::Expr threads_along(const nest::Expr& n, const nest::Expr& most) {
  const nest::Expr one = nest::constant(int64_t{1}), some = nest::min(n, most);
  return nest::select(nest::less(some, nest::constant(kLanesOfWarp)), nest::max(some, one),
                      nest::min(power_of_two(log2_up(some)), most));
}

// x modulo a power of two.
inline nest::Expr modulo_power(const nest::Expr& x, const nest::Expr& power) {
  return nest::operation(prim::Op(prim::Family::And, prim::Type::I64),
                         {x, nest::sub(power, nest::constant(int64_t{1}))});
}

}  // namespace heddle::lower
