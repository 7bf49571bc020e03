// Windows of three steps by fewer multiplications, at the price of other roundings (A. Lavin, S. Gray, Fast Algorithms for Convolutional
// Neural Networks, 2016, section 4: F(2, 3), along each of a window's indices).
#pragma once

#include "ir/support/error.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

//   out[o][y] = f(sum over c, i < 3 of image[c][y + i] * filters[o][c][i])
// becomes, for the four elements d of an image under two neighbouring points, and the three taps g of a filter,
//   seen[.][c][y/2]  = d0 - d2, d1 + d2, d2 - d1, d1 - d3
//   taps[.][c][o]    = g0, (g0 + g1 + g2)/2, (g0 - g1 + g2)/2, g2
//   products[e][o][y/2] = sum over c of seen[e][c][y/2] * taps[e][c][o]
//   out[o][y], out[o][y + 1] = f(p0 + p1 + p2), f(p1 - p2 - p3)
// which multiplies four times for two points, in place of six. Of two indices of a window it takes 16 for 36; of more, the last two.
// Where the numbers are finite, the error is relative to the largest element of a point's own window, also where its tap is zero: what
// lies outside of it takes no part, as d3 does not in out[o][y]. A point for which no number comes out, or an infinite one, is computed
// again by its own terms, since one infinity minus another is no number.
struct Winograd {
  // What computes one point of a box, with the names of its indices, outermost first.
  struct Step {
    std::vector<recognize::Index> box;
    nest::Block point;
  };
  std::vector<nest::Expr> windows;  // extents, over the kernel's scalars, which must be 3
  nest::Buffer seen, taps, products;
  Step image, filters;           // make `seen` and `taps`
  recognize::Contraction first;  // whose result is `products`
  Step results;                  // makes what the contraction does
};
Result<Winograd> winograd(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers, NameSource& names);

// By how much of its multiplications such a contraction gets along without, as a fraction.
struct Fraction {
  int64_t numerator, denominator;
};
Fraction saved_by(const Winograd& w);

}  // namespace heddle::contraction
