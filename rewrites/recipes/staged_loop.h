// The recipe for points whose loops read the same elements: a block's threads stage them together.
#pragma once

#include "rewrites/recipes/direct.h"

namespace heddle::lower {

// The direct kernel's work in another kernel, by which the points of an operation run through arrays together. Throws Refused, among others
// where no loop of a point reads elements that follow from indices that are the same for all points of a block (nest/uniform.h).
//
//   for p in points { let x = xs[p]; acc[] := 0; for i in n { let y = ys[i]; acc[] := acc[] + f(x, y) } out[p] := acc[] }
//
//   for b in ceil(points / 256) (grid) { alloc staged: shared[256]; for t in 256 (block) {
//     let number = b*256 + t; let p = min(number, points - 1); let x = xs[p]; acc[] := 0
//     for c in ceil(n / 256) {
//       barrier; if c*256 + t < n { staged[t] := ys[c*256 + t] } barrier
//       let count = min(256, n - c*256)
//       for g in count / 4 {
//         alloc next: register[4]; next[..] := staged[g*4 ..]           -- one wide load
//         for s in 4 (unrolled) { let y = next[s]; acc[] := acc[] + f(x, y) } }
//       for r in count % 4 { let y = staged[count / 4 * 4 + r]; acc[] := acc[] + f(x, y) } }
//     if number < points { out[p] := acc[] } } }
//
// Threads beyond the last point do what that one does, but for stores, so that all of them meet at the barriers. Every sum keeps its order.
//
// Of several indices the last is the threads', the others are the block's, and loops and branches around the staged one may follow from
// these: for q in m { for j in sizes[q] { let k = begins[q, j]; for i in n { let y = ys[k, i]; ... } } }. There the threads of a block are as
// few as the last index has points, and the direct kernel is launched in its place where those are very few, or the loops short.
std::vector<Launch> staged_loop(const Seen& seen, const std::string& kernel_name, NameSource& names);

}  // namespace heddle::lower
