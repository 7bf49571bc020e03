// Arithmetic on integers as the device has it, where it follows from types and constants between which numbers they lie:
//
//   x_1 sdiv 256                                        =>   x_1 ashr 8                 rounded down, as a shift is
//   x_1 smod 2                                          =>   x_1 and 1
//   max(0i64, min(1023i64, sext i16 x_1 to i64))        =>   zext i32 (max(0i32, min(1023i32, sext i16 x_1 to i32))) to i64
//   max(0i64, min(1023i64, fptosi f32 x_1 to i64))      =>   the same with fptosi f32 x_1 to i32       it cuts off what is beyond its ends
//   zext i32 (min(1023i32, x_1)) to i64 - 256 * i_2     =>   sext i32 (min(1023i32, x_1) - 256i32 * zext i64 i_2 to i32) to i64      of few i_2
//   zext i8 (zext i32 x_1 to i8) to i32                 =>   x_1                        of 0 to 255
//   (32i16 * x_1) sdiv 32i16                            =>   x_1                        where the product does not wrap around
//   if a_1 <u b_2 then b_2 - a_1 else a_1 - b_2         =>   zext i32 (abs (zext i16 a_1 to i32 - zext i16 b_2 to i32)) to i16
//
// The device's compiler divides towards zero and corrects that, seven instructions; it has two or three for what has 64 bits, and does not know that
// the sum of two bytes and one, halved, is a byte.
#pragma once

#include "ir/nest/nest.h"

namespace heddle::nest {

Block short_integers(const Block& block);

}  // namespace heddle::nest
