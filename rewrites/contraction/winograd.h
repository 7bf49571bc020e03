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
// A point for which no number comes out, or an infinite one, is computed again by its own terms, since one infinity minus another is no
// number.
//
// Rounding. Let D[c] be the largest element of a tile of channel c by magnitude, G[c] and g[c] the largest and the smallest tap of a
// filter. Elements of `seen` are at most 2 D, of `taps` 3/2 G, and a point adds up to three products; so with n channels, two indices of
// a window and roundings of relative size u, a point's error is at most u (n + 8) 64 sum over c of D[c] G[c]. That of a sum in order
// is at most 9 n u times the sum over c and i of |image| |filters|, which is at least the sum over c of D[c] g[c], where D[c] is in the
// point's own window. So with one element more,
//   seen[4][c][y/2] = D[c],  taps[4][c][o] = G[c] - 64 g[c],
// the first bound is at most 64 * 64 / 9 times the second where products[4][o][y/2] is not above zero: elements that are much larger than all
// others where taps are zero, which would cost a point its digits, are found so. Where it is above zero, or no number,
// `doubt` becomes 1, no results are made, and they are to be computed as written. (What D[c] has from a neighbouring point's window counts
// as if it were in the point's own.)
// Of random numbers errors are smaller than in order, as sums are shorter: 0.4 to 1.3 times, of 128 channels.
struct Winograd {
  // What computes one point of a box, with the names of its indices, outermost first.
  struct Step {
    std::vector<recognize::Index> box;
    nest::Block point;
  };
  struct Arrays {
    nest::Buffer seen, taps, products;
    nest::Buffer doubt, verdict;  // of one i32; the latter is for the host, and no kernel reads it
  };
  Arrays arrays;
  Step image, filters;           // make `seen`, and `taps` and a `doubt` of 0
  recognize::Contraction first;  // whose result is `products`
  Step check;                    // makes `doubt` 1 where it must be
  Step results;  // makes what the contraction does, unless there is doubt, and the `verdict`, which is `doubt`
  struct Scalar {
    Name name;
    nest::Expr value;  // over those of the contraction
  };
  std::vector<Scalar> scalars = {};      // of these kernels, too, i64
  std::vector<nest::Expr> windows = {};  // extents, over the kernel's scalars, which must be 3
};
Result<Winograd> winograd(const recognize::Contraction& c, const std::vector<nest::Buffer>& buffers, NameSource& names);

// By how much of its multiplications such a contraction gets along without, as a fraction.
struct Fraction {
  int64_t numerator, denominator;
};
Fraction saved_by(const Winograd& w);

}  // namespace heddle::contraction
