// Gives a reduction segments.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {s : t, y : [n]u} = segred(thread)(j < n) ({op, {ne}, , }) : {t, u} { ...j... return {returns x, returns z} }
// becomes
//   let {r : [1]t, z : [1][n]u} = segred(thread)(i < 1, j < n) ({op, {ne}, , }) : {t, u} { ...j... return {returns x, returns z} }
//   let {s : t} = r[0]
//   let {y : [n]u} = z[0, :]
// so that one recipe reduces segments and single arrays. Nothing where a reduction has segments already, or is one of arrays.
// Where
// points return arrays besides, or update accumulators, a map of its own does that.
std::optional<Stms> with_segments(const Stm& reduction, NameSource& names);

// Of all in a program's host code.
Result<Program> with_segments(const Program& program);

}  // namespace heddle::seg
