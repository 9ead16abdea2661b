#include "number.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- half precision ---------------------------------------------------------------------------
 */

struct half {
    int exponent_bits, fraction_bits;
};

static struct half half_of(enum dtype type)
{
    return type == DTYPE_F16 ? (struct half){5, 10} : (struct half){8, 7};
}

static int bias(struct half h)
{
    return (1 << (h.exponent_bits - 1)) - 1;
}

/* To the nearest number of the type, ties to even. */
static double half_round(struct half h, double v)
{
    if (v == 0 || !isfinite(v))
        return v;
    int exponent = ilogb(v), smallest = 1 - bias(h);
    int unit = (exponent > smallest ? exponent : smallest) - h.fraction_bits;
    double rounded = ldexp(nearbyint(ldexp(v, -unit)), unit);
    return fabs(rounded) < ldexp(1, bias(h) + 1) ? rounded : copysign((double)INFINITY, v);
}

static double half_load(struct half h, uint16_t bits)
{
    const int all_ones = (1 << h.exponent_bits) - 1;
    int exponent = bits >> h.fraction_bits & all_ones;
    int fraction = bits & ((1 << h.fraction_bits) - 1);
    double v;
    if (exponent == all_ones)
        v = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        v = ldexp(fraction, 1 - bias(h) - h.fraction_bits);
    else
        v = ldexp((1 << h.fraction_bits) + fraction, exponent - bias(h) - h.fraction_bits);
    return bits >> 15 ? -v : v;
}

static uint16_t half_store(struct half h, double v)
{
    const int all_ones = (1 << h.exponent_bits) - 1;
    int bits, exponent;
    if (isnan(v))
        return (uint16_t)((all_ones << h.fraction_bits) + (1 << (h.fraction_bits - 1)));
    double magnitude = fabs(v);
    if (isinf(v))
        bits = all_ones << h.fraction_bits;
    else if (magnitude < ldexp(1, 1 - bias(h)))
        bits = (int)ldexp(magnitude, bias(h) - 1 + h.fraction_bits);
    else {
        /* 1.f is one fraction's worth above f: the exponent field takes it in */
        int digits = (int)ldexp(frexp(magnitude, &exponent), h.fraction_bits + 1);
        bits = ((exponent - 2 + bias(h)) << h.fraction_bits) + digits;
    }
    return (uint16_t)(bits | (signbit(v) ? 0x8000 : 0));
}

/* strtod() with more digits than two roundings could spoil: rounded to odd. Where the decimal is no
 * binary64 number, that one of its two neighbours is taken whose last bit is 1, so that a later
 * rounding to fewer digits sees on which side of a halfway case it lies. */
static double to_odd(const char *text, char **end)
{
    const int mode = fegetround();
    fesetround(FE_DOWNWARD);
    double below = strtod(text, end);
    fesetround(FE_UPWARD);
    double above = strtod(text, end);
    fesetround(mode);
    uint64_t bits;
    memcpy(&bits, &below, sizeof bits);
    return bits & 1 ? below : above;
}

/* ---- all real types ---------------------------------------------------------------------------
 */

double number_from_text(const char *text, char **end, enum dtype type)
{
    if (type == DTYPE_F32)
        return (double)strtof(text, end);
    if (dtype_is_half(type))
        return half_round(half_of(type), to_odd(text, end));
    return strtod(text, end);
}

double number_load(enum dtype type, const void *from)
{
    if (type == DTYPE_F32) {
        float v;
        memcpy(&v, from, sizeof v);
        return (double)v;
    }
    if (dtype_is_half(type)) {
        uint16_t bits;
        memcpy(&bits, from, sizeof bits);
        return half_load(half_of(type), bits);
    }
    double v;
    memcpy(&v, from, sizeof v);
    return v;
}

void number_store(enum dtype type, double number, void *to)
{
    if (type == DTYPE_F32) {
        float v = (float)number;
        memcpy(to, &v, sizeof v);
    } else if (dtype_is_half(type)) {
        uint16_t bits = half_store(half_of(type), number);
        memcpy(to, &bits, sizeof bits);
    } else {
        memcpy(to, &number, sizeof number);
    }
}
