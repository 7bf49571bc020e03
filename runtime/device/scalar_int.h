// Operators and builtin functions on integers and booleans. Needs prelude.h before it, as the other scalar_*.h files
// do: HD_DEVICE, bool and the types of <stdint.h>.
//
// Every function is defined for all operands unless it says otherwise. Signed types hold all integers; arithmetic goes
// through the unsigned type P of at least 32 bits, since signed overflow (also that of narrow types promoted to int) is
// undefined.
#ifndef HD_SCALAR_INT_H
#define HD_SCALAR_INT_H

#ifdef __CUDACC__
// GPUs do not trap on division, and whoever may divide by zero uses the _safe operators, so no check is worth its cost.
#define HD_DIVISION_TRAPS(U, y) false
#else
// Divisors 0 and -1: x / 0, and the least integer divided by -1.
#define HD_DIVISION_TRAPS(U, y) ((U)((U)(y) + 1u) <= 1u)
#endif

// W: width, S and U: the signed and unsigned type, P: the unsigned type to compute in.
#define HD_INT_ARITHMETIC(W, S, U, P)                                                   \
  HD_DEVICE S hd_add##W(S x, S y) { return (S)((P)x + (P)y); }                          \
  HD_DEVICE S hd_sub##W(S x, S y) { return (S)((P)x - (P)y); }                          \
  HD_DEVICE S hd_mul##W(S x, S y) { return (S)((P)x * (P)y); }                          \
  /* Undefined on overflow, which is what helps the C compiler. */                      \
  HD_DEVICE S hd_add_nw##W(S x, S y) { return (S)(x + y); }                             \
  HD_DEVICE S hd_sub_nw##W(S x, S y) { return (S)(x - y); }                             \
  HD_DEVICE S hd_mul_nw##W(S x, S y) { return (S)(x * y); }                             \
  HD_DEVICE S hd_neg_i##W(S x) { return (S)(0u - (P)x); }                               \
  HD_DEVICE S hd_complement##W(S x) { return (S)~x; }                                   \
  HD_DEVICE S hd_abs##W(S x) { return x < 0 ? hd_neg_i##W(x) : x; }                     \
  HD_DEVICE S hd_ssignum##W(S x) { return (S)((x > 0) - (x < 0)); }                     \
  HD_DEVICE S hd_usignum##W(S x) { return (S)(x != 0); }                                \
  HD_DEVICE S hd_smin##W(S x, S y) { return x < y ? x : y; }                            \
  HD_DEVICE S hd_smax##W(S x, S y) { return x < y ? y : x; }                            \
  HD_DEVICE S hd_umin##W(S x, S y) { return (U)x < (U)y ? x : y; }                      \
  HD_DEVICE S hd_umax##W(S x, S y) { return (U)x < (U)y ? y : x; }                      \
  HD_DEVICE S hd_and##W(S x, S y) { return (S)(x & y); }                                \
  HD_DEVICE S hd_or##W(S x, S y) { return (S)(x | y); }                                 \
  HD_DEVICE S hd_xor##W(S x, S y) { return (S)(x ^ y); }                                \
  /* Shifting by W or more, or by a negative number, shifts everything out. */          \
  HD_DEVICE S hd_shl##W(S x, S y) { return (U)y < W ? (S)((P)x << (U)y) : (S)0; }       \
  HD_DEVICE S hd_lshr##W(S x, S y) { return (U)y < W ? (S)((U)x >> (U)y) : (S)0; }      \
  HD_DEVICE S hd_ashr##W(S x, S y) { return (S)(x >> ((U)y < W ? (U)y : (U)(W - 1))); } \
  /* A negative exponent counts as unsigned. */                                         \
  HD_DEVICE S hd_pow##W(S x, S y) {                                                     \
    P result = 1, base = (P)x;                                                          \
    for (U rest = (U)y; rest != 0; rest = (U)(rest >> 1)) {                             \
      if (rest & 1u) result *= base;                                                    \
      base *= base;                                                                     \
    }                                                                                   \
    return (S)result;                                                                   \
  }                                                                                     \
  HD_DEVICE bool hd_eq_i##W(S x, S y) { return x == y; }                                \
  HD_DEVICE bool hd_ult##W(S x, S y) { return (U)x < (U)y; }                            \
  HD_DEVICE bool hd_ule##W(S x, S y) { return (U)x <= (U)y; }                           \
  HD_DEVICE bool hd_slt##W(S x, S y) { return x < y; }                                  \
  HD_DEVICE bool hd_sle##W(S x, S y) { return x <= y; }                                 \
  HD_DEVICE bool hd_itob_i##W##_bool(S x) { return x != 0; }                            \
  /* Not by a choice: of several that follow from one value GCC makes branches. */      \
  HD_DEVICE S hd_btoi_bool_i##W(bool x) { return (S)x; }                                \
  HD_DEVICE S hd_cond_i##W(bool c, S x, S y) { return c ? x : y; }

// `value` where the condition holds, else 0. A processor that has to guess the sign of a remainder guesses wrong half of the time.
#ifdef __CUDACC__
#define HD_WHERE(S, condition, value) ((condition) ? (value) : (S)0)
#else
#define HD_WHERE(S, condition, value) ((S)((value) & (S) - (S)(condition)))
#endif

