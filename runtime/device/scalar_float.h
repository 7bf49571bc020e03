// Operators and builtin functions on f32 and f64, after scalar_int.h. Plain operators stay plain C, so that the device
// compiler contracts products and sums as usual.
#ifndef HD_SCALAR_FLOAT_H
#define HD_SCALAR_FLOAT_H

#ifndef __CUDACC__
#include <math.h>
#endif

// W: width, T: type, M: suffix of the type's functions in <math.h>, which CUDA has built in.
#define HD_FLOAT_ARITHMETIC(W, T, M)                                                                   \
  HD_DEVICE T hd_fadd##W(T x, T y) { return x + y; }                                                   \
  HD_DEVICE T hd_fsub##W(T x, T y) { return x - y; }                                                   \
  HD_DEVICE T hd_fmul##W(T x, T y) { return x * y; }                                                   \
  HD_DEVICE T hd_fdiv##W(T x, T y) { return x / y; }                                                   \
  HD_DEVICE T hd_fmod##W(T x, T y) { return fmod##M(x, y); }                                           \
  HD_DEVICE T hd_fpow##W(T x, T y) { return pow##M(x, y); }                                            \
  HD_DEVICE T hd_fmin##W(T x, T y) { return fmin##M(x, y); } /* the number where one operand is NaN */ \
  HD_DEVICE T hd_fmax##W(T x, T y) { return fmax##M(x, y); }                                           \
  HD_DEVICE T hd_neg_f##W(T x) { return -x; }                                                          \
  HD_DEVICE T hd_fabs##W(T x) { return fabs##M(x); }                                                   \
  HD_DEVICE T hd_fsignum##W(T x) { return x != x ? x : (T)((x > 0) - (x < 0)); }                       \
  HD_DEVICE bool hd_eq_f##W(T x, T y) { return x == y; }                                               \
  HD_DEVICE bool hd_lt##W(T x, T y) { return x < y; }                                                  \
  HD_DEVICE bool hd_le##W(T x, T y) { return x <= y; }                                                 \
  HD_DEVICE bool hd_isnan##W(T x) { return isnan(x); }                                                 \
  HD_DEVICE bool hd_isinf##W(T x) { return isinf(x); }                                                 \
  HD_DEVICE T hd_lerp##W(T x, T y, T t) { return x + (y - x) * t; }                                    \
  HD_DEVICE T hd_mad##W(T x, T y, T z) { return x * y + z; }                                           \
  HD_DEVICE T hd_ldexp##W(T x, int32_t e) { return ldexp##M(x, e); }                                   \
  HD_DEVICE T hd_nextafter##W(T x, T y) { return nextafter##M(x, y); }                                 \
  HD_DEVICE T hd_copysign##W(T x, T y) { return copysign##M(x, y); }                                   \
  HD_DEVICE T hd_round##W(T x) { return rint##M(x); } /* halves to even */                             \
  HD_DEVICE T hd_ceil##W(T x) { return ceil##M(x); }                                                   \
  HD_DEVICE T hd_floor##W(T x) { return floor##M(x); }                                                 \
  HD_DEVICE T hd_cond_f##W(bool c, T x, T y) { return c ? x : y; }

#define HD_FLOAT_MATHEMATICS(W, T, M)                           \
  HD_DEVICE T hd_sqrt##W(T x) { return sqrt##M(x); }            \
  HD_DEVICE T hd_cbrt##W(T x) { return cbrt##M(x); }            \
  HD_DEVICE T hd_log##W(T x) { return log##M(x); }              \
  HD_DEVICE T hd_log10_##W(T x) { return log10##M(x); }         \
  HD_DEVICE T hd_log1p_##W(T x) { return log1p##M(x); }         \
  HD_DEVICE T hd_log2_##W(T x) { return log2##M(x); }           \
  HD_DEVICE T hd_exp##W(T x) { return exp##M(x); }              \
  HD_DEVICE T hd_sin##W(T x) { return sin##M(x); }              \
  HD_DEVICE T hd_sinh##W(T x) { return sinh##M(x); }            \
  HD_DEVICE T hd_cos##W(T x) { return cos##M(x); }              \
  HD_DEVICE T hd_cosh##W(T x) { return cosh##M(x); }            \
  HD_DEVICE T hd_tan##W(T x) { return tan##M(x); }              \
  HD_DEVICE T hd_tanh##W(T x) { return tanh##M(x); }            \
  HD_DEVICE T hd_asin##W(T x) { return asin##M(x); }            \
  HD_DEVICE T hd_asinh##W(T x) { return asinh##M(x); }          \
  HD_DEVICE T hd_acos##W(T x) { return acos##M(x); }            \
  HD_DEVICE T hd_acosh##W(T x) { return acosh##M(x); }          \
  HD_DEVICE T hd_atan##W(T x) { return atan##M(x); }            \
  HD_DEVICE T hd_atanh##W(T x) { return atanh##M(x); }          \
  HD_DEVICE T hd_atan2_##W(T x, T y) { return atan2##M(x, y); } \
  HD_DEVICE T hd_hypot##W(T x, T y) { return hypot##M(x, y); }  \
  HD_DEVICE T hd_gamma##W(T x) { return tgamma##M(x); }         \
  HD_DEVICE T hd_lgamma##W(T x) { return lgamma##M(x); }        \
  HD_DEVICE T hd_erf##W(T x) { return erf##M(x); }              \
  HD_DEVICE T hd_erfc##W(T x) { return erfc##M(x); }

