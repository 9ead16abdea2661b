/* One backend's ss_packers (pack.h): plain loops, which compilers turn into the backend's vectors,
 * and the vector header's conversions. Everything here works on bits, but for conversions and
 * deviate. Included once, after a vector header and node.h; defines `packers`. */
#include <stdint.h>
#include <string.h>
#include "fixedtree/pack.h"

/* Elements need no alignment, and are read as other types than they are. */
#define SS_ANYWHERE __attribute__((may_alias, aligned(1)))
typedef uint16_t SS_ANYWHERE ss_bits2;
typedef uint32_t SS_ANYWHERE ss_bits4;
typedef uint64_t SS_ANYWHERE ss_bits8;
typedef int16_t ss_size2; /* of magnitudes */
typedef int32_t ss_size4;
typedef int64_t ss_size8;
typedef struct __attribute__((packed, may_alias)) ss_bits16 {
    uint64_t half[2];
} ss_bits16;
typedef float SS_ANYWHERE ss_any_f32;
typedef double SS_ANYWHERE ss_any_f64;

/* The strides that occur most are constants and whole elements, so that their loops become vectors.
 */
#define SS_GATHER(bytes)                                                                           \
    SS_INLINE void step_##bytes(const ss_bits##bytes *restrict x, ptrdiff_t step, size_t n,        \
                                ss_bits##bytes *restrict out)                                      \
    {                                                                                              \
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)                                               \
            out[i] = x[i * step];                                                                  \
    }                                                                                              \
    static void gather_##bytes(const char *restrict x, ptrdiff_t stride, size_t n,                 \
                               void *restrict vout)                                                \
    {                                                                                              \
        const ss_bits##bytes *all = (const ss_bits##bytes *)x;                                     \
        ss_bits##bytes *out = vout;                                                                \
        if (stride == bytes)                                                                       \
            memcpy(out, x, n * sizeof *out);                                                       \
        else if (stride == 2 * bytes)                                                              \
            step_##bytes(all, 2, n, out);                                                          \
        else if (stride == 4 * bytes)                                                              \
            step_##bytes(all, 4, n, out);                                                          \
        else if (stride == -bytes)                                                                 \
            step_##bytes(all, -1, n, out);                                                         \
        else                                                                                       \
            for (size_t i = 0; i < n; i++)                                                         \
                out[i] = *(const ss_bits##bytes *)(x + (ptrdiff_t)i * stride);                     \
    }
SS_GATHER(2)
SS_GATHER(4)
SS_GATHER(8)
SS_GATHER(16)

/* swap: the imaginary part first. sign: what flips the second number's sign, or 0. */
#define SS_COMPLEX(bytes)                                                                          \
    SS_INLINE void pairs_##bytes(const ss_bits##bytes *restrict y, int swap, ss_bits##bytes sign,  \
                                 size_t n, ss_bits##bytes *restrict out)                           \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[2 * i] = y[2 * i + (swap ? 1 : 0)];                                                \
            out[2 * i + 1] = y[2 * i + (swap ? 0 : 1)] ^ sign;                                     \
        }                                                                                          \
    }                                                                                              \
    static void factor_##bytes(const void *y, int part, int conj, size_t n, void *out)             \
    {                                                                                              \
        ss_bits##bytes sign = (ss_bits##bytes)(part == !!conj) << (8 * bytes - 1);                 \
        if (part)                                                                                  \
            pairs_##bytes(y, 1, sign, n, out);                                                     \
        else                                                                                       \
            pairs_##bytes(y, 0, sign, n, out);                                                     \
    }
SS_COMPLEX(4)
SS_COMPLEX(8)

