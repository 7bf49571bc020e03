// Has one thread of the device run loops of the host of which each step would wait for an element, since only those of the steps before tell which
// one it is, or have the device store one: walks through links, tables and the ways back through them that dynamic programming stores.
//
//   loop (at_1: i64 = 0) for k_2 < n_3 {
//     read next_4: i64 = links_5[at_1];
//     yield next_4;
//   } giving (last_6);
// becomes
//   measure size_7 = size 0 of links_5;
//   if 1048576 < size_7 * 8 {
//     alloc last_8: i64[1];
//     launch f (n_3, ...) (links_5, last_8);
//     read last_9: i64 = last_8[0];
//     free last_8;
//     yield last_9;
//   } else {
//     loop ... giving (last_10);
//     yield last_10;
//   } giving (last_6: i64);
// as the host has arrays of less than that with it after a few steps (runtime/core/ahead.h). Where steps store elements it is the kernel in any case,
// but not where they read others in order and only store some, which is quick with what the host has read ahead.
//
// Not where a loop within does neither, which a thread of the device is slower with.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program loops_by_kernel(Program program);

}  // namespace heddle::host
