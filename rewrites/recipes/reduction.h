// The reduction recipe: blocks of threads reduce segments together.
#pragma once

#include "rewrites/recipes/recipe.h"

namespace heddle::lower {

// Lowers a thread-level segred of scalars, with at least one dimension of segments; refused if threads need memory of
// their own, more shared memory than any device has, or may fail, which must not happen between barriers. Throws Refused.
//
//   segred(thread)(i < m, j < n) ({op, {ne}, , }) : {t} { let v = f(a[i,j]) return {returns v} }
//
//   for ib in ceil(m/rows) (grid) for c in chunks (grid) for y in rows (block) for x in lanes (block)
//     acc := ne
//     if i < m { for k in ... { let j = (k*chunks + c)*lanes + x; acc := op(acc, f(a[i][j])) } }   with i = ib*rows + y
//     for level in log2(min(lanes, 32)) { acc := op(acc, acc of the lane 2^level further), in every second of them }
//     if x % 32 == 0 && 32 < lanes { shared[y][x] := acc }
//     for level in 5..log2(lanes) { barrier; every second pair of those that are 2^level apart: op of both }
//     if chunks == 1 { if x == 0 && i < m { result[i] := acc } }
//     else { if x == 0 { words[i][c] := acc }
//            if c == chunks - 1 { the same over words[i][..], when they are there, and then zero again } }
//
// lanes is the power of two next above n, at most a block, and rows fills the block up: short segments share one. There are
// as many chunks as the device has room for; their words are the program's mailbox (launch.h). With an operator that is not
// commutative each thread takes neighbours, one after the other: j = (c*lanes + x)*each + k; or, where points read or write several
// arrays, each warp takes a part of the chunk in tiles, of which a thread has four neighbours: so all of a line is used while it is in
// the cache. The levels within a warp stand in the loop over tiles, and the elements of the next tile are loaded before them, so
// that memory is never idle. What points return besides is stored where they are computed.
//
// Columns, whose elements are far apart while those of neighbouring ones are not, have x and y the other way round: neighbouring threads
// read what the memory hands out at once, and all barriers are the block's.
//
// Where elements may be taken in any order, arrays that points read at their own place within the segment are read in words of four elements, if all
// rows begin at multiples of these: j = ((k*chunks + c)*lanes + x)*4 + 0..3, of few arrays two words at a time.
//
// Small ones take as long as a thread waits, so a short f has several elements under way, those of the last round too, lanes of a warp tell
// each other what they have by shuffles, whoever hears of blocks asks for all his words at once, and the host does all divisions.
Proposal lower_reduction(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names);

// Segments of at least so many elements.
struct LongSegments {
  seg::SubExp width;
  int64_t elements;
};
// Which segments of the operation are folded faster by several threads than by one each, however many there are of them: a thread that goes
// through neighbours has a line of each array to itself, and all lines of all threads do not stay in a cache.
std::optional<LongSegments> longer_than_threads_suit(const seg::SegOp& op, const HostScope& host, NameSource& names);

}  // namespace heddle::lower
