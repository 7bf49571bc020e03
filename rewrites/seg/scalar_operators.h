// Operators that run through rows become such of the rows' elements.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/error.h"

namespace heddle::seg {

// let {nes} = replicate([d], ne)
// let {s : [n][d]t} = segscan(thread)(j < n) ({nes}, , \ {xs : [d]t, ys : [d]t} : {[d]t} ->
//     let {rows} = loop {row} = {any} for i < d do {
//       let {x} = xs[i] let {y} = ys[i] let {z} = f(x, y) let {changed} = row with [i] = z in {changed} }
//     in {rows}) : {[d]t} { ...j... return {returns row} }
//   becomes
// let {s : [n][d]t} = segscan(thread)(j < n) ({ne}, [d], \ {x : t, y : t} : {t} -> let {z} = f(x, y) in {z}) : {[d]t} { ...j... }
//
// as Futhark writes operators that are maps. Of segreds and seghists, too, and where a row is changed in place. The host's code alone.
Result<Program> scalar_operators(const Program& program);

}  // namespace heddle::seg
