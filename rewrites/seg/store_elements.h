// Takes a reduction or scan apart from the map whose elements it combines.
#pragma once

#include "ir/seg/syntax.h"

namespace heddle::seg {

//   let {s : [n]t, y : [n]u} = segscan(thread)(j < n) ({op, {ne}, , }) : {t, u} { ...j... return {returns x, returns z} }
// becomes
//   let {xs : [n]t, y : [n]u} = segmap(thread)(j < n) : {t, u} { ...j... return {returns x, returns z} }
//   let {s : [n]t} = segscan(thread)(j < n) ({op, {ne}, , }) : {t} { let {e : t} = xs[j] return {returns e} }
// so that what a point does that must not happen where threads work together, such as failing, happens before.
Stms store_elements(const Stm& folded, NameSource& names);

}  // namespace heddle::seg
