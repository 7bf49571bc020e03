// Points of which neighbours read neighbouring elements.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {sums : [w][h]t} = segmap(thread)(x < w, y < h) : {t} { let s = loop ... for k < n do ...image[min(y + k, last), x]... return {returns s} }
// becomes
//   let {as_read : [h][w]t} = segmap(thread)(y < h, x < w) : {t} { ... }
//   let {sums : [w][h]t} = rearrange((1, 0), as_read)
// where the last index makes neighbours read elements of different rows in all steps of a loop whose length nobody knows, and another index makes
// them read elements side by side. This is what passes along columns are that are written as passes along rows of a transposed image.
Program points_as_read(const Program& program, NameSource& names);
Result<Program> points_as_read(const Program& program);

}  // namespace heddle::seg
