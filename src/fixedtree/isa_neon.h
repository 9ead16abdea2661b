/* NEON of AArch64: 128-bit registers. See node.h for what a vector header gives. */
#ifndef SS_ISA_NEON_H
#define SS_ISA_NEON_H

#include <arm_neon.h>
#include <string.h>
#include "kahan/strict.h"

#define SS_C_f64 double
#define SS_C_f32 float

/* Loads go through bytes, since elements need no alignment. */
#define SS_NEON_OPS(T, V, W, S, U)                                                                 \
    typedef V T##_vec;                                                                             \
    enum { T##_width = W };                                                                        \
    static inline V T##_load(const void *p)                                                        \
    {                                                                                              \
        return vreinterpretq_##S##_u8(vld1q_u8(p));                                                \
    }                                                                                              \
    static inline V T##_load_part(const void *p, int n, SS_C_##T pad)                              \
    {                                                                                              \
        SS_C_##T lane[W];                                                                          \
        for (int j = 0; j < W; j++) {                                                              \
            if (j < n)                                                                             \
                memcpy(&lane[j], (const char *)p + (size_t)j * sizeof *lane, sizeof *lane);        \
            else                                                                                   \
                lane[j] = pad;                                                                     \
        }                                                                                          \
        return T##_load(lane);                                                                     \
    }                                                                                              \
    static inline void T##_store(void *p, V v)                                                     \
    {                                                                                              \
        vst1q_u8(p, vreinterpretq_u8_##S(v));                                                      \
    }                                                                                              \
    static inline V T##_all(SS_C_##T v)                                                            \
    {                                                                                              \
        return vdupq_n_##S(v);                                                                     \
    }                                                                                              \
    static inline V T##_zero(void)                                                                 \
    {                                                                                              \
        return vdupq_n_##S(0);                                                                     \
    }                                                                                              \
    static inline V T##_add(V a, V b)                                                              \
    {                                                                                              \
        return vaddq_##S(a, b);                                                                    \
    }                                                                                              \
    static inline V T##_sub(V a, V b)                                                              \
    {                                                                                              \
        return vsubq_##S(a, b);                                                                    \
    }                                                                                              \
    static inline V T##_add2(V a, V b)                                                             \
    {                                                                                              \
        return vaddq_##S(a, b);                                                                    \
    }                                                                                              \
    static inline V T##_sub2(V a, V b)                                                             \
    {                                                                                              \
        return vsubq_##S(a, b);                                                                    \
    }                                                                                              \
    static inline V T##_mul(V a, V b)                                                              \
    {                                                                                              \
        return vmulq_##S(a, b);                                                                    \
    }                                                                                              \
    static inline V T##_fma(V a, V b, V c)                                                         \
    {                                                                                              \
        return vfmaq_##S(c, a, b);                                                                 \
    }                                                                                              \
    static inline V T##_neg(V a)                                                                   \
    {                                                                                              \
        return vnegq_##S(a);                                                                       \
    }                                                                                              \
    static inline V T##_max(V a, V b)                                                              \
    {                                                                                              \
        return vmaxq_##S(a, b);                                                                    \
    }                                                                                              \
    static inline V T##_min(V a, V b)                                                              \
    {                                                                                              \
        return vminq_##S(a, b);                                                                    \
    }                                                                                              \
    /* x where it is lower (higher) than bound, else, as for a NaN, bound. */                      \
    static inline V T##_lower(V x, V bound)                                                        \
    {                                                                                              \
        return vbslq_##S(vcltq_##S(x, bound), x, bound);                                           \
    }                                                                                              \
    static inline V T##_higher(V x, V bound)                                                       \
    {                                                                                              \
        return vbslq_##S(vcgtq_##S(x, bound), x, bound);                                           \
    }                                                                                              \
    /* Flags of lanes: set where a or b is a NaN, beside those already set. */                     \
    typedef uint8x16_t T##_flags;                                                                  \
    static inline uint8x16_t T##_flag_nans(uint8x16_t flags, V a, V b)                             \
    {                                                                                              \
        uint8x16_t numbers = vandq_u8(vreinterpretq_u8_##U(vceqq_##S(a, a)),                       \
                                      vreinterpretq_u8_##U(vceqq_##S(b, b)));                      \
        return vornq_u8(flags, numbers);                                                           \
    }                                                                                              \
    static inline int T##_any(uint8x16_t flags)                                                    \
    {                                                                                              \
        return vmaxvq_u8(flags) != 0;                                                              \
    }                                                                                              \
    static inline V T##_abs(V a)                                                                   \
    {                                                                                              \
        return vabsq_##S(a);                                                                       \
    }

SS_NEON_OPS(f64, float64x2_t, 2, f64, u64)
SS_NEON_OPS(f32, float32x4_t, 4, f32, u32)

static inline float64x2_t f64_load_f32(const void *p)
{
    return vcvt_f64_f32(vreinterpret_f32_u8(vld1_u8(p)));
}
static inline float64x2_t f64_load_part_f32(const void *p, int n, float pad)
{
    return vcvt_f64_f32(vget_low_f32(f32_load_part(p, n < 2 ? n : 2, pad)));
}
static inline float64x2_t f64_or(float64x2_t a, float64x2_t b)
{
    return vreinterpretq_f64_u64(vorrq_u64(vreinterpretq_u64_f64(a), vreinterpretq_u64_f64(b)));
}

static inline float32x4_t f32_load_f16(const void *p)
{
    return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(p)));
}
static inline float32x4_t f32_load_bf16(const void *p)
{
    uint32x4_t wide = vmovl_u16(vreinterpret_u16_u8(vld1_u8(p)));
    return vreinterpretq_f32_u32(vshlq_n_u32(wide, 16));
}

#include "fixedtree/isa_halves.h"

#endif
