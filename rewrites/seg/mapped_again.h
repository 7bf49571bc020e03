// What the points of a scan return besides what is scanned, where a reader may as well compute it again as read it.
//
//   let {os, flags} = segscan(thread)(i < n) ({+, 0}) {            os alone goes to memory, and who reads flags[j] computes it by
//     let x = xs[i]                                          =>      segmap(thread)(i < n) {
//     let b = slt32(x, 5)                                              let x = xs[i]
//     let f = btoi bool b to i64                                       let b = slt32(x, 5)
//     return {returns f, returns f}                                    let f = btoi bool b to i64
//   }                                                                  return {returns f} }
#pragma once

#include <optional>

#include "ir/seg/syntax.h"

namespace heddle::seg {

// A map of that result alone, of which an element takes a little arithmetic on the point's own elements of arrays, and no more bytes of these than
// it has itself. None where it takes more.
std::optional<SegOp> mapped_again(const SegOp& scan, size_t result);

}  // namespace heddle::seg
