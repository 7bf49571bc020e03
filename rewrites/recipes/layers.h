// What a thread can keep in registers of a stage that it computes for the points of another.
//
// Layers of an image, as its colours: the first of three or more dimensions, of a few points. A thread that computes all layers of a point reads what
// they have in common once, and what another stage computes at that point stays in its registers.
//
//   b[y][x] := f(y, x)
//   c[k][y][x] := b[y][x] * a[k][y][x]     for 0 <= k < 3; b in shared memory, between barriers, and a thread for each k, or
//
//   let v = f(y, x)
//   for k in 3 (unrolled) { c[k][y][x] := v * a[k][y][x] }
#pragma once

#include "rewrites/recipes/stage.h"

namespace heddle::lower {

// Whether layers read the same elements of it.
bool is_common(const recognize::WindowedRead& read);

// How many layers a stage has whose points read something in common; none where their number is unknown, or nothing is in common.
std::optional<int64_t> common_layers(const StageCode& stage);

// Whether each point of `reader` reads the one of `producer` that has the same place, and nothing else of it: whoever computes the one can compute
// the other, too, and keep it in registers.
bool is_read_at_point(const StageCode& producer, const StageCode& reader);

// Whether all that a point of `reader` reads of `producer` are elements at its place in one or several of the producer's layers, if that has some, each
// known as soon as the reader's layer is: so that registers can hold them.
bool is_read_in_layers(const StageCode& producer, const StageCode& reader);

}  // namespace heddle::lower
