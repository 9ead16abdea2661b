/* The formats that results are written in, and rounding to them (SPEC.md, sections 2 and 5). */
#ifndef SS_FORMAT_H
#define SS_FORMAT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "kahan/both.h"
#include "samesum.h"

typedef enum ss_format { SS_FORMAT_F64, SS_FORMAT_F32, SS_FORMAT_F16, SS_FORMAT_BF16 } ss_format;

/* Numbers of a format are integers of `precision` bits times a power of two, at least 2^smallest,
 * and below 2^limit. */
typedef struct ss_format_shape {
    int bytes, precision, smallest, limit;
    uint64_t nan; /* the canonical one */
} ss_format_shape;

SS_BOTH_INLINE ss_format_shape ss_format_of(ss_format format)
{
    const ss_format_shape f64 = {8, 53, -1074, 1024, UINT64_C(0x7ff8000000000000)};
    const ss_format_shape f32 = {4, 24, -149, 128, 0x7fc00000};
    const ss_format_shape f16 = {2, 11, -24, 16, 0x7e00};
    const ss_format_shape bf16 = {2, 8, -133, 128, 0x7fc0};
    return format == SS_FORMAT_F64   ? f64
           : format == SS_FORMAT_F32 ? f32
           : format == SS_FORMAT_F16 ? f16
                                     : bf16;
}

/* Whether sums of elements of this type are formed in binary64. */
static inline int ss_is_wide(samesum_type type)
{
    return type == SAMESUM_F64 || type == SAMESUM_F32_WIDE || type == SAMESUM_C128;
}

/* The format of results for elements of this type. */
static inline ss_format ss_result_format(samesum_type type, samesum_result_type result)
{
    if (result == SAMESUM_RESULT_INPUT && type == SAMESUM_F16)
        return SS_FORMAT_F16;
    if (result == SAMESUM_RESULT_INPUT && type == SAMESUM_BF16)
        return SS_FORMAT_BF16;
    return ss_is_wide(type) ? SS_FORMAT_F64 : SS_FORMAT_F32;
}

/* Operations whose results are indices (SPEC.md 6.5). */
static inline int ss_is_index(samesum_op op)
{
    return op == SAMESUM_ARGMIN || op == SAMESUM_ARGMAX;
}

/* Operations that complex data have (SPEC.md 6.8), and the numbers in one result. */
static inline int ss_takes_complex(samesum_op op)
{
    return op == SAMESUM_SUM || op == SAMESUM_SUMSQ || op == SAMESUM_DOT || op == SAMESUM_NRM2 ||
           op == SAMESUM_MEAN;
}
static inline int ss_result_numbers(const samesum_want *want, samesum_type type)
{
    int parts = (type == SAMESUM_C64 || type == SAMESUM_C128) && want->op != SAMESUM_SUMSQ &&
                want->op != SAMESUM_NRM2;
    return 1 + (parts || want->op == SAMESUM_MINMAX);
}

/* The bits of a half format that v, a number of that format or one to round to it, has. */
static inline uint16_t ss_half_bits(ss_format format, double v)
{
    const ss_format_shape shape = ss_format_of(format);
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    uint16_t infinity = (uint16_t)(format == SS_FORMAT_F16 ? 0x7c00 : 0x7f80);
    if (isnan(v))
        return (uint16_t)shape.nan;
    v = fabs(v);
    if (v == 0 || v >= ldexp(1, shape.limit))
        return (uint16_t)(sign | (v == 0 ? 0 : infinity));
    int quantum = ilogb(v) - (shape.precision - 1);
    quantum = quantum < shape.smallest ? shape.smallest : quantum;
    /* in units of 2^quantum; a carry into the next binade, and to infinity, gives the right bits */
    unsigned units = (unsigned)nearbyint(ldexp(v, -quantum));
    unsigned binade = (unsigned)(quantum - shape.smallest);
    return (uint16_t)(sign | (units + (binade << (shape.precision - 1))));
}

/* Writes v, rounded once to the format: fl of an operation on numbers of the accumulator's type,
 * done in binary64. For binary32, +, -, *, / and the square root of binary64 round innocuously (53
 * >= 2 * 24 + 2); for halves v is a binary32 number. NaN becomes the canonical one. */
static inline void ss_write(ss_format format, double v, void *result)
{
    if (isnan(v))
        v = (double)NAN;
    if (format == SS_FORMAT_F64) {
        memcpy(result, &v, sizeof v);
    } else if (format == SS_FORMAT_F32) {
        float f = (float)v;
        memcpy(result, &f, sizeof f);
    } else {
        uint16_t bits = ss_half_bits(format, v);
        memcpy(result, &bits, sizeof bits);
    }
}

/* A number of binary64 or binary32 that ss_write() wrote. */
static inline double ss_read(ss_format format, const void *result)
{
    double d;
    float f;
    if (format == SS_FORMAT_F64) {
        memcpy(&d, result, sizeof d);
        return d;
    }
    memcpy(&f, result, sizeof f);
    return f;
}

#endif
