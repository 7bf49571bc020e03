// Takes from a histogram's points what they find by loops over arrays, such as which of many centres is the nearest:
//
//   let {h} = seghist(thread)(j < n) ({..., h, op}) : {i64, t} {            let {is : [n]i64} = segmap(thread)(j < n) : {i64} {
//     let {i} = loop ... c[l, m] ...                                  =>      let {i} = loop ... c[l, m] ...   return {i} }
//     let {x : t} = xs[j]                                                   let {h} = seghist(thread)(j' < n) ({..., h, op}) : {i64, t} {
//     return {i, x} }                                                         let {i'} = is[j']  let {x'} = xs[j']  return {i', x'} }
//
// Not where a loop reads no more than what follows its point in an array of scalars, xs[j + l]: there is nothing to share then but what
// neighbours find in the same lines.
//
// Of a map more is known: its threads share what all of their loops read, and find their own elements side by side.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"

namespace heddle::seg {

// What is stored: scalars alone, or also arrays, for which threads of histograms have no room.
enum class LongResults { Scalars, Arrays };

// None where nothing is found so, or other things are than may be stored.
std::optional<Stms> store_long_results(const Stm& histogram, LongResults which, NameSource& names);

}  // namespace heddle::seg