// Dividing by zero yields some number.
#define HD_INT_DIVISION(W, S, U, P)                                                                               \
  HD_DEVICE S hd_udiv_safe##W(S x, S y) { return y == 0 ? (S)0 : (S)((U)x / (U)y); }                              \
  HD_DEVICE S hd_umod_safe##W(S x, S y) { return y == 0 ? (S)0 : (S)((U)x % (U)y); }                              \
  HD_DEVICE S hd_udiv##W(S x, S y) { return HD_DIVISION_TRAPS(U, y) ? hd_udiv_safe##W(x, y) : (S)((U)x / (U)y); } \
  HD_DEVICE S hd_umod##W(S x, S y) { return HD_DIVISION_TRAPS(U, y) ? hd_umod_safe##W(x, y) : (S)((U)x % (U)y); } \
  HD_DEVICE S hd_udiv_up_safe##W(S x, S y) { return y == 0 ? (S)0 : (S)(((P)(U)x + (U)y - 1u) / (U)y); }          \
  HD_DEVICE S hd_udiv_up##W(S x, S y) {                                                                           \
    return HD_DIVISION_TRAPS(U, y) ? hd_udiv_up_safe##W(x, y) : (S)(((P)(U)x + (U)y - 1u) / (U)y);                \
  }                                                                                                               \
  HD_DEVICE S hd_squot##W(S x, S y) {                                                                             \
    if (HD_DIVISION_TRAPS(U, y)) return y == 0 ? (S)0 : hd_neg_i##W(x);                                           \
    return (S)(x / y);                                                                                            \
  }                                                                                                               \
  HD_DEVICE S hd_srem##W(S x, S y) { return HD_DIVISION_TRAPS(U, y) ? (S)0 : (S)(x % y); }                        \
  /* Futhark's sdiv and smod round towards negative infinity. */                                                  \
  HD_DEVICE S hd_sdiv##W(S x, S y) {                                                                              \
    S q = hd_squot##W(x, y), r = hd_srem##W(x, y);                                                                \
    return (S)(q - (r != 0 && (r < 0) != (y < 0)));                                                               \
  }                                                                                                               \
  HD_DEVICE S hd_smod##W(S x, S y) {                                                                              \
    S r = hd_srem##W(x, y);                                                                                       \
    return (S)(r + HD_WHERE(S, (r != 0) & ((r < 0) != (y < 0)), y));                                              \
  }                                                                                                               \
  HD_DEVICE S hd_sdiv_up##W(S x, S y) { return hd_sdiv##W((S)((P)x + (P)y - 1u), y); }                            \
  HD_DEVICE S hd_squot_safe##W(S x, S y) { return y == 0 ? (S)0 : hd_squot##W(x, y); }                            \
  HD_DEVICE S hd_srem_safe##W(S x, S y) { return y == 0 ? (S)0 : hd_srem##W(x, y); }                              \
  HD_DEVICE S hd_sdiv_safe##W(S x, S y) { return y == 0 ? (S)0 : hd_sdiv##W(x, y); }                              \
  HD_DEVICE S hd_smod_safe##W(S x, S y) { return y == 0 ? (S)0 : hd_smod##W(x, y); }                              \
  HD_DEVICE S hd_sdiv_up_safe##W(S x, S y) { return y == 0 ? (S)0 : hd_sdiv_up##W(x, y); }

// From width V, whose types are S and U, to width W, whose signed type is T.
#define HD_INT_CONVERSION(V, S, U, W, T)                \
  HD_DEVICE T hd_sext_i##V##_i##W(S x) { return (T)x; } \
  HD_DEVICE T hd_zext_i##V##_i##W(S x) { return (T)(U)x; }

#define HD_INT(W, S, U, P)                \
  HD_INT_ARITHMETIC(W, S, U, P)           \
  HD_INT_DIVISION(W, S, U, P)             \
  HD_INT_CONVERSION(W, S, U, 8, int8_t)   \
  HD_INT_CONVERSION(W, S, U, 16, int16_t) \
  HD_INT_CONVERSION(W, S, U, 32, int32_t) \
  HD_INT_CONVERSION(W, S, U, 64, int64_t)

HD_INT(8, int8_t, uint8_t, uint32_t)
HD_INT(16, int16_t, uint16_t, uint32_t)
HD_INT(32, int32_t, uint32_t, uint32_t)
HD_INT(64, int64_t, uint64_t, uint64_t)

