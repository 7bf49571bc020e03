// What is known of a reduction before there is a kernel for it: what its points read, which segments are long, and how blocks of threads
// divide the work.
#pragma once

#include <vector>

#include "rewrites/points/body.h"

namespace heddle::lower {

// Elements that a thread asks for before it combines the first of them, so that as many are under way.
inline constexpr int64_t kElementsAtATime = 4;

// Of what the operators combine.
std::vector<seg::Type> folded_types(const seg::SegOp& op);
// Of an element of these types, 32 bits each.
int64_t num_registers(const std::vector<seg::Type>& types);

// ---- Arrays. ----

// Of those that points read and write one after the other. Where each thread goes through neighbours of several by itself, the
// lines of all do not stay in a multiprocessor's cache until they are used up.
size_t num_arrays(const seg::SegOp& op);
// Whether the elements of a segment, and nothing else, are neighbours in each array that is read, and one is.
bool reads_neighbours(const seg::SegOp& op, const Layouts& layouts);
// Whether elements of neighbouring segments are neighbours, as where columns are reduced, and those of no segment are.
bool reads_columns(const seg::SegOp& op, const Layouts& layouts);
// So many of which a block has a row of threads each: what the memory hands out at once. With more of them, fewer threads combine what blocks
// leave of each: sums of 64 columns of 100,000 f32 took 70 us with 32.
int64_t columns_of_block(const seg::SegOp& op);
// The arrays of which points read the element with their own number within the segment, where all that they read are such.
std::vector<Name> read_along(const seg::SegOp& op, const Layouts& layouts);
// Of an element of each of these arrays, all together.
int64_t bytes_read(const seg::SegOp& op, const std::vector<Name>& arrays);

// ---- Segments. ----

// Elements of a segment from which on several threads are faster than one, however many segments there are: where they take them side by
// side, and where they take them in tiles.
int64_t long_side_by_side(const seg::SegOp& op);
int64_t long_for_tiles(const seg::SegOp& op);

// How the work is divided, in expressions of the host.
struct Division {
  nest::Expr lanes, rows, blocks, chunks;
};
// With a thread of a row for at least `elements`, where there are as many, and no more blocks at once than `filling` if chunks are
// made: some that begin when the others end would take as long again. Threads of several chunks have at least `of_thread` elements each. A block has at least `rows` segments, a power of two, where there are as
// many. Where there are few more blocks than `filling`, and segments are long, each segment has two.
Division divide(const nest::Expr& segments, const nest::Expr& width, const nest::Expr& elements, int64_t of_thread,
                int64_t filling, int64_t rows = 1);
// One for each thread, or as many as those that fill the device have of all segments.
nest::Expr elements_of_many(const nest::Expr& segments, const nest::Expr& width);

}  // namespace heddle::lower
