/* The operations of one thread of a CUDA device, for kahan/node.h: vectors of one number. Inline
 * PTX, so that no flag of the compiler (-use_fast_math, -ftz, -fmad) changes a bit: every operation
 * rounds once, to nearest even, and keeps subnormals (SPEC.md, section 2). */
#ifndef SS_ISA_CUDA_H
#define SS_ISA_CUDA_H

#define SS_INLINE static __device__ __forceinline__

typedef double f64_vec;
typedef float f32_vec;

#define SS_ISA_CUDA(T, type, reg, suffix)                                                          \
    SS_INLINE type T##_add(type a, type b)                                                         \
    {                                                                                              \
        type r;                                                                                    \
        asm("add.rn." suffix " %0, %1, %2;" : "=" reg(r) : reg(a), reg(b));                        \
        return r;                                                                                  \
    }                                                                                              \
    SS_INLINE type T##_sub(type a, type b)                                                         \
    {                                                                                              \
        type r;                                                                                    \
        asm("sub.rn." suffix " %0, %1, %2;" : "=" reg(r) : reg(a), reg(b));                        \
        return r;                                                                                  \
    }                                                                                              \
    SS_INLINE type T##_mul(type a, type b)                                                         \
    {                                                                                              \
        type r;                                                                                    \
        asm("mul.rn." suffix " %0, %1, %2;" : "=" reg(r) : reg(a), reg(b));                        \
        return r;                                                                                  \
    }                                                                                              \
    SS_INLINE type T##_fma(type a, type b, type c)                                                 \
    {                                                                                              \
        type r;                                                                                    \
        asm("fma.rn." suffix " %0, %1, %2, %3;" : "=" reg(r) : reg(a), reg(b), reg(c));            \
        return r;                                                                                  \
    }                                                                                              \
    SS_INLINE type T##_div(type a, type b)                                                         \
    {                                                                                              \
        type r;                                                                                    \
        asm("div.rn." suffix " %0, %1, %2;" : "=" reg(r) : reg(a), reg(b));                        \
        return r;                                                                                  \
    }                                                                                              \
    SS_INLINE type T##_sqrt(type a)                                                                \
    {                                                                                              \
        type r;                                                                                    \
        asm("sqrt.rn." suffix " %0, %1;" : "=" reg(r) : reg(a));                                   \
        return r;                                                                                  \
    }                                                                                              \
    SS_INLINE type T##_add2(type a, type b)                                                        \
    {                                                                                              \
        return T##_add(a, b);                                                                      \
    }                                                                                              \
    SS_INLINE type T##_sub2(type a, type b)                                                        \
    {                                                                                              \
        return T##_sub(a, b);                                                                      \
    }                                                                                              \
    SS_INLINE type T##_zero(void)                                                                  \
    {                                                                                              \
        return 0;                                                                                  \
    }

SS_ISA_CUDA(f64, double, "d", "f64")
SS_ISA_CUDA(f32, float, "f", "f32")
#undef SS_ISA_CUDA

/* Signs by their bits: abs and neg of PTX may flush a subnormal under -ftz. */
SS_INLINE double f64_abs(double a)
{
    return __longlong_as_double(__double_as_longlong(a) & 0x7fffffffffffffffLL);
}
SS_INLINE double f64_neg(double a)
{
    return __longlong_as_double(__double_as_longlong(a) ^ (long long)0x8000000000000000ULL);
}
SS_INLINE float f32_abs(float a)
{
    return __int_as_float(__float_as_int(a) & 0x7fffffff);
}
SS_INLINE float f32_neg(float a)
{
    return __int_as_float(__float_as_int(a) ^ (int)0x80000000u);
}

/* Rounds once to binary32; widens exactly. */
SS_INLINE float f32_of_f64(double a)
{
    float r;
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(r) : "d"(a));
    return r;
}
SS_INLINE double f64_of_f32(float a)
{
    double r;
    asm("cvt.f64.f32 %0, %1;" : "=d"(r) : "f"(a));
    return r;
}

#define SS_T f64
#include "../kahan/node.h"
#undef SS_T
#define SS_T f32
#include "../kahan/node.h"
#undef SS_T

#endif
