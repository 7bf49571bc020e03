// A contraction with windows, as recognized in what one point of a segmented map computes:
//
//   result[index(p)] = epilogue(p, reduce over r of term(operands at (p, r)))
//
// Matrix products, convolutions of any rank, stride, dilation, grouping and layout, correlations and morphology are all
// this, with different index maps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/nest/nest.h"
#include "ir/poly/polynomial.h"

namespace heddle::recognize {

// 0 <= name < extent.
struct Index {
  Name name;
  nest::Expr extent;  // over the kernel's scalars
};

// An array read at an index that is affine in the parallel and reduction indices, with coefficients over the kernel's
// scalars.
struct Operand {
  Name value;  // the variable that stands for the element in the term
  Name buffer;
  prim::Type elem;
  std::vector<poly::Polynomial> index;  // one per dimension of the buffer
  // Outside of the array the element is 0 (zero padding). Where this is false, the index is always inside.
  bool padded = false;
};

struct Contraction {
  std::vector<Index> parallel, reduction;  // outermost first
  std::vector<Operand> operands;
  nest::Expr term;  // over the operands' values, the kernel's scalars and, in conditions and the like, the indices
  prim::Op reduce;  // associative and commutative, up to rounding
  prim::Value neutral;
  Name sum;            // the variable that stands for the reduction's result in what is stored
  nest::Store result;  // at the parallel indices in some order; the value is over `sum`, them and elements at them
  // The term without the guards of products with zeros from outside of an array, where the rest of the term passes on what is no number: where such a zero
  // is multiplied with what is none, or infinite, the sum becomes no number, and is to be computed again from `term`. Nothing where there are no such guards.
  std::optional<nest::Expr> unguarded = {};
};

// In one line: indices, operator, term, operands with their index maps.
std::string to_text(const Contraction& c);

}  // namespace heddle::recognize
