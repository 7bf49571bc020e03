// Reductions whose operators may fail.
#pragma once

#include <optional>

#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "ir/support/names.h"

namespace heddle::seg {

//   let {r : i64} = segred(thread)(i < n) ({-1i64}, \{a, b} -> { let {ok} = ult64(a, m) let {c : unit} = assert(ok, ...) let {x} = #{c} xs[a] ... in {z} }) : {i64} {...}
// becomes
//   let {r1 : i64, fails : bool} = segred(thread)(i < n) ({-1i64, false}, \{a, fa, b, fb} ->
//     { let {either} = logor(fa, fb)
//       in if either then {a, true} else { let {ok} = ult64(a, m) in if ok then { let {c : unit} = () let {x} = #{c} xs[a] ... in {z, false} } else {0i64, true} } })
//     : {i64, bool} {... return {..., returns false} }
//   let {r : i64} = if fails then { let {r2 : i64} = segred(thread)(i < n) ...as it was... in {r2} } else {r1}
// since threads that work together cannot fail one by one: where one would have, the reduction is done again by some that do, and say where. Reductions that choose among
// elements by their numbers look these up.
//
// Of whole arrays only, and where what may fail is in no loop.
std::optional<Stms> reduce_or_fail(const Stm& s, NameSource& names);

// Of all in a program's host code.
Result<Program> reduce_or_fail(const Program& program);

}  // namespace heddle::seg
