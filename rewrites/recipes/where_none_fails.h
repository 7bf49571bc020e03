// Reductions and scans whose points may fail, where the host can tell beforehand that none does.
#pragma once

#include "rewrites/recipes/direct.h"

namespace heddle::lower {

//   let {s : [m]t} = segred(thread)(i < m, j < n) (...) { ...j - r < n or it fails... }
// becomes
//   let {none_fails : bool} = sle64(0, r)
//   let {s : [m]t} = if none_fails then {
//     let {s1 : [m]t} = segred(thread)(i < m, j < n) (...) { ...without what is checked... } in {s1}
//   } else { the elements stored by a map, and reduced (seg/store_elements.h) }
//
// so that elements need not pass through memory where sizes and the like are as they usually are. `points` are those of the map. Nothing where no
// condition of the host's suffices, nor where the host would have to wait for elements of arrays to know it, and points store results anyway: then
// storing what is reduced, too, costs less.
std::optional<seg::Stms> where_none_fails(const seg::Stm& folded, Points& points, const HostScope& host,
                                          NameSource& names);

}  // namespace heddle::lower
