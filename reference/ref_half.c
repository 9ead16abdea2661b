/* ref_half.c - the numbers of binary16 and bfloat16. */
#include "ref_half.h"

#include <math.h>
#include <stdbool.h>

static const struct format {
    int fraction_bits, bias, top; /* top: the exponent field of infinities and NaNs */
} binary16 = {10, 15, 31}, bfloat16 = {7, 127, 255};

static const struct format *format_of(enum ref_type type)
{
    return type == REF_F16 ? &binary16 : &bfloat16;
}

double ref_half_value(enum ref_type type, uint16_t bits)
{
    const struct format *f = format_of(type);
    int fraction = bits & ((1 << f->fraction_bits) - 1);
    int exponent = (bits >> f->fraction_bits) & f->top;
    double value;
    if (exponent == f->top) {
        value = fraction != 0 ? (double)NAN : HUGE_VAL;
    } else if (exponent == 0) { /* subnormal or zero */
        value = ldexp((double)fraction, 1 - f->bias - f->fraction_bits);
    } else {
        value = ldexp((double)(fraction + (1 << f->fraction_bits)),
                      exponent - f->bias - f->fraction_bits);
    }
    return bits >> 15 ? -value : value;
}

uint16_t ref_half_bits(enum ref_type type, double value)
{
    const struct format *f = format_of(type);
    int infinity = f->top << f->fraction_bits;
    if (isnan(value)) {
        return (uint16_t)(infinity | 1 << (f->fraction_bits - 1));
    }
    int sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (magnitude == 0.0 || isinf(magnitude)) {
        return (uint16_t)(sign | (magnitude == 0.0 ? 0 : infinity));
    }
    int e = ilogb(magnitude); /* 2^e <= magnitude < 2^(e + 1) */
    int unit = (e > 1 - f->bias ? e : 1 - f->bias) - f->fraction_bits;
    /* Both steps are exact but the rounding to an integer: units are far above those of binary64,
     * except where the quotient is far below 1/2. */
    int units = (int)nearbyint(ldexp(magnitude, -unit));
    /* Counting numbers upwards from zero, the bits are the count: each binade has 2^fraction_bits.
     * A carry into the next binade, or to infinity, comes out right by itself. */
    int binade = unit + f->fraction_bits - (1 - f->bias);
    int count = units + binade * (1 << f->fraction_bits);
    return (uint16_t)(sign | (count < infinity ? count : infinity));
}