// Counting bits.
#ifdef __CUDACC__
HD_DEVICE int32_t hd_clz32(int32_t x) { return __clz(x); }
HD_DEVICE int32_t hd_clz64(int64_t x) { return __clzll(x); }
HD_DEVICE int32_t hd_popc32(int32_t x) { return __popc((uint32_t)x); }
HD_DEVICE int32_t hd_popc64(int64_t x) { return __popcll((uint64_t)x); }
HD_DEVICE int32_t hd_ctz32(int32_t x) { return x == 0 ? 32 : __ffs(x) - 1; }
HD_DEVICE int32_t hd_ctz64(int64_t x) { return x == 0 ? 64 : __ffsll(x) - 1; }
#else
HD_DEVICE int32_t hd_clz32(int32_t x) { return x == 0 ? 32 : __builtin_clz((uint32_t)x); }
HD_DEVICE int32_t hd_clz64(int64_t x) { return x == 0 ? 64 : __builtin_clzll((uint64_t)x); }
HD_DEVICE int32_t hd_popc32(int32_t x) { return __builtin_popcount((uint32_t)x); }
HD_DEVICE int32_t hd_popc64(int64_t x) { return __builtin_popcountll((uint64_t)x); }
HD_DEVICE int32_t hd_ctz32(int32_t x) { return x == 0 ? 32 : __builtin_ctz((uint32_t)x); }
HD_DEVICE int32_t hd_ctz64(int64_t x) { return x == 0 ? 64 : __builtin_ctzll((uint64_t)x); }
#endif

#define HD_NARROW_BITS(W, S, U)                                                     \
  HD_DEVICE int32_t hd_clz##W(S x) { return hd_clz32((int32_t)(U)x) - (32 - W); }   \
  HD_DEVICE int32_t hd_ctz##W(S x) { return x == 0 ? W : hd_ctz32((int32_t)(U)x); } \
  HD_DEVICE int32_t hd_popc##W(S x) { return hd_popc32((int32_t)(U)x); }

HD_NARROW_BITS(8, int8_t, uint8_t)
HD_NARROW_BITS(16, int16_t, uint16_t)

// The high half of a product. GCC 12 vectorizes 64-bit products of 16-bit integers as if these were signed, so that no product is
// longer than it need be.
#define HD_NARROW_MUL_HI(W, S, U, SIGNED, UNSIGNED)                                         \
  HD_DEVICE S hd_umul_hi##W(S x, S y) { return (S)((UNSIGNED)(U)x * (UNSIGNED)(U)y >> W); } \
  HD_DEVICE S hd_smul_hi##W(S x, S y) { return (S)((SIGNED)x * (SIGNED)y >> W); }

HD_NARROW_MUL_HI(8, int8_t, uint8_t, int32_t, uint32_t)
HD_NARROW_MUL_HI(16, int16_t, uint16_t, int32_t, uint32_t)
HD_NARROW_MUL_HI(32, int32_t, uint32_t, int64_t, uint64_t)
#ifdef __CUDACC__
HD_DEVICE int64_t hd_umul_hi64(int64_t x, int64_t y) { return (int64_t)__umul64hi((uint64_t)x, (uint64_t)y); }
HD_DEVICE int64_t hd_smul_hi64(int64_t x, int64_t y) { return __mul64hi(x, y); }
#else
HD_DEVICE int64_t hd_umul_hi64(int64_t x, int64_t y) {
  return (int64_t)((unsigned __int128)(uint64_t)x * (uint64_t)y >> 64);
}
HD_DEVICE int64_t hd_smul_hi64(int64_t x, int64_t y) { return (int64_t)((__int128)x * y >> 64); }
#endif

#define HD_MAD_HI(W, S)                                                                  \
  HD_DEVICE S hd_umad_hi##W(S x, S y, S z) { return hd_add##W(hd_umul_hi##W(x, y), z); } \
  HD_DEVICE S hd_smad_hi##W(S x, S y, S z) { return hd_add##W(hd_smul_hi##W(x, y), z); }

HD_MAD_HI(8, int8_t)
HD_MAD_HI(16, int16_t)
HD_MAD_HI(32, int32_t)
HD_MAD_HI(64, int64_t)

// The same as hd_shl32 and hd_lshr32, for numbers y that a compiler does not know: the device's own shifts shift everything out,
// too, which its compiler does not see in a comparison.
#ifdef __CUDACC__
HD_DEVICE int32_t hd_shl32_by_any(int32_t x, int32_t y) {
  return (int32_t)__funnelshift_lc(0u, (uint32_t)x, (uint32_t)y);
}
HD_DEVICE int32_t hd_lshr32_by_any(int32_t x, int32_t y) {
  return (int32_t)__funnelshift_rc((uint32_t)x, 0u, (uint32_t)y);
}
#else
HD_DEVICE int32_t hd_shl32_by_any(int32_t x, int32_t y) { return hd_shl32(x, y); }
HD_DEVICE int32_t hd_lshr32_by_any(int32_t x, int32_t y) { return hd_lshr32(x, y); }
#endif

HD_DEVICE bool hd_logand(bool x, bool y) { return x && y; }
HD_DEVICE bool hd_logor(bool x, bool y) { return x || y; }
HD_DEVICE bool hd_neg_bool(bool x) { return !x; }
HD_DEVICE bool hd_eq_bool(bool x, bool y) { return x == y; }
HD_DEVICE bool hd_llt(bool x, bool y) { return !x && y; }
HD_DEVICE bool hd_lle(bool x, bool y) { return !x || y; }
HD_DEVICE bool hd_cond_bool(bool c, bool x, bool y) { return c ? x : y; }

#endif
