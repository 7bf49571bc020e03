// A contraction of few points, each a long sum, as long as there is no tiled kernel for its sizes: several threads have a part of each sum, since one
// thread for each point leaves most of a device idle and waits for one element after the other. Where a host loop changes the sizes from one step to the next
// that may be all there ever is: so are eliminations, Gram and Schmidt's orthogonalization, QR by columns.
//
//   out[j] = f(sum over k < n of a[k] * b[k][j])            by a thread for each j
// becomes, where there are fewer j than the device has threads, and n is long,
//   partial[part][j] = sum over k < each of a[part * each + k] * b[part * each + k][j]       by a thread for each part and j
//   out[j] = f(partial[0][j] + ... + partial[parts - 1][j] + the rest of the sum)            by a thread for each j
#pragma once

#include <optional>

#include "rewrites/recipes/plan.h"

namespace heddle::lower {

struct SumsInParts {
  Name several;  // a parameter of both kernels: how many parts
  nest::Expr
      number;  // of them, over host scalars; one where the points are enough, or their sums short, so that neither kernel has blocks
  Launch parts, sums;
  Temporary partial;  // of both
};

// `direct`: of the contraction, point by point. `holds`: over host scalars, where the contraction is what `direct` computes; null: always. Nothing
// where no index of the sum can be split (contraction/split.h).
std::optional<SumsInParts> sums_in_parts(const recognize::Contraction& match, const Launch& direct,
                                         const nest::Expr& holds, NameSource& names);

// Has a plan of one kernel, which has a thread for each point, do this instead where there are several parts.
void do_in_parts(Plan& plan, SumsInParts parts);

}  // namespace heddle::lower
