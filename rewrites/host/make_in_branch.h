// Makes and fills an array in the branch that alone mentions it, so that there is none where another is taken.
//
//   alloc numbers_1: i64[n_2];                =>   if n_2 <= 1 {
//   iota numbers_1 := 0, 1;                          alloc numbers_1: i64[n_2];
//   if n_2 <= 1 {                                    iota numbers_1 := 0, 1;
//     share order_3 = numbers_1;                     share order_3 = numbers_1;
//     yield order_3;                                 free numbers_1;
//   } else {                                         yield order_3;
//     alloc sorted_4: i64[n_2];                    } else {
//     launch 0 (n_2) (sorted_4);                     alloc sorted_4: i64[n_2];
//     yield sorted_4;                                launch 0 (n_2) (sorted_4);
//   } giving (order_5: i64[]);                       yield sorted_4;
//   free numbers_1;                                } giving (order_5: i64[]);
//
// Sorts of the numbers of elements have it, which begin with the case that there is nothing to do.
#pragma once

#include "ir/host/host.h"

namespace heddle::host {

Program make_in_branch(Program program);

}  // namespace heddle::host
