// Scans that a thread each would do are done by blocks of threads where there are few of them.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {s : [m][n]t} = segmap(thread)(i < m) : {[n]t} {
//     let {row : [n]t} = xs[i, 0 :+ n] let {scanned : [n]t} = scanomap(n, {row}, \{x} -> ..., {op, {ne}})
//     return {returns scanned} }
// becomes
//   let {s : [m][n]t} = if <equiv> m is small and n is large
//     then { let {rows : [m][n]t} = manifest((0, 1), xs)
//            segscan(thread)(i < m, j < n) ({op, {ne}, , }) : {t} { let {row} = rows[i, 0 :+ n] let {x} = row[j] ... return {returns x} } }
//     else { the segmap }
//
// `scan (map2 op) (replicate m ne) xss` is such, of which the host's compiler has no other version.
Program few_scans(const Program& program, NameSource& names);
Result<Program> few_scans(const Program& program);

}  // namespace heddle::seg
