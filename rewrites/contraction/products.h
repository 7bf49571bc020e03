// Terms that are sums of products, each of which is one instruction with its addition to a point's sum.
#pragma once

#include "rewrites/recognize/contraction.h"

namespace heddle::contraction {

// ((p + q) - r) + ..., of floats, where `reduce` adds.
bool is_sum_of_products(const nest::Expr& term, const prim::Op& reduce);

// Whether a condition is the same for all elements of the operands, so that what it decides is known for an index.
bool is_of_indices(const recognize::Contraction& c, const nest::Expr& condition);

// How many products the longest sum has that the term may come to; 1 where it is none. What else takes much longer than a product,
// divisions of integers, counts as so many, since it is written out and takes time like them.
int64_t most_products(const recognize::Contraction& c);

}  // namespace heddle::contraction