#define SS_WIDEN(name, T, load, load_part, FROM)                                                   \
    static void widen_##name(const void *x, size_t n, void *out)                                   \
    {                                                                                              \
        const char *from = x;                                                                      \
        char *to = out;                                                                            \
        size_t i = 0;                                                                              \
        for (; i + T##_width <= n; i += T##_width)                                                 \
            T##_store(to + i * sizeof(SS_C_##T), load(from + i * sizeof(FROM)));                   \
        if (i < n) {                                                                               \
            SS_C_##T rest[T##_width];                                                              \
            T##_store(rest, load_part(from + i * sizeof(FROM), (int)(n - i), 0));                  \
            memcpy(to + i * sizeof *rest, rest, (n - i) * sizeof *rest);                           \
        }                                                                                          \
    }
SS_WIDEN(f16, f32, f32_load_f16, f32_load_part_f16, uint16_t)
SS_WIDEN(bf16, f32, f32_load_bf16, f32_load_part_bf16, uint16_t)
SS_WIDEN(f32, f64, f64_load_f32, f64_load_part_f32, float)

/* The bits of a number of that type. */
static uint64_t bits_of_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static uint32_t bits_of_f32(double value)
{
    float v = (float)value;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static uint16_t bits_of_bf16(double value)
{
    return (uint16_t)(bits_of_f32(value) >> 16);
}
static uint16_t bits_of_f16(double value)
{
    uint32_t wide = bits_of_f32(value), sign = wide >> 16 & 0x8000, size = wide & 0x7fffffff;
    if (size >= 0x7f800000) /* infinite */
        return (uint16_t)(sign | 0x7c00);
    if (size < 0x38800000) /* zero or subnormal: below 2^-14, in units of 2^-24 */
        return (uint16_t)(sign | (uint32_t)((value < 0 ? -value : value) * 0x1p24));
    return (uint16_t)(sign | ((size >> 13) - (112 << 10)));
}

/* By type, its element's bytes and the bits of its infinity. Magnitudes are compared as signed
 * integers, which more vectors can do. */
#define SS_SELECT(type, bytes, inf)                                                                \
    SS_INLINE ss_size##bytes size_##type(ss_bits##bytes bits)                                      \
    {                                                                                              \
        return (ss_size##bytes)(bits & ~((ss_bits##bytes)1 << (8 * bytes - 1)));                   \
    }                                                                                              \
    static void drop_value_##type(const void *restrict vx, double value, size_t n,                 \
                                  unsigned char *restrict keep)                                    \
    {                                                                                              \
        const ss_bits##bytes *x = vx;                                                              \
        const ss_bits##bytes bits = bits_of_##type(value);                                         \
        if (size_##type(bits) == 0) { /* zeros of either sign */                                   \
            for (size_t i = 0; i < n; i++)                                                         \
                keep[i] &= size_##type(x[i]) != 0;                                                 \
        } else {                                                                                   \
            for (size_t i = 0; i < n; i++)                                                         \
                keep[i] &= x[i] != bits;                                                           \
        }                                                                                          \
    }                                                                                              \
    static void drop_nan_##type(const void *restrict vx, size_t n, unsigned char *restrict keep)   \
    {                                                                                              \
        const ss_bits##bytes *x = vx;                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            keep[i] &= size_##type(x[i]) <= inf;                                                   \
    }                                                                                              \
    static size_t nonfinite_##type(const void *vx, size_t n)                                       \
    {                                                                                              \
        const ss_bits##bytes *x = vx;                                                              \
        size_t total = 0;                                                                          \
        while (n > 0) { /* parts whose count fits in as many bits as an element has */             \
            size_t part = n < SS_SEGMENT ? n : SS_SEGMENT;                                         \
            ss_size##bytes found = 0;                                                              \
            for (size_t i = 0; i < part; i++)                                                      \
                found = (ss_size##bytes)(found + (size_##type(x[i]) >= inf));                      \
            total += (size_t)found;                                                                \
            x += part;                                                                             \
            n -= part;                                                                             \
        }                                                                                          \
        return total;                                                                              \
    }
SS_SELECT(f64, 8, 0x7ff0000000000000)
SS_SELECT(f32, 4, 0x7f800000)
SS_SELECT(f16, 2, 0x7c00)
SS_SELECT(bf16, 2, 0x7f80)

static size_t count(const unsigned char *keep, size_t n)
{
    size_t total = 0;
    while (n > 0) { /* parts whose count fits in 16 bits */
        size_t part = n < SS_SEGMENT ? n : SS_SEGMENT;
        uint16_t found = 0;
        for (size_t i = 0; i < part; i++)
            found = (uint16_t)(found + keep[i]);
        total += found;
        keep += part;
        n -= part;
    }
    return total;
}

/* Out may be x, but lies in no other way across it. */
#ifdef __clang__
#define SS_SAME_PLACE _Pragma("clang loop vectorize(assume_safety)")
#else
#define SS_SAME_PLACE _Pragma("GCC ivdep")
#endif
#define SS_BLANK(bytes)                                                                            \
    static void blank_##bytes(const void *vx, uint64_t bits, const unsigned char *keep, size_t n,  \
                              void *vout)                                                          \
    {                                                                                              \
        const ss_bits##bytes *x = vx;                                                              \
        ss_bits##bytes *out = vout;                                                                \
        const ss_bits##bytes absent = (ss_bits##bytes)bits;                                        \
        SS_SAME_PLACE                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            ss_bits##bytes here = (ss_bits##bytes)(0 - (ss_bits##bytes)keep[i]);                   \
            out[i] = (ss_bits##bytes)((x[i] & here) | (absent & ~here));                           \
        }                                                                                          \
    }
SS_BLANK(2)
SS_BLANK(4)
SS_BLANK(8)

#define SS_DEVIATE(T)                                                                              \
    static void deviate_##T(void *vx, double m, size_t n)                                          \
    {                                                                                              \
        ss_any_##T *x = vx;                                                                        \
        const SS_C_##T mean = (SS_C_##T)m;                                                         \
        for (size_t i = 0; i < n; i++)                                                             \
            x[i] -= mean;                                                                          \
    }
SS_DEVIATE(f32)
SS_DEVIATE(f64)

#define SS_BY_TYPE(name)                                                                           \
    {                                                                                              \
        [SAMESUM_F64] = name##_f64, [SAMESUM_F32] = name##_f32, [SAMESUM_F32_WIDE] = name##_f32,   \
        [SAMESUM_F16] = name##_f16, [SAMESUM_BF16] = name##_bf16                                   \
    }
static const ss_packers packers = {
    .gather = {gather_2, gather_4, gather_8, gather_16},
    .factor = {factor_4, factor_8},
    .widen = {widen_f16, widen_bf16, widen_f32},
    .drop_value = SS_BY_TYPE(drop_value),
    .drop_nan = SS_BY_TYPE(drop_nan),
    .count = count,
    .blank = {blank_2, blank_4, blank_8},
    .nonfinite = SS_BY_TYPE(nonfinite),
    .deviate = {deviate_f32, deviate_f64},
};
