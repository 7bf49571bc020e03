// Contractions written by hand, each with the kernel that computes it point by point.
#pragma once

#include "ir/support/names.h"
#include "rewrites/recognize/contraction.h"

namespace heddle::examples {

struct Example {
  recognize::Contraction contraction;
  nest::Kernel direct;          // scalars: all sizes, then strides and the like
  std::vector<Name> constants;  // the scalars that a tiled kernel takes as constants: window extents, strides
};

// What is added up of what: + of *, max of +, or min of +.
enum class Semiring { SumProduct, MaxPlus, MinPlus };

struct Kind {
  prim::Type elem = prim::Type::F32;
  Semiring semiring = Semiring::SumProduct;
};

// Whether a condition on the indices decides which terms are added; and, of products of floats that are left out beyond an array's ends, whether zeros
// there may be multiplied in its place.
enum class Guard { None, InTerm, OrZeros };

// out[o][y][x] = sum over c, i, j of image[c][y*stride + i][x*stride + j] * filters[c][i][j][o].
// Scalars: channels, height, width, depth, window, out_height, out_width, stride.
Example convolution(NameSource& names, const Kind& kind = {});

// The same by single steps with a result as large as the image, whose elements beyond its ends are zero:
// out[o][y][x] = sum over c, i, j of image[c][y + i - 1][x + j - 1] * filters[c][i][j][o].
// Where the guard is in the term, terms of such elements are left out, which differs where taps are infinite.
// Scalars: channels, height, width, depth, window.
Example padded_convolution(NameSource& names, const Kind& kind = {}, Guard guard = Guard::None);

// out[o][x] = sum over i of signal[x + stride*(window - 1 - i)] * filters[i][o], so that the signal is run through
// backwards. Scalars: length, depth, window, out_length, stride.
Example backwards(NameSource& names);

// out[i][j] = sum over k of a[i][k] * b[k][j], with a guard over k <= i only. Scalars: rows, columns, inner.
Example product(NameSource& names, const Kind& kind = {}, Guard guard = Guard::None);

// A contraction as a kernel with one thread per block.
nest::Kernel direct_kernel(const recognize::Contraction& c, const std::vector<Name>& scalars,
                           const std::vector<nest::Buffer>& buffers, NameSource& names);

}  // namespace heddle::examples
