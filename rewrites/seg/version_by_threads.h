// A reduction's version in which one thread folds a segment: that may be a contraction.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/names.h"
#include "rewrites/seg/builder.h"

namespace heddle::seg {

struct Operator {
  Lambda lambda;
  std::vector<SubExp> neutral;
  bool commutative = true;
};

// Of what `body` yields for each index of the dimension; the numbers are made by `point`.
Screma redomap(const SegDim& dim, const Operator& op, BodyPtr body, Builder& point);

// let {sums} = if <equiv> kManyPlaces <= shape's product then `by_places` else `reduction`
Stms by_many_places(const Stm& reduction, const SegOp& by_places, const Shape& shape, NameSource& names);

// Whether for each of a reduction's segments' dimensions something is read that does not depend on it.
bool shares_reads(const SegOp& op);

//   let {r : [n][m]t} = segred(thread)(i < n, j < m, k < d) ({op, {ne}, , }) : {t} { let {x} = xs[i, k] let {y} = ys[j, k] ... return {returns z} }
// becomes, where reads are shared,
//   let {r} = if <equiv> there are many places
//     then { segmap(thread)(i < n, j < m) : {t} { redomap(d, {iota(d)}, \ k -> ... {z}, {op, {ne}}) } }
//     else { the reduction }
Stms with_version_by_threads(const StmPtr& reduction, NameSource& names);

}  // namespace heddle::seg
