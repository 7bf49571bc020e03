// Has an array lie the same whichever version makes it, where what reads it again and again gains from knowing how.
#pragma once

#include "ir/seg/syntax.h"
#include "ir/support/names.h"

namespace heddle::lower {

//   let {a} = if <equiv> few then { let {columns} = segmap(thread)(i < n) : {[m]f32} {...} in {columns} }
//             else { let {rows} = segmap(thread)(i < n, j < m) : {f32} {...} in {rows} }
//   let {r} = loop {x} = {...} for k < s do { ...a... }
// becomes
//   let {a} = if <equiv> few then { let {columns} = segmap(thread)(i < n) : {[m]f32} {...}
//                                   let {lies_alike} = manifest((0, 1), columns) in {lies_alike} }
//             else { let {rows} = segmap(thread)(i < n, j < m) : {f32} {...} in {rows} }
//   let {r} = loop {x} = {...} for k < s do { ...a... }
// The last version's way stays. One copy, where another version is taken, serves all that read the array behind: a loop, or points of several
// indices with sums of their own. Kernels that do not know how an array lies are told strides, and load and lay out its elements one by one: 512 sums of 512
// took 52 us in place of 14 (H200).
seg::Program lie_alike(const seg::Program& program, NameSource& names);

}  // namespace heddle::lower
