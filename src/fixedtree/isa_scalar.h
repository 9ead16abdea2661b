/* One lane at a time, in plain C: the vector header of the scalar backend, and of all code that
 * works on single values. See node.h for what a vector header gives. */
#ifndef SS_ISA_SCALAR_H
#define SS_ISA_SCALAR_H

#include <math.h>
#include <string.h>
#include "kahan/strict.h"

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

#endif
