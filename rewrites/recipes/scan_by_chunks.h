// Scans on a processor: threads that work by themselves take one chunk of a segment each, in order.
#pragma once

#include "rewrites/recipes/recipe.h"

namespace heddle::lower {

// Lowers a thread-level segscan of scalars; refused if points need memory of their own or may fail, since who comes later waits for
// what all before come to. `unread`: if given, names that nobody reads; such results are not stored. Throws Refused.
//
//   segscan(thread)(i < m, j < n) ({op, {ne}, , }) : {t} { let v = f(a[i,j]) return {returns v} }
//
//   for i in m (grid) for c in chunks (grid)
//     carry := what the chunks before come to, if they have said so, and ne where there are none
//     if known  { for j of the chunk { running := op(running, f(a[i][j])); result[i][j] := op(carry, running) }; say(op(carry, running)) }
//     else      { for j of the chunk { running := op(running, f(a[i][j])); result[i][j] := running }
//                 carry := what the chunks before come to, as soon as they say so; say(op(carry, running))
//                 for j of the chunk { result[i][j] := op(carry, result[i][j]) } }
//
// So one core that works alone goes over the elements once, and the second pass of all others finds them in a cache. What is stored does not depend on who
// is how fast; where the operator rounds nothing, a thread that knows the carry begins with it. Many segments have
// one chunk each, of which a thread takes a run.
Proposal scan_by_chunks(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                        const seg::NameSet* unread);

}  // namespace heddle::lower
