// Scans of long rows on a processor: a thread has neighbouring columns.
#pragma once

#include "rewrites/recipes/recipe.h"

namespace heddle::lower {

// Lowers a thread-level segscan whose elements are rows in memory (seg/scan_of_rows.h). Throws Refused.
//
//   segscan(thread)(j < n) ({op, {ne}, [d], }) : {[d]t} { let {row} = rows[j] return {returns row} }
//
//   for block in ceil(d/128) (grid)
//     for i in columns { running[i] := ne }
//     for j in n { for i in columns { running[i] := op(running[i], rows[j][block*128 + i]); result[j][block*128 + i] := running[i] } }
Proposal scan_of_rows(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names);

}  // namespace heddle::lower
