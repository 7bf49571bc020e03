// Division by what the host knows, with products: a device takes some twenty instructions for a division of 32 bits, and a
// hundred for one of 64.
#ifndef HD_QUOTIENT_H
#define HD_QUOTIENT_H

#include "runtime/device/prelude.h"
#include "runtime/device/scalar_int.h"

HD_DEVICE uint32_t hd_quotient(uint32_t n, struct hd_divisor by) {
  return (uint32_t)(((uint64_t)n * by.multiplier) >> by.shift);
}

// Rounded down, as hd_sdiv64 and hd_smod64; `by` is made of y, which is not 0. Of a negative x, ~x is divided, since ~floor(~x / y) is floor(x / y).
HD_DEVICE int64_t hd_sdiv64_by(int64_t x, int64_t y, struct hd_long_divisor by) {
  int64_t sign = x >> 63;
  int64_t doubled = (int64_t)((uint64_t)(x ^ sign) << 1);
  int64_t q = (int64_t)((uint64_t)hd_umul_hi64(doubled, (int64_t)by.multiplier) >> by.shift) ^ sign;
  // That was by -y: what is rounded down so must be rounded up before its sign changes.
  if (y < 0) q = hd_sub64(0, hd_add64(q, hd_add64(x, hd_mul64(q, y)) != 0));
  return q;
}
HD_DEVICE int64_t hd_smod64_by(int64_t x, int64_t y, struct hd_long_divisor by) {
  return hd_sub64(x, hd_mul64(hd_sdiv64_by(x, y, by), y));
}

#endif
