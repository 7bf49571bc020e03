// Operators and builtin functions on f16, after scalar_float.h. An hd_f16 is the bit pattern of a half, so C operators
// never apply to it. All arithmetic is that of f32, rounded once to half.
#ifndef HD_SCALAR_F16_H
#define HD_SCALAR_F16_H

typedef uint16_t hd_f16;

#ifdef __CUDACC__
HD_DEVICE float hd_fpconv_f16_f32(hd_f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
  return result;
}
HD_DEVICE hd_f16 hd_fpconv_f32_f16(float x) {
  hd_f16 result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
}
HD_DEVICE hd_f16 hd_fpconv_f64_f16(double x) {
  hd_f16 result;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(result) : "d"(x));
  return result;
}
#else
HD_DEVICE float hd_fpconv_f16_f32(hd_f16 x) {
  uint32_t sign = (uint32_t)(x & 0x8000u) << 16, exponent = x >> 10 & 0x1fu, mantissa = x & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: units of 2^-24
    float magnitude = (float)mantissa * 5.9604644775390625e-8f;
    return sign != 0 ? -magnitude : magnitude;
  }
  uint32_t biased = exponent == 0x1fu ? 0xffu : exponent + (127 - 15);
  return hd_from_bits32((int32_t)(sign | biased << 23 | mantissa << 13));
}
HD_DEVICE hd_f16 hd_fpconv_f64_f16(double x) {
  uint64_t bits = (uint64_t)hd_to_bits64(x);
  uint32_t sign = (uint32_t)(bits >> 48) & 0x8000u;
  uint64_t magnitude = bits & 0x7fffffffffffffffu;
  if (magnitude > 0x7ff0000000000000u) return (hd_f16)(sign | 0x7e00u | (uint32_t)(bits >> 42 & 0x3ffu));  // NaN
  int32_t exponent = (int32_t)(magnitude >> 52) - 1023;
  if (exponent > 15) return (hd_f16)(sign | 0x7c00u);
  if (exponent < -25) return (hd_f16)sign;
  // Half's last place is `dropped` bits above double's; below 2^-14 it no longer moves with the exponent.
  uint64_t mantissa = (magnitude & 0xfffffffffffffu) | 0x10000000000000u;
  int32_t dropped = exponent >= -14 ? 42 : 28 - exponent;
  uint64_t kept = mantissa >> dropped, rest = mantissa & (((uint64_t)1 << dropped) - 1),
           half = (uint64_t)1 << (dropped - 1);
  uint64_t rounded = kept + (rest > half || (rest == half && (kept & 1u) != 0));
  // The leading bit, and a carry out of rounding, add to the exponent field, in the end up to infinity.
  uint64_t base = exponent >= -14 ? (uint64_t)(exponent + 14) << 10 : 0;
  return (hd_f16)(sign | (uint32_t)(base + rounded));
}
HD_DEVICE hd_f16 hd_fpconv_f32_f16(float x) { return hd_fpconv_f64_f16(x); }
#endif

HD_DEVICE hd_f16 hd_fpconv_f16_f16(hd_f16 x) { return x; }
HD_DEVICE double hd_fpconv_f16_f64(hd_f16 x) { return hd_fpconv_f16_f32(x); }

// What f32 computes for NAME of one, two or three operands, rounded.
#define HD_F16_1(NAME, NAME32) \
  HD_DEVICE hd_f16 NAME(hd_f16 x) { return hd_fpconv_f32_f16(NAME32(hd_fpconv_f16_f32(x))); }
#define HD_F16_2(NAME, NAME32)                                                    \
  HD_DEVICE hd_f16 NAME(hd_f16 x, hd_f16 y) {                                     \
    return hd_fpconv_f32_f16(NAME32(hd_fpconv_f16_f32(x), hd_fpconv_f16_f32(y))); \
  }
#define HD_F16_3(NAME, NAME32)                                                                          \
  HD_DEVICE hd_f16 NAME(hd_f16 x, hd_f16 y, hd_f16 z) {                                                 \
    return hd_fpconv_f32_f16(NAME32(hd_fpconv_f16_f32(x), hd_fpconv_f16_f32(y), hd_fpconv_f16_f32(z))); \
  }
#define HD_F16_TEST1(NAME, NAME32) \
  HD_DEVICE bool NAME(hd_f16 x) { return NAME32(hd_fpconv_f16_f32(x)); }
#define HD_F16_TEST2(NAME, NAME32) \
  HD_DEVICE bool NAME(hd_f16 x, hd_f16 y) { return NAME32(hd_fpconv_f16_f32(x), hd_fpconv_f16_f32(y)); }

