// Takes a reduction or scan apart from the map whose elements it combines.
#pragma once

#include "rewrites/seg/fold_parts.h"

namespace heddle::seg {

//   let {s : [n]t, y : [n]u} = segscan(thread)(j < n) ({op, {ne}, , }) : {t, u} { ...j... return {returns x, returns z} }
// becomes
//   let {xs : [n]t, y : [n]u} = segmap(thread)(j < n) : {t, u} { ...j... return {returns x, returns z} }
//   let {s : [n]t} = segscan(thread)(j < n) ({op, {ne}, , }) : {t} { let {e : t} = xs[j] return {returns e} }
// so that what a point does that must not happen where threads work together, such as failing, happens before.
Stms store_elements(const Stm& folded, NameSource& names);

// Elements are not stored where they follow from a scalar of the point that is, or from a narrower one, which is stored then (steps_from.h):
//   let {y : [n]u} = segmap ...      let {s : [n]t} = segscan ... { let {z : u} = y[j] let {x : t} = zext u z to t return {returns x} }
struct MapOfElements {
  Stm map;
  Producer elements;
};
MapOfElements map_of_elements(const Stm& folded, NameSource& names);

// Whether such a map would store what its points read, and nothing else: who has taken the elements apart need not do it again.
bool has_elements_in_memory(const Stm& folded, NameSource& names);

}  // namespace heddle::seg
