// The scan recipe: blocks of threads scan one tile each, in one pass over memory.
#pragma once

#include "rewrites/recipes/recipe.h"

namespace heddle::lower {

// Of the plans that lower_scan makes.
inline constexpr std::string_view kScanRecipe = "scan by blocks of threads";

struct ScanReaders {
  const seg::NameSet*
      unread;  // names that nobody reads in memory, as the flags of a scan by segments; such results are not stored. Null: none
  // One that maps_scan, of which a thread does what belongs to its elements, and where its results go; the kernel calls the first of these
  // ResultArray number so many as the scan has.
  const seg::Stm* map = nullptr;
  const std::vector<ResultPlace>* map_results = nullptr;
};

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
//     by threads side by side: result[i][j] := elements[..], and what a map makes of it
//
// (Merrill and Garland, Single-pass parallel prefix scan with decoupled look-back, 2016, sections 4.1 to 4.4, with words
// that hold value and flag for its fences.) Rows follow each other without regard to tiles: where one begins, nothing
// before it counts, and a tile in which one begins needs no other for what follows.
Proposal lower_scan(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                    const ScanReaders& readers);

}  // namespace heddle::lower
