/* AVX2 and FMA: 256-bit registers. See node.h for what a vector header gives. */
#ifndef SS_ISA_AVX2_H
#define SS_ISA_AVX2_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#include "kahan/strict.h"

#define SS_C_f64 double
#define SS_C_f32 float

/* All bits set in each of the first n lanes. */
static inline __m256i f64_mask(int n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
static inline __m256i f32_mask(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

#define SS_AVX2_OPS(T, V, W, S)                                                                    \
    typedef V T##_vec;                                                                             \
    enum { T##_width = W };                                                                        \
    static inline V T##_load(const void *p)                                                        \
    {                                                                                              \
        return _mm256_loadu_##S(p);                                                                \
    }                                                                                              \
    static inline V T##_load_part(const void *p, int n, SS_C_##T pad)                              \
    {                                                                                              \
        __m256i mask = T##_mask(n);                                                                \
        return _mm256_blendv_##S(_mm256_set1_##S(pad), _mm256_maskload_##S(p, mask),               \
                                 _mm256_castsi256_##S(mask));                                      \
    }                                                                                              \
    static inline void T##_store(void *p, V v)                                                     \
    {                                                                                              \
        _mm256_storeu_##S(p, v);                                                                   \
    }                                                                                              \
    static inline V T##_all(SS_C_##T v)                                                            \
    {                                                                                              \
        return _mm256_set1_##S(v);                                                                 \
    }                                                                                              \
    static inline V T##_zero(void)                                                                 \
    {                                                                                              \
        return _mm256_setzero_##S();                                                               \
    }                                                                                              \
    static inline V T##_add(V a, V b)                                                              \
    {                                                                                              \
        return _mm256_add_##S(a, b);                                                               \
    }                                                                                              \
    static inline V T##_sub(V a, V b)                                                              \
    {                                                                                              \
        return _mm256_sub_##S(a, b);                                                               \
    }                                                                                              \
    /* fma(a, 1, b) and fma(-b, 1, a) round as a + b and a - b do, signed zeros included. The one  \
     * is */                                                                                       \
    /* hidden from compilers, which would turn them back into additions. */                        \
    static inline V T##_one(void)                                                                  \
    {                                                                                              \
        V one = _mm256_set1_##S(1);                                                                \
        __asm__("" : "+x"(one));                                                                   \
        return one;                                                                                \
    }                                                                                              \
    static inline V T##_add2(V a, V b)                                                             \
    {                                                                                              \
        return _mm256_fmadd_##S(a, T##_one(), b);                                                  \
    }                                                                                              \
    static inline V T##_sub2(V a, V b)                                                             \
    {                                                                                              \
        return _mm256_fnmadd_##S(b, T##_one(), a);                                                 \
    }                                                                                              \
    static inline V T##_mul(V a, V b)                                                              \
    {                                                                                              \
        return _mm256_mul_##S(a, b);                                                               \
    }                                                                                              \
    static inline V T##_fma(V a, V b, V c)                                                         \
    {                                                                                              \
        return _mm256_fmadd_##S(a, b, c);                                                          \
    }                                                                                              \
    static inline V T##_neg(V a)                                                                   \
    {                                                                                              \
        return _mm256_xor_##S(a, _mm256_set1_##S(-0.0f));                                          \
    }                                                                                              \
    static inline V T##_max(V a, V b)                                                              \
    {                                                                                              \
        return _mm256_max_##S(a, b);                                                               \
    }                                                                                              \
    static inline V T##_min(V a, V b)                                                              \
    {                                                                                              \
        return _mm256_min_##S(a, b);                                                               \
    }                                                                                              \
    static inline V T##_or(V a, V b)                                                               \
    {                                                                                              \
        return _mm256_or_##S(a, b);                                                                \
    }                                                                                              \
    /* x where it is lower (higher) than bound, else, as for a NaN, bound. */                      \
    static inline V T##_lower(V x, V bound)                                                        \
    {                                                                                              \
        return _mm256_min_##S(x, bound);                                                           \
    }                                                                                              \
    static inline V T##_higher(V x, V bound)                                                       \
    {                                                                                              \
        return _mm256_max_##S(x, bound);                                                           \
    }                                                                                              \
    /* Flags of lanes: set where a or b is a NaN, beside those already set. */                     \
    typedef V T##_flags;                                                                           \
    static inline V T##_flag_nans(V flags, V a, V b)                                               \
    {                                                                                              \
        return _mm256_or_##S(flags, _mm256_cmp_##S(a, b, _CMP_UNORD_Q));                           \
    }                                                                                              \
    static inline int T##_any(V flags)                                                             \
    {                                                                                              \
        return _mm256_movemask_##S(flags) != 0;                                                    \
    }                                                                                              \
    static inline V T##_abs(V a)                                                                   \
    {                                                                                              \
        return _mm256_andnot_##S(_mm256_set1_##S(-0.0f), a);                                       \
    }

SS_AVX2_OPS(f64, __m256d, 4, pd)
SS_AVX2_OPS(f32, __m256, 8, ps)

/* p points to binary32 values without alignment. */
static inline __m256d f64_load_f32(const void *p)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
}
static inline __m256d f64_load_part_f32(const void *p, int n, float pad)
{
    __m128i mask = _mm_cmpgt_epi32(_mm_set1_epi32(n), _mm_setr_epi32(0, 1, 2, 3));
    __m128 v = _mm_blendv_ps(_mm_set1_ps(pad), _mm_maskload_ps(p, mask), _mm_castsi128_ps(mask));
    return _mm256_cvtps_pd(v);
}

/* p points to halves without alignment. */
static inline __m256 f32_load_f16(const void *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128(p));
}
static inline __m256 f32_load_bf16(const void *p)
{
    __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}

#include "fixedtree/isa_halves.h"

#endif
