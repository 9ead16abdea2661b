#include "elements.h"
#include "cells.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct format {
    int exponent_bits, fraction_bits;
};

static struct format format_of(samesum_type type)
{
    switch (type) {
    case SAMESUM_F64:
    case SAMESUM_C128:
        return (struct format){11, 52};
    case SAMESUM_F16:
        return (struct format){5, 10};
    case SAMESUM_BF16:
        return (struct format){8, 7};
    default:
        return (struct format){8, 23};
    }
}

size_t part_bytes(samesum_type type)
{
    struct format f = format_of(type);
    return (size_t)(1 + f.exponent_bits + f.fraction_bits) / 8;
}

size_t element_bytes(samesum_type type)
{
    return part_bytes(type) * (is_complex(type) ? 2 : 1);
}

const char *style_name(enum style style)
{
    static const char *const names[STYLES] = {"near", "wide", "cancel", "few",    "zeros",
                                              "tiny", "huge", "offset", "special"};
    return names[style];
}

/* ---- making ---- */

static uint64_t number(struct format f, int exponent, uint64_t fraction, uint64_t sign)
{
    uint64_t mask = (UINT64_C(1) << f.fraction_bits) - 1;
    return (sign & 1) << (f.exponent_bits + f.fraction_bits) |
           (uint64_t)exponent << f.fraction_bits | (fraction & mask);
}

static uint64_t special(struct format f, uint64_t which)
{
    int top = (1 << f.exponent_bits) - 1;
    uint64_t quiet = UINT64_C(1) << (f.fraction_bits - 1);
    switch (which) {
    case 0:
        return number(f, top, 0, 0);
    case 1:
        return number(f, top, 0, 1);
    case 2:
        return number(f, top, quiet | random_bits(), random_bits());
    default: /* signalling */
        return number(f, top, 1, random_bits());
    }
}

/* The specials of one array: +inf; both infinities; NaNs; all. */
static uint64_t some_special(struct format f, uint64_t kind)
{
    uint64_t which = random_below(4);
    return special(f, kind == 0 ? 0 : kind == 1 ? which % 2 : kind == 2 ? 2 + which % 2 : which);
}

static uint64_t made(struct format f, enum style style, uint64_t kind)
{
    int bias = (1 << (f.exponent_bits - 1)) - 1;
    uint64_t random = random_bits(), sign = random >> 63;
    int small = (int)(random >> 56 & 7);
    switch (style) {
    case STYLE_WIDE:
        return number(f, bias - bias / 3 + (int)random_below((size_t)(bias / 3 * 2)), random, sign);
    case STYLE_FEW:
        return small % 3 == 0 ? number(f, 0, 0, sign) : number(f, bias + small % 3 - 1, 0, sign);
    case STYLE_ZEROS:
        return number(f, 0, 0, (kind & 1) ^ (random % (kind < 2 ? 3 : 3000) == 0));
    case STYLE_TINY:
        return small == 0 ? number(f, 0, 0, sign) : number(f, small / 2, random, sign);
    case STYLE_HUGE:
        return number(f, 2 * bias - small % 2, random, sign);
    case STYLE_OFFSET: {
        uint64_t noise = random & ((UINT64_C(1) << f.fraction_bits / 3) - 1);
        return number(f, bias + 5, UINT64_C(5) << (f.fraction_bits - 3) | noise, 0);
    }
    case STYLE_SPECIAL:
        if (random % 61 == 0) {
            return some_special(f, kind);
        }
        break;
    default:
        break;
    }
    return number(f, bias - 4 + small, random, sign);
}

void fill_elements(samesum_type type, enum style style, size_t n, void *out)
{
    struct format f = format_of(type);
    size_t bytes = part_bytes(type), parts = n * (is_complex(type) ? 2 : 1);
    uint64_t kind = random_below(4), sign = number(f, 0, 0, 1);
    char *to = out;
    for (size_t i = 0; i < parts; i++) {
        uint64_t bits = 0;
        if (style == STYLE_CANCEL && i % 64 >= 32) {
            memcpy(&bits, to + (i - i % 64 + 63 - i % 64) * bytes, bytes); /* little-endian */
            bits ^= sign ^ (random_below(8) == 0);
        } else {
            bits = made(f, style, kind);
        }
        memcpy(to + i * bytes, &bits, bytes);
    }
}

