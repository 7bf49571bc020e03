// Reductions of arrays that points compute element by element become reductions of elements.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {r : [1][a][b]t} = segred(thread)(i < 1, j < n) ({op, {ne}, [a][b], }) : {[a][b]t} {
//     let {x} = xs[j, 0 :+ a] let {y} = ys[j, 0 :+ b] let {z : [a][b]t} = map(a, {x}, \p -> map(b, {y}, \q -> p * q)) return {returns z} }
// becomes
//   let {r : [1][a][b]t} = segred(thread)(i < 1, k < a, l < b, j < n) ({op, {ne}, , }) : {t} {
//     let {p} = xs[j, k] let {q} = ys[j, l] let {z} = p * q return {returns z} }
// and, where as here elements share what they read, a version by threads beside it, which is a contraction: so the sums of outer products that make a
// layer's gradient are products of matrices. In that case it takes the place of the host's versions, whose others store all terms.
// Arrays of several shapes that are reduced together are each reduced by itself. Those of one shape that share nothing stay as they are.
Program reduce_elements(const Program& program, NameSource& names);
Result<Program> reduce_elements(const Program& program);

}  // namespace heddle::seg
