/* The functions of accumulator.h, for host and device. */
#ifndef SS_ACCUMULATOR_CODE_H
#define SS_ACCUMULATOR_CODE_H

#include "exact/accumulator.h"

#include <math.h>
#include <string.h>

SS_BOTH void ss_exact_init(ss_exact *acc)
{
    acc->count = 0;
    acc->nan = acc->plus_inf = acc->minus_inf = acc->other_than_minus_zero = 0;
    acc->low = acc->high = 0;
    acc->pending = 0;
}

/* Digits [from, to) come into use. */
SS_BOTH_INLINE void use_digits(ss_exact *acc, int from, int to)
{
    if (acc->low == acc->high)
        acc->low = acc->high = from;
    while (acc->low > from)
        acc->digit[--acc->low] = 0;
    while (acc->high < to)
        acc->digit[acc->high++] = 0;
}

/* Passes carries on; the highest digit in use keeps its own, and is signed. */
SS_BOTH_INLINE void carry(ss_exact *acc)
{
    acc->pending = 1;
    if (acc->low == acc->high)
        return;
    if (acc->high < SS_EXACT_DIGITS)
        use_digits(acc, acc->low, acc->high + 1);
    for (int i = acc->low; i + 1 < acc->high; i++) {
        acc->digit[i + 1] += acc->digit[i] >> 32; /* floor */
        acc->digit[i] &= 0xffffffff;
    }
}

SS_BOTH void ss_exact_prepare(ss_exact *acc, int at)
{
    if (acc->pending >= SS_EXACT_PENDING)
        carry(acc);
    if (acc->low == acc->high &&
        at + 6 <= SS_EXACT_DIGITS) { /* a first term, and room for its like */
        int64_t *d = acc->digit + at;
        d[0] = d[1] = d[2] = d[3] = d[4] = d[5] = 0;
        acc->low = at;
        acc->high = at + 6;
        return;
    }
    use_digits(acc, at, at + 3);
}

SS_BOTH void ss_exact_merge(ss_exact *acc, const ss_exact *from)
{
    acc->count += from->count;
    acc->nan |= from->nan;
    acc->plus_inf |= from->plus_inf;
    acc->minus_inf |= from->minus_inf;
    acc->other_than_minus_zero |= from->other_than_minus_zero;
    if (from->low == from->high)
        return;
    if (acc->pending + from->pending >= SS_EXACT_PENDING) {
        ss_exact carried = *from;
        carry(&carried);
        carry(acc);
        carried.count = carried.nan = carried.plus_inf = carried.minus_inf = 0;
        carried.pending = 1;
        ss_exact_merge(acc, &carried);
        return;
    }
    use_digits(acc, from->low, from->high);
    for (int i = from->low; i < from->high; i++)
        acc->digit[i] += from->digit[i];
    acc->pending += from->pending;
}

SS_BOTH void ss_exact_magnitude(const ss_exact *acc, ss_magnitude *m)
{
    int low = acc->low, length = 0;
    int64_t rest = 0;
    for (int i = low; i < acc->high; i++) {
        rest += acc->digit[i];
        if (length == 0 && (uint32_t)rest == 0)
            low++; /* zeros at the low end are left out */
        else
            m->digit[length++] = (uint32_t)rest;
        rest >>= 32; /* floor */
    }
    m->digit[length++] = (uint32_t)rest;
    m->negative = rest < 0;
    if (m->negative) {
        uint64_t plus = 1;
        for (int i = 0; i < length; i++) {
            plus += (uint32_t)~m->digit[i];
            m->digit[i] = (uint32_t)plus;
            plus >>= 32;
        }
    }
    while (length > 0 && m->digit[length - 1] == 0)
        length--;
    m->length = length;
    m->exponent = 32 * low + SS_EXACT_LOWEST;
}

/* The bits of m rounded to a format of `precision` bits whose smallest number is 2^smallest: the
 * significand's integer, and its exponent in *exponent. */
SS_BOTH_INLINE uint64_t round_to(const ss_magnitude *m, int sticky, int precision, int smallest,
                                 int *exponent)
{
    int top = m->length - 1;
    int bits = 32 * top + 32 - ss_leading_zeros(m->digit[top]); /* m < 2^bits * 2^exponent */
    int cut = bits - precision; /* bits that do not fit, or, if negative, that are free */
    if (cut < smallest - m->exponent)
        cut = smallest - m->exponent;
    *exponent = m->exponent + cut;
    uint64_t kept = 0;
    for (int i = top; i >= 0; i--) {
        int place = 32 * i - cut; /* of this digit in kept */
        uint64_t d = m->digit[i];
        if (place >= 64 || place <= -32)
            continue; /* above lies nothing, below is for the rest */
        kept |= place >= 0 ? d << place : d >> -place;
    }
    if (cut <= 0)
        return kept;
    /* the highest bit cut off, and whether any lower one is set */
    int half = (cut - 1) / 32 <= top ? (int)(m->digit[(cut - 1) / 32] >> (cut - 1) % 32 & 1) : 0;
    int rest = sticky;
    for (int i = 0; i <= top && 32 * i < cut - 1; i++) {
        int within = cut - 1 - 32 * i; /* bits of this digit below the half */
        rest |= (m->digit[i] & (within >= 32 ? 0xffffffff : (UINT32_C(1) << within) - 1)) != 0;
    }
    return kept + (half && (rest || (kept & 1)));
}

/* 2^exponent, -1074 <= exponent <= 1023. */
SS_BOTH_INLINE double power_of_two(int exponent)
{
    uint64_t bits =
        exponent < -1022 ? UINT64_C(1) << (exponent + 1074) : (uint64_t)(exponent + 1023) << 52;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

SS_BOTH double ss_round(const ss_magnitude *m, int sticky, ss_format format)
{
    if (m->length == 0)
        return 0;
    const ss_format_shape shape = ss_format_of(format);
    int exponent;
    uint64_t kept = round_to(m, sticky, shape.precision, shape.smallest, &exponent);
    /* kept <= 2^precision: the product is exact, or overflows to infinity */
    double r = exponent >= shape.limit ? HUGE_VAL : (double)kept * power_of_two(exponent);
    if (shape.limit < 1024 && r >= power_of_two(shape.limit))
        r = HUGE_VAL;
    return m->negative ? -r : r;
}

SS_BOTH int ss_exact_special(const ss_exact *acc, double *r)
{
    if (acc->nan || (acc->plus_inf && acc->minus_inf))
        *r = NAN;
    else if (acc->plus_inf || acc->minus_inf)
        *r = acc->plus_inf ? HUGE_VAL : -HUGE_VAL;
    else
        return 0;
    return 1;
}

SS_BOTH_INLINE int is_minus_zero(const ss_exact *acc, const ss_magnitude *m)
{
    return m->length == 0 && acc->count > 0 && !acc->other_than_minus_zero;
}

SS_BOTH double ss_exact_value(const ss_exact *acc, ss_format format, ss_magnitude *room)
{
    double r;
    if (ss_exact_special(acc, &r))
        return r;
    ss_exact_magnitude(acc, room);
    return is_minus_zero(acc, room) ? -0.0 : ss_round(room, 0, format);
}

#endif