/* ---- reading ---- */

double element_part(samesum_type type, const void *x, int part)
{
    struct format f = format_of(type);
    size_t bytes = part_bytes(type);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)x + (size_t)part * bytes, bytes);
    int exponent = (int)(bits >> f.fraction_bits & ((UINT64_C(1) << f.exponent_bits) - 1));
    uint64_t fraction = bits & ((UINT64_C(1) << f.fraction_bits) - 1);
    int bias = (1 << (f.exponent_bits - 1)) - 1;
    double value;
    if (exponent == (1 << f.exponent_bits) - 1) {
        value = fraction == 0 ? HUGE_VAL : (double)NAN;
    } else {
        uint64_t whole = fraction | (exponent > 0 ? UINT64_C(1) << f.fraction_bits : 0);
        value = ldexp((double)whole, (exponent > 0 ? exponent : 1) - bias - f.fraction_bits);
    }
    return bits >> (f.exponent_bits + f.fraction_bits) ? -value : value;
}

/* 0: finite, 1: infinite, 2: NaN */
static int kind_of_part(samesum_type type, const void *x, int part)
{
    struct format f = format_of(type);
    size_t bytes = part_bytes(type);
    uint64_t bits = 0, top = number(f, (1 << f.exponent_bits) - 1, 0, 0);
    memcpy(&bits, (const char *)x + (size_t)part * bytes, bytes);
    bits &= number(f, 0, 0, 1) - 1;
    return bits < top ? 0 : bits == top ? 1 : 2;
}

bool element_is_nan(samesum_type type, const void *x)
{
    return kind_of_part(type, x, 0) == 2 || (is_complex(type) && kind_of_part(type, x, 1) == 2);
}

bool element_is_finite(samesum_type type, const void *x)
{
    return kind_of_part(type, x, 0) == 0 && (!is_complex(type) || kind_of_part(type, x, 1) == 0);
}

double rounded_to(samesum_type type, double value)
{
    struct format f = format_of(type);
    if (f.fraction_bits == 52 || value == 0 || !isfinite(value)) {
        return value;
    }
    int bias = (1 << (f.exponent_bits - 1)) - 1, exponent;
    frexp(value, &exponent); /* |value| < 2^exponent */
    int unit = exponent - 1 - f.fraction_bits, smallest = 1 - bias - f.fraction_bits;
    unit = unit < smallest ? smallest : unit;
    double rounded = ldexp(nearbyint(ldexp(value, -unit)), unit);
    return fabs(rounded) >= ldexp(1, bias + 1) ? copysign(HUGE_VAL, value) : rounded;
}

void store_part(samesum_type type, void *x, int part, double value)
{
    struct format f = format_of(type);
    int bias = (1 << (f.exponent_bits - 1)) - 1, exponent;
    double rounded = rounded_to(type, value), magnitude = fabs(rounded);
    uint64_t sign = signbit(value) != 0, bits;
    size_t bytes = part_bytes(type);
    frexp(magnitude, &exponent);
    if (isnan(value)) {
        bits = number(f, 2 * bias + 1, UINT64_C(1) << (f.fraction_bits - 1), sign);
    } else if (isinf(rounded)) {
        bits = number(f, 2 * bias + 1, 0, sign);
    } else if (exponent - 1 < 1 - bias || magnitude == 0) {
        bits = number(f, 0, (uint64_t)ldexp(magnitude, bias - 1 + f.fraction_bits), sign);
    } else {
        uint64_t whole = (uint64_t)ldexp(magnitude, f.fraction_bits + 1 - exponent);
        bits = number(f, exponent - 1 + bias, whole, sign);
    }
    memcpy((char *)x + (size_t)part * bytes, &bits, bytes);
}

uint16_t half_bits(samesum_type type, double value)
{
    uint16_t bits;
    store_part(type, &bits, 0, value);
    return bits;
}

double *alternating_roots(size_t n)
{
    double *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) {
        x[i] = (i % 2 ? -1 : 1) * sqrt((double)(i + 1));
    }
    return x;
}
