// One loop for a scan and the reduction of its results.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

// What one thread does of a scan within a block and of the reduction behind it that alone reads its results, each at its own point:
//
//   let {ss : [n]f32} = segscan(inblock)(j < n) ({+, 0}) { ...x }
//   let {r : f32} = segred(inblock)(k < n) ({max, l}) { let {s} = ss[k] ...y }
//     =>
//   let {last : f32, r : f32} = loop {a : f32, b : f32} = {0, l} for j < n do { ...x; let {s} = a + x ...y; let {c} = max(b, y) in {s, c} }
//
// Of scalars.
KernelBody fold_scans(const KernelBody& body, NameSource& names);

}  // namespace heddle::seg
