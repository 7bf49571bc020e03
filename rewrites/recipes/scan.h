// The scan recipe: blocks of threads scan one tile each, in one pass over memory.
#pragma once

#include "rewrites/recipes/recipe.h"

namespace heddle::lower {

// Lowers a thread-level segscan of scalars; refused if threads need memory of their own, more shared memory than any
// device has, or may fail, which must not happen between barriers. Throws Refused.
//
//   segscan(thread)(i < m, j < n) ({op, {ne}, , }) : {t} { let v = f(a[i,j]) return {returns v} }
//
//   for tile in m*n / (256*items) (grid) for warp in 8 (warp) for lane in 32 (lane)
//     elements of the tile, by threads side by side: elements[..] := f(a[i][j])
//     each thread by itself:  total := op of `items` neighbouring elements
//     each warp:              totals of the threads before, too
//     one warp:               words[aggregate][tile] := total of the tile
//                             carry := what the tiles before come to, of which 32 at a time are looked at: from the nearest
//                                      on, up to one that knows what all before it come to
//                             words[prefix][tile] := op(carry, total of the tile)
//     each thread by itself:  elements[..] := op of all before, for one element after the other
//     by threads side by side: result[i][j] := elements[..]
//
// (Merrill and Garland, Single-pass parallel prefix scan with decoupled look-back, 2016, sections 4.1 to 4.4, with words
// that hold value and flag for its fences.) Rows follow each other without regard to tiles: where one begins, nothing
// before it counts, and a tile in which one begins needs no other for what follows.
// `unread`: if given, names that nobody reads, as the flags of a scan by segments; such results are not stored.
Proposal lower_scan(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                    const seg::NameSet* unread);

}  // namespace heddle::lower
