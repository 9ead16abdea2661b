/* The superaccumulator of level exact (SPEC.md, 4.4): a fixed-point number wide enough for every
 * sum of up to 2^62 products of binary64 numbers, in integers. Adding is exact and in any order;
 * the value depends on the multiset of what was added alone. */
#ifndef SS_ACCUMULATOR_H
#define SS_ACCUMULATOR_H

#include <stdint.h>
#include "kahan/both.h"
#include "kahan/format.h"

/* Digit i is worth 2^(32 i + SS_EXACT_LOWEST). The smallest product is 2^-2148; 2^62 products of
 * less than 2^2048 each, and the sign, end below digit 133. */
enum {
    SS_EXACT_LOWEST = -2176,
    SS_EXACT_DIGITS = 136,
};

typedef struct ss_exact {
    /* Leaves seen: how many, and which kinds there were among them. */
    uint64_t count;
    unsigned char nan, plus_inf, minus_inf;
    unsigned char other_than_minus_zero;
    /* Digits [low, high) are in use, and hold 32 bits and carries not yet passed on; the others
     * have no value yet and count as 0, so that a short sum touches a few words alone. */
    int low, high;
    uint32_t pending; /* additions since carries were last passed on */
    int64_t digit[SS_EXACT_DIGITS];
} ss_exact;

/* 0, of no leaves. */
SS_BOTH void ss_exact_init(ss_exact *acc);

/* Makes digits [at, at + 3) usable, and passes carries on when many additions are pending. */
SS_BOTH void ss_exact_prepare(ss_exact *acc, int at);

/* Each addition changes a digit by less than 2^32, so that after so many of them it is below 2^62.
 */
#define SS_EXACT_PENDING (UINT32_C(1) << 30)

/* Adds value * 2^exponent; exponent from -2148 to 2000. Does not change count and the kinds. */
SS_BOTH_INLINE void ss_exact_add(ss_exact *acc, int64_t value, int exponent)
{
    unsigned place = (unsigned)(exponent - SS_EXACT_LOWEST);
    int at = (int)(place / 32), shift = (int)(place % 32);
    if (at < acc->low || at + 3 > acc->high || acc->pending == SS_EXACT_PENDING)
        ss_exact_prepare(acc, at);
    /* value * 2^shift in three digits: two of 32 bits and a signed rest of less than 32 */
    uint64_t low = (uint64_t)value << shift;
    acc->pending++;
    acc->digit[at] += (int64_t)(low & 0xffffffff);
    acc->digit[at + 1] += (int64_t)(low >> 32);
    acc->digit[at + 2] += value >> 1 >> (63 - shift);
}

/* A finite number, given by its bits, as integer * 2^*exponent; of a subnormal the exponent is that
 * of all of them, -1074. */
SS_BOTH_INLINE int64_t ss_exact_integer(uint64_t bits, int *exponent)
{
    int b = (int)(bits >> 52 & 2047);
    int64_t m = (int64_t)((bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(b > 0) << 52);
    *exponent = (b > 0 ? b : 1) - 1075;
    return bits >> 63 ? -m : m;
}

/* Adds a finite number, given by its bits. Does not change count and the kinds. */
SS_BOTH_INLINE void ss_exact_add_bits(ss_exact *acc, uint64_t bits)
{
    int exponent;
    int64_t m = ss_exact_integer(bits, &exponent);
    ss_exact_add(acc, m, exponent);
}

/* Adds all that from holds. */
SS_BOTH void ss_exact_merge(ss_exact *acc, const ss_exact *from);

/* A natural number of at most SS_EXACT_MAGNITUDE 32-bit digits, lowest first, times 2^exponent. */
enum { SS_EXACT_MAGNITUDE = 2 * SS_EXACT_DIGITS + 8 };
typedef struct ss_magnitude {
    int negative; /* of the number whose magnitude this is */
    int length;   /* digits; the last is not 0; 0: the number is zero */
    int exponent;
    uint32_t digit[SS_EXACT_MAGNITUDE];
} ss_magnitude;

/* The finite sum, with no zero digit at either end: equal multisets give equal magnitudes. */
SS_BOTH void ss_exact_magnitude(const ss_exact *acc, ss_magnitude *m);

/* magnitude (and a little more than it where sticky) rounded once to the format, with its sign, to
 * nearest even. A zero is +0.0. */
SS_BOTH double ss_round(const ss_magnitude *m, int sticky, ss_format format);

/* What the leaves' kinds say of a sum: a NaN or an infinity in *r; 0 where the finite sum decides.
 */
SS_BOTH int ss_exact_special(const ss_exact *acc, double *r);

/* The result of a sum of leaves: special values, signed zeros, rounding (SPEC.md 4.4, 5). room: for
 * intermediate numbers. */
SS_BOTH double ss_exact_value(const ss_exact *acc, ss_format format, ss_magnitude *room);

#ifdef __CUDACC__ /* see kahan/both.h */
#include "exact/accumulator_code.h"
#endif

#endif
