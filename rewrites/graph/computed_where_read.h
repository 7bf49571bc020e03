// Arrays that need not lie in memory, because whoever reads an element can compute it: the one decision about that, for arrays
// between operations and for those within a point.
//
//   let {a} = segmap(thread)(i < n) { let x = slt64(i, m) return {returns x} }                           by all who read a[..]
//   let {b} = segmap(thread)(p < n, r < k) { .. let v = image[c, y + i, x + j] return {returns v} }      by contractions of b
//   segmap(..)(..) { .. let {c} = map(k, {xs, ws}, \ {x, w} -> {x * w}) let {s} = redomap(k, {c}, ..) }  by the redomap
//
// It is right for as long as what is read for an element is as it was when the array was made. Between operations the planner
// sees to that with the graph (overwritten_by), and to it that the map cannot fail; within a point the lowering of bodies does.
#pragma once

#include <unordered_set>
#include <vector>

#include "ir/seg/syntax.h"

namespace heddle::graph {

// Who computes an operation's elements.
enum class ComputedBy {
  Itself,   // they are stored
  Readers,  // a little arithmetic on indices and scalars, no memory: as cheap as reading it, and no kernel is waited for
  Contractions,  // it moves elements of other arrays: tiles are staged in any case, and the moving is saved
};

ComputedBy computed_by(const seg::SegOp& op);

// The arrays of the host whose elements the points of an operation read by single indices.
std::vector<Name> arrays_read(const seg::SegOp& op);

// What may be computed again for each element of a row that its reader computes: all arrays that the row is made from, by a device
// that has more time than memory of its threads' own; or none.
enum class RowsMade { Again, Once };

// The maps within a point whose elements the reader computes: of one result, without loops, so that computing an element
// again for each of its parts costs little, and the result goes, once, as a whole, to a SOAC at the same depth or to the
// point's results, perhaps through reshapes and transpositions.
std::unordered_set<Name> maps_read_once(const seg::Stms& stms, const std::vector<seg::KernelResult>& results,
                                        RowsMade rows);

}  // namespace heddle::graph
