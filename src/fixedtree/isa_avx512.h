/* AVX-512F: 512-bit registers. See node.h for what a vector header gives. */
#ifndef SS_ISA_AVX512_H
#define SS_ISA_AVX512_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#include "kahan/strict.h"

#define SS_C_f64 double
#define SS_C_f32 float

/* A one for each of the first n lanes. */
static inline __mmask8 f64_mask(int n)
{
    return (__mmask8)((1u << (n < 0 ? 0 : n > 8 ? 8 : n)) - 1);
}
static inline __mmask16 f32_mask(int n)
{
    return (__mmask16)((1u << (n < 0 ? 0 : n > 16 ? 16 : n)) - 1);
}

#define SS_AVX512_OPS(T, V, W, S, M)                                                               \
    typedef V T##_vec;                                                                             \
    enum { T##_width = W };                                                                        \
    static inline V T##_load(const void *p)                                                        \
    {                                                                                              \
        return _mm512_loadu_##S(p);                                                                \
    }                                                                                              \
    static inline V T##_load_part(const void *p, int n, SS_C_##T pad)                              \
    {                                                                                              \
        return _mm512_mask_loadu_##S(_mm512_set1_##S(pad), T##_mask(n), p);                        \
    }                                                                                              \
    static inline void T##_store(void *p, V v)                                                     \
    {                                                                                              \
        _mm512_storeu_##S(p, v);                                                                   \
    }                                                                                              \
    static inline V T##_all(SS_C_##T v)                                                            \
    {                                                                                              \
        return _mm512_set1_##S(v);                                                                 \
    }                                                                                              \
    static inline V T##_zero(void)                                                                 \
    {                                                                                              \
        return _mm512_setzero_##S();                                                               \
    }                                                                                              \
    static inline V T##_add(V a, V b)                                                              \
    {                                                                                              \
        return _mm512_add_##S(a, b);                                                               \
    }                                                                                              \
    static inline V T##_sub(V a, V b)                                                              \
    {                                                                                              \
        return _mm512_sub_##S(a, b);                                                               \
    }                                                                                              \
    /* fma(a, 1, b) and fma(-b, 1, a) round as a + b and a - b do, signed zeros included. The one  \
     * is */                                                                                       \
    /* hidden from compilers, which would turn them back into additions. */                        \
    static inline V T##_one(void)                                                                  \
    {                                                                                              \
        V one = _mm512_set1_##S(1);                                                                \
        __asm__("" : "+v"(one));                                                                   \
        return one;                                                                                \
    }                                                                                              \
    static inline V T##_add2(V a, V b)                                                             \
    {                                                                                              \
        return _mm512_fmadd_##S(a, T##_one(), b);                                                  \
    }                                                                                              \
    static inline V T##_sub2(V a, V b)                                                             \
    {                                                                                              \
        return _mm512_fnmadd_##S(b, T##_one(), a);                                                 \
    }                                                                                              \
    static inline V T##_mul(V a, V b)                                                              \
    {                                                                                              \
        return _mm512_mul_##S(a, b);                                                               \
    }                                                                                              \
    static inline V T##_fma(V a, V b, V c)                                                         \
    {                                                                                              \
        return _mm512_fmadd_##S(a, b, c);                                                          \
    }                                                                                              \
    static inline V T##_max(V a, V b)                                                              \
    {                                                                                              \
        return _mm512_max_##S(a, b);                                                               \
    }                                                                                              \
    static inline V T##_min(V a, V b)                                                              \
    {                                                                                              \
        return _mm512_min_##S(a, b);                                                               \
    }                                                                                              \
    /* x where it is lower (higher) than bound, else, as for a NaN, bound. */                      \
    static inline V T##_lower(V x, V bound)                                                        \
    {                                                                                              \
        return _mm512_min_##S(x, bound);                                                           \
    }                                                                                              \
    static inline V T##_higher(V x, V bound)                                                       \
    {                                                                                              \
        return _mm512_max_##S(x, bound);                                                           \
    }                                                                                              \
    /* Flags of lanes: set where a or b is a NaN, beside those already set. */                     \
    typedef M T##_flags;                                                                           \
    static inline M T##_flag_nans(M flags, V a, V b)                                               \
    {                                                                                              \
        return (M)(flags | _mm512_cmp_##S##_mask(a, b, _CMP_UNORD_Q));                             \
    }                                                                                              \
    static inline int T##_any(M flags)                                                             \
    {                                                                                              \
        return flags != 0;                                                                         \
    }                                                                                              \
    static inline V T##_abs(V a)                                                                   \
    {                                                                                              \
        return _mm512_abs_##S(a);                                                                  \
    }

SS_AVX512_OPS(f64, __m512d, 8, pd, __mmask8)
SS_AVX512_OPS(f32, __m512, 16, ps, __mmask16)

static inline __m512d f64_load_f32(const void *p)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}
static inline __m512d f64_load_part_f32(const void *p, int n, float pad)
{
    __m512 v = _mm512_mask_loadu_ps(_mm512_set1_ps(pad), f64_mask(n), p);
    return _mm512_cvtps_pd(_mm512_castps512_ps256(v));
}
static inline __m512d f64_neg(__m512d a)
{
    __m512i sign = _mm512_set1_epi64(INT64_MIN);
    return _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(a), sign));
}
static inline __m512 f32_neg(__m512 a)
{
    __m512i sign = _mm512_set1_epi32(INT32_MIN);
    return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(a), sign));
}
static inline __m512d f64_or(__m512d a, __m512d b)
{
    __m512i bits = _mm512_or_si512(_mm512_castpd_si512(a), _mm512_castpd_si512(b));
    return _mm512_castsi512_pd(bits);
}

/* p points to halves without alignment. */
static inline __m512 f32_load_f16(const void *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256(p));
}
static inline __m512 f32_load_bf16(const void *p)
{
    __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(p));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

#include "fixedtree/isa_halves.h"

#endif