// I: the integer type of the same width.
#define HD_FLOAT_BITS(W, T, I)       \
  union hd_float_bits##W {           \
    T f;                             \
    I i;                             \
  };                                 \
  HD_DEVICE I hd_to_bits##W(T x) {   \
    union hd_float_bits##W u;        \
    u.f = x;                         \
    return u.i;                      \
  }                                  \
  HD_DEVICE T hd_from_bits##W(I x) { \
    union hd_float_bits##W u;        \
    u.i = x;                         \
    return u.f;                      \
  }

// To integers: truncation. What is beyond the type becomes its least or greatest value, as a GPU does it, where C leaves
// it open (Futhark's C programs then have the least on x86). NaN and infinities give 0, as Futhark has it. Unsigned types
// also take the negative numbers that the signed one holds, and wrap them. Narrow types wrap what 32 bits make of it.
// S, U: the integer types of V bits; SN, UN: their names in CUDA's conversions, which are one instruction each and leave nothing open; that
// compilers can have made before they know whether it counts.
#ifdef __CUDA_ARCH__
#define HD_FLOAT_TO_WIDE_INT(W, T, V, S, U, SN, UN)                              \
  HD_DEVICE S hd_fptosi_f##W##_i##V(T x) {                                       \
    const S whole = (S)__##T##2##SN##_rz(x);                                     \
    return isfinite(x) ? whole : 0;                                              \
  }                                                                              \
  HD_DEVICE S hd_fptoui_f##W##_i##V(T x) {                                       \
    const S negative = (S)__##T##2##SN##_rz(x), whole = (S)__##T##2##UN##_rz(x); \
    return isfinite(x) ? (x < 0 ? negative : whole) : 0;                         \
  }
#else
#define HD_FLOAT_TO_WIDE_INT(W, T, V, S, U, SN, UN)                        \
  HD_DEVICE S hd_fptosi_f##W##_i##V(T x) {                                 \
    const U half = (U)1 << (V - 1);                                        \
    if (x >= -(T)half && x < (T)half) return (S)x;                         \
    return isnan(x) || isinf(x) ? 0 : (S)(x < 0 ? half : half - 1);        \
  }                                                                        \
  HD_DEVICE S hd_fptoui_f##W##_i##V(T x) {                                 \
    const U half = (U)1 << (V - 1);                                        \
    if (x >= -(T)half && x < (T)half) return (S)x;                         \
    if (x > 0 && x < 2 * (T)half) return (S)(U)x;                          \
    return isnan(x) || isinf(x) ? 0 : (S)(x < 0 ? half : half - 1 + half); \
  }
#endif

#define HD_FLOAT_TO_INT(W, T, SIGN)                                                                    \
  HD_DEVICE int16_t hd_fpto##SIGN##_f##W##_i16(T x) { return (int16_t)hd_fpto##SIGN##_f##W##_i32(x); } \
  HD_DEVICE int8_t hd_fpto##SIGN##_f##W##_i8(T x) { return (int8_t)hd_fpto##SIGN##_f##W##_i32(x); }

#define HD_FLOAT_FROM_INT(W, T, V, S, U)                  \
  HD_DEVICE T hd_sitofp_i##V##_f##W(S x) { return (T)x; } \
  HD_DEVICE T hd_uitofp_i##V##_f##W(S x) { return (T)(U)x; }

#define HD_FLOAT(W, T, M, I)                                   \
  HD_FLOAT_ARITHMETIC(W, T, M)                                 \
  HD_FLOAT_MATHEMATICS(W, T, M)                                \
  HD_FLOAT_BITS(W, T, I)                                       \
  HD_FLOAT_TO_WIDE_INT(W, T, 32, int32_t, uint32_t, int, uint) \
  HD_FLOAT_TO_WIDE_INT(W, T, 64, int64_t, uint64_t, ll, ull)   \
  HD_FLOAT_TO_INT(W, T, si)                                    \
  HD_FLOAT_TO_INT(W, T, ui)                                    \
  HD_FLOAT_FROM_INT(W, T, 8, int8_t, uint8_t)                  \
  HD_FLOAT_FROM_INT(W, T, 16, int16_t, uint16_t)               \
  HD_FLOAT_FROM_INT(W, T, 32, int32_t, uint32_t)               \
  HD_FLOAT_FROM_INT(W, T, 64, int64_t, uint64_t)               \
  HD_DEVICE bool hd_ftob_f##W##_bool(T x) { return x != 0; }   \
  HD_DEVICE T hd_btof_bool_f##W(bool x) { return (T)(x ? 1 : 0); }

HD_FLOAT(32, float, f, int32_t)
HD_FLOAT(64, double, , int64_t)

// In one instruction, whatever z is: of x * y - 0.0 compilers would make a product, and contract that with a sum.
#ifdef __CUDACC__
HD_DEVICE float hd_fma32(float x, float y, float z) {
  float result;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(result) : "f"(x), "f"(y), "f"(z));
  return result;
}
HD_DEVICE double hd_fma64(double x, double y, double z) {
  double result;
  asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(result) : "d"(x), "d"(y), "d"(z));
  return result;
}
#else
HD_DEVICE float hd_fma32(float x, float y, float z) { return fmaf(x, y, z); }
HD_DEVICE double hd_fma64(double x, double y, double z) { return fma(x, y, z); }
#endif

HD_DEVICE float hd_fpconv_f32_f32(float x) { return x; }
HD_DEVICE double hd_fpconv_f32_f64(float x) { return x; }
HD_DEVICE float hd_fpconv_f64_f32(double x) { return (float)x; }
HD_DEVICE double hd_fpconv_f64_f64(double x) { return x; }

#endif
