// Gives a reduction segments, and takes away what it returns besides.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {s : t, y : [n]u} = segred(thread)(j < n) ({op, {ne}, , }) : {t, u} { ...j... return {returns x, returns z} }
// becomes
//   let {y : [n]u} = segmap(thread)(j < n) : {u} { ...j... return {returns z} }
//   let {r : [1]t} = segred(thread)(i < 1, j < n) ({op, {ne}, , }) : {t} { ...j... return {returns x} }
//   let {s : t} = r[0]
// so that one recipe reduces segments and single arrays. Nothing where a reduction has both already, or is one of arrays.
std::optional<Stms> with_segments(const Stm& reduction, NameSource& names);

// Of all in a program's host code.
Result<Program> with_segments(const Program& program);

}  // namespace heddle::seg
