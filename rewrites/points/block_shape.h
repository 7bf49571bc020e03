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

// Threads of a block along a row of n points, at most `most`, a multiple of a warp: as many as there are points; of a longer row, of which whole blocks would
// leave a quarter of their threads without points, whole warps for an equal share of it. Blocks of another size than powers of two leave a part of a
// multiprocessor's registers, which is no worse than idle threads only where these are many. H200, rows of 40 that are scattered: 136 us with
// powers of two, 102 so.
inline nest::Expr threads_of_row(const nest::Expr& n, const nest::Expr& most) {
  const nest::Expr one = nest::constant(int64_t{1}), warp = nest::constant(kLanesOfWarp);
  const nest::Expr blocks = nest::max(nest::ceil_div(n, most), one);
  const nest::Expr share = nest::mul(nest::ceil_div(nest::ceil_div(n, blocks), warp), warp);
  const nest::Expr points = nest::mul(nest::constant(int64_t{4}), n);
  const nest::Expr is_wasted = nest::less(points, nest::mul(nest::mul(nest::constant(int64_t{3}), most), blocks));
  return nest::select(nest::less(most, n), nest::select(is_wasted, share, most), nest::max(n, one));
}

// x modulo a power of two.
inline nest::Expr modulo_power(const nest::Expr& x, const nest::Expr& power) {
  return nest::operation(prim::Op(prim::Family::And, prim::Type::I64),
                         {x, nest::sub(power, nest::constant(int64_t{1}))});
}

}  // namespace heddle::lower
