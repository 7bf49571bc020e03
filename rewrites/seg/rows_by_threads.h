// Versions that are for blocks of threads, by one thread for each block where there are many.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// Of rows that are scanned, and whose scans are reduced, there is a version that has a block for each, and one that goes through all rows
// by one operation each time. A processor's thread goes through a row once, if there are many rows:
//
//   let {ys} = if <equiv> c                        let {many} = 512 <= n
//     then { segmap(block; grid=n) (i < n) {       let {ys} = if <equiv> many
//       segscan(inblock) ... segred(inblock) } }     then { segmap(block; grid=n; blocksize=1) (i < n) {
//     else { segscan(thread) (i < n, j < m)     =>     loop ... for j < m do { ... } } }       -- fold_of_scan.h
//            segred(thread) (i < n, j < m) }         else { ...as it was... }
//
// Not within other versions: those of which the first has a thread for each row are tried before. How many are many does not depend on
// the device, so that results do not.
Program rows_by_threads(const Program& program, NameSource& names);
Result<Program> rows_by_threads(const Program& program);

}  // namespace heddle::seg
