// Writes the integers of an operation's points without the divisions that sizes decide, and each integer once:
//
//   segmap(t < n * k) {                                         segmap(t < n * k) {
//     let {i : i64} = squot64(t, k)                               let {i : i64} = squot64(t, k)
//     let {x : i64} = mul64(i, k)                       =>        let {x : i64} = mul64(i, k)
//     let {j : i64} = sub64(t, x)                                 let {j : i64} = sub64(t, x)
//     let {u : i64} = squot64(j, k)                               let {a} = a[0, j]      -- k' was computed as k was, elsewhere
//     let {v : i64} = squot64(t, k')                              return a
//     let {a} = a[u, sub64(t, mul64(v, k'))]                    }
//     return a
//   }
//
// The host's compiler writes so where it flattens what is several dimensions, and computes each size anew: neither it nor the device's compiler sees
// that two of these are equal, and a division of 64 bits takes longer than a load.
#pragma once

#include <optional>

#include "rewrites/points/host_scope.h"

namespace heddle::lower {

// `s`: a segmented operation. None where nothing is divided, or nothing changes.
std::optional<seg::Stm> with_plain_indices(const seg::Stm& s, const HostScope& host, NameSource& names);

}  // namespace heddle::lower