HD_F16_2(hd_fadd16, hd_fadd32)
HD_F16_2(hd_fsub16, hd_fsub32)
HD_F16_2(hd_fmul16, hd_fmul32)
HD_F16_2(hd_fdiv16, hd_fdiv32)
HD_F16_2(hd_fmod16, hd_fmod32)
HD_F16_2(hd_fpow16, hd_fpow32)
HD_F16_2(hd_fmin16, hd_fmin32)
HD_F16_2(hd_fmax16, hd_fmax32)
HD_F16_1(hd_fsignum16, hd_fsignum32)
HD_DEVICE hd_f16 hd_neg_f16(hd_f16 x) { return (hd_f16)(x ^ 0x8000u); }
HD_DEVICE hd_f16 hd_fabs16(hd_f16 x) { return (hd_f16)(x & 0x7fffu); }
HD_F16_TEST2(hd_eq_f16, hd_eq_f32)
HD_F16_TEST2(hd_lt16, hd_lt32)
HD_F16_TEST2(hd_le16, hd_le32)

HD_F16_TEST1(hd_isnan16, hd_isnan32)
HD_F16_TEST1(hd_isinf16, hd_isinf32)
HD_F16_1(hd_sqrt16, hd_sqrt32)
HD_F16_1(hd_cbrt16, hd_cbrt32)
HD_F16_1(hd_log16, hd_log32)
HD_F16_1(hd_log10_16, hd_log10_32)
HD_F16_1(hd_log1p_16, hd_log1p_32)
HD_F16_1(hd_log2_16, hd_log2_32)
HD_F16_1(hd_exp16, hd_exp32)
HD_F16_1(hd_sin16, hd_sin32)
HD_F16_1(hd_sinh16, hd_sinh32)
HD_F16_1(hd_cos16, hd_cos32)
HD_F16_1(hd_cosh16, hd_cosh32)
HD_F16_1(hd_tan16, hd_tan32)
HD_F16_1(hd_tanh16, hd_tanh32)
HD_F16_1(hd_asin16, hd_asin32)
HD_F16_1(hd_asinh16, hd_asinh32)
HD_F16_1(hd_acos16, hd_acos32)
HD_F16_1(hd_acosh16, hd_acosh32)
HD_F16_1(hd_atan16, hd_atan32)
HD_F16_1(hd_atanh16, hd_atanh32)
HD_F16_1(hd_round16, hd_round32)
HD_F16_1(hd_ceil16, hd_ceil32)
HD_F16_1(hd_floor16, hd_floor32)
HD_F16_1(hd_gamma16, hd_gamma32)
HD_F16_1(hd_lgamma16, hd_lgamma32)
HD_F16_1(hd_erf16, hd_erf32)
HD_F16_1(hd_erfc16, hd_erfc32)
HD_F16_2(hd_atan2_16, hd_atan2_32)
HD_F16_2(hd_hypot16, hd_hypot32)
HD_F16_3(hd_lerp16, hd_lerp32)
HD_F16_3(hd_mad16, hd_mad32)
HD_F16_3(hd_fma16, hd_fma32)
HD_DEVICE hd_f16 hd_ldexp16(hd_f16 x, int32_t e) { return hd_fpconv_f32_f16(hd_ldexp32(hd_fpconv_f16_f32(x), e)); }
HD_DEVICE hd_f16 hd_copysign16(hd_f16 x, hd_f16 y) { return (hd_f16)((x & 0x7fffu) | (y & 0x8000u)); }
HD_DEVICE hd_f16 hd_nextafter16(hd_f16 x, hd_f16 y) {
  float from = hd_fpconv_f16_f32(x), to = hd_fpconv_f16_f32(y);
  if (from != from) return x;
  if (to != to || from == to) return y;
  if (from == 0) return (hd_f16)((y & 0x8000u) | 1u);
  // Bit patterns of one sign are ordered by magnitude.
  return (hd_f16)((from < to) == (from > 0) ? x + 1 : x - 1);
}
HD_DEVICE hd_f16 hd_cond_f16(bool c, hd_f16 x, hd_f16 y) { return c ? x : y; }
HD_DEVICE int16_t hd_to_bits16(hd_f16 x) { return (int16_t)x; }
HD_DEVICE hd_f16 hd_from_bits16(int16_t x) { return (hd_f16)x; }

HD_F16_TEST1(hd_ftob_f16_bool, hd_ftob_f32_bool)
HD_DEVICE hd_f16 hd_btof_bool_f16(bool x) { return x ? 0x3c00u : 0u; }

// Integers too large for f32 to hold exactly are infinite as halves, so that going through f32 rounds only once.
#define HD_F16_INT(V, S)                                                                            \
  HD_DEVICE S hd_fptosi_f16_i##V(hd_f16 x) { return hd_fptosi_f32_i##V(hd_fpconv_f16_f32(x)); }     \
  HD_DEVICE S hd_fptoui_f16_i##V(hd_f16 x) { return hd_fptoui_f32_i##V(hd_fpconv_f16_f32(x)); }     \
  HD_DEVICE hd_f16 hd_sitofp_i##V##_f16(S x) { return hd_fpconv_f32_f16(hd_sitofp_i##V##_f32(x)); } \
  HD_DEVICE hd_f16 hd_uitofp_i##V##_f16(S x) { return hd_fpconv_f32_f16(hd_uitofp_i##V##_f32(x)); }

HD_F16_INT(8, int8_t)
HD_F16_INT(16, int16_t)
HD_F16_INT(32, int32_t)
HD_F16_INT(64, int64_t)

#endif
