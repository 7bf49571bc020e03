// Whether a stage's points may be computed where somebody needs them alone: kernels whose threads also compute what nobody needs, of rows that are not
// there yet and beside an image, are not for such stages.
//
//   b[y, x] := t[i[y, x]]        t: of any size       elements of i that are not there may be no places in t
//   c[y, x] := 7 / a[y, x]       of integers          elements of a that are not there may be zero
//   d[y, x] := s[0, x]           s: another stage's   points of d that are not there would read what is not there of s
#pragma once

#include "rewrites/points/host_scope.h"
#include "rewrites/recipes/stage.h"

namespace heddle::lower {

// Takes names of its own, since none of them stays.
bool only_where_needed(const StageCode& stage, const HostScope& host, NameSource names);

}  // namespace heddle::lower
