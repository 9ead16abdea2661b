/* One lane at a time, in plain C: the vector header of the scalar backend, and of all code that
 * works on single values. See node.h for what a vector header gives. */
#ifndef SS_ISA_SCALAR_H
#define SS_ISA_SCALAR_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#include "kahan/strict.h"

#define SS_C_f64 double
#define SS_C_f32 float

#define SS_SCALAR_OPS(T, V, FMA, ABS)                                                              \
    typedef V T##_vec;                                                                             \
    enum { T##_width = 1 };                                                                        \
    static inline V T##_load(const void *p)                                                        \
    {                                                                                              \
        V v;                                                                                       \
        memcpy(&v, p, sizeof v);                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline V T##_load_part(const void *p, int n, V pad)                                     \
    {                                                                                              \
        return n > 0 ? T##_load(p) : pad;                                                          \
    }                                                                                              \
    static inline void T##_store(void *p, V v)                                                     \
    {                                                                                              \
        memcpy(p, &v, sizeof v);                                                                   \
    }                                                                                              \
    static inline V T##_all(V v)                                                                   \
    {                                                                                              \
        return v;                                                                                  \
    }                                                                                              \
    static inline V T##_zero(void)                                                                 \
    {                                                                                              \
        return 0;                                                                                  \
    }                                                                                              \
    static inline V T##_add(V a, V b)                                                              \
    {                                                                                              \
        return a + b;                                                                              \
    }                                                                                              \
    static inline V T##_sub(V a, V b)                                                              \
    {                                                                                              \
        return a - b;                                                                              \
    }                                                                                              \
    static inline V T##_add2(V a, V b)                                                             \
    {                                                                                              \
        return a + b;                                                                              \
    }                                                                                              \
    static inline V T##_sub2(V a, V b)                                                             \
    {                                                                                              \
        return a - b;                                                                              \
    }                                                                                              \
    static inline V T##_mul(V a, V b)                                                              \
    {                                                                                              \
        return a * b;                                                                              \
    }                                                                                              \
    static inline V T##_fma(V a, V b, V c)                                                         \
    {                                                                                              \
        return FMA(a, b, c);                                                                       \
    }                                                                                              \
    static inline V T##_neg(V a)                                                                   \
    {                                                                                              \
        return -a;                                                                                 \
    }                                                                                              \
    static inline V T##_max(V a, V b)                                                              \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    static inline V T##_min(V a, V b)                                                              \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    /* x where it is lower (higher) than bound, else, as for a NaN, bound. */                      \
    static inline V T##_lower(V x, V bound)                                                        \
    {                                                                                              \
        return x < bound ? x : bound;                                                              \
    }                                                                                              \
    static inline V T##_higher(V x, V bound)                                                       \
    {                                                                                              \
        return x > bound ? x : bound;                                                              \
    }                                                                                              \
    /* Flags of lanes: set where a or b is a NaN, beside those already set. */                     \
    typedef int T##_flags;                                                                         \
    static inline int T##_flag_nans(int flags, V a, V b)                                           \
    {                                                                                              \
        return flags | isunordered(a, b);                                                          \
    }                                                                                              \
    static inline int T##_any(int flags)                                                           \
    {                                                                                              \
        return flags != 0;                                                                         \
    }                                                                                              \
    static inline V T##_abs(V a)                                                                   \
    {                                                                                              \
        return ABS(a);                                                                             \
    }

SS_SCALAR_OPS(f64, double, fma, fabs)
SS_SCALAR_OPS(f32, float, fmaf, fabsf)

static inline double f64_load_f32(const void *p)
{
    return f32_load(p);
}
static inline double f64_load_part_f32(const void *p, int n, float pad)
{
    return f32_load_part(p, n, pad);
}
static inline double f64_or(double a, double b)
{
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x |= y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static inline float f32_of_bits(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
/* p points to a binary16 value. Subnormal ones are whole numbers of 2^-24. */
static inline float f32_load_f16(const void *p)
{
    uint16_t half;
    memcpy(&half, p, sizeof half);
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, size = half & 0x7fff;
    if (size > 0x7c00) /* a NaN becomes quiet */
        return f32_of_bits(sign | 0x7fc00000 | size << 13);
    if (size == 0x7c00)
        return f32_of_bits(sign | 0x7f800000);
    if (size >= 0x0400)
        return f32_of_bits(sign | ((size << 13) + ((127 - 15) << 23)));
    float v = (float)size * 0x1p-24f;
    return sign ? -v : v;
}
static inline float f32_load_part_f16(const void *p, int n, uint16_t pad)
{
    return f32_load_f16(n > 0 ? p : &pad);
}
/* p points to a bfloat16 value. */
static inline float f32_load_bf16(const void *p)
{
    uint16_t half;
    memcpy(&half, p, sizeof half);
    return f32_of_bits((uint32_t)half << 16);
}
static inline float f32_load_part_bf16(const void *p, int n, uint16_t pad)
{
    return f32_load_bf16(n > 0 ? p : &pad);
}

#endif
