/* The functions of finish.h, for host and device. */
#ifndef SS_EXACT_FINISH_CODE_H
#define SS_EXACT_FINISH_CODE_H

#include "exact/finish.h"

#include <math.h>

SS_BOTH int ss_exact_spread_numerator(const ss_exact *acc, ss_exact_room *room)
{
    ss_magnitude *m = &room->m[0], *sum = &room->m[1], *square = &room->m[2];
    ss_exact_magnitude(&acc[1], m);
    ss_exact_magnitude(&acc[0], sum);
    ss_natural_times(m, acc[0].count);
    ss_natural_square(sum, square);
    return ss_natural_minus(m, square);
}

/* SPEC.md 6.2: the exact sum over n, rounded once; a zero has the sum's sign. */
SS_BOTH_INLINE double mean(const ss_exact *acc, ss_format format, ss_magnitude *m)
{
    double r;
    if (ss_exact_special(acc, &r))
        return r;
    ss_exact_magnitude(acc, m);
    if (m->length == 0)
        return ss_exact_value(acc, format, m);
    int left = ss_natural_over(m, acc->count);
    return ss_round(m, left, format);
}

/* SPEC.md 6.1: the exact square root, rounded once. */
SS_BOTH_INLINE double nrm2(const ss_exact *acc, ss_format format, ss_magnitude *m)
{
    if (acc->plus_inf)
        return HUGE_VAL;
    if (acc->nan)
        return NAN;
    ss_exact_magnitude(acc, m);
    int left = ss_natural_root(m);
    return ss_round(m, left, format);
}

/* SPEC.md 6.3: (n sum(x^2) - sum(x)^2) / (n (n - ddof)), or its root, rounded once. */
SS_BOTH_INLINE double spread(const ss_exact *acc, samesum_op op, unsigned ddof, ss_format format,
                             ss_exact_room *room)
{
    const ss_exact *x = &acc[0];
    ss_magnitude *m = &room->m[0];
    if (x->nan || x->plus_inf || x->minus_inf)
        return NAN;
    ss_exact_spread_numerator(acc, room);
    if (m->length == 0)
        return 0;
    m->negative = 0;
    int left = ss_natural_over(m, x->count);
    left |= ss_natural_over(m, x->count - ddof);
    if (op == SAMESUM_STD)
        left |= ss_natural_root(m);
    return ss_round(m, left, format);
}

/* SPEC.md 6.7: the exact quotient of the exact sums, rounded once. Weights of the sum 0: NaN. Where
 * a sum is no finite number: the quotient of both, rounded to the accumulator's type (note 16). */
SS_BOTH_INLINE double quotient(const ss_exact *dividend, const ss_exact *divisor, ss_format format,
                               ss_exact_room *room)
{
    double special;
    ss_magnitude *m = &room->m[0], *by = &room->m[1];
    ss_exact_magnitude(dividend, m);
    ss_exact_magnitude(divisor, by);
    int divisor_special = ss_exact_special(divisor, &special);
    if (!divisor_special && by->length == 0)
        return NAN;
    if (divisor_special || ss_exact_special(dividend, &special)) {
        ss_format sums = format == SS_FORMAT_F64 ? SS_FORMAT_F64 : SS_FORMAT_F32;
        return ss_exact_value(dividend, sums, m) / ss_exact_value(divisor, sums, by);
    }
    if (m->length == 0)
        return ss_exact_value(dividend, format, m) / (by->negative ? -1 : 1);
    int left = ss_natural_divide(m, by, &room->m[2]);
    m->negative ^= by->negative;
    return ss_round(m, left, format);
}

SS_BOTH_INLINE double one_sum(const ss_exact *acc, samesum_op op, ss_format format,
                              ss_magnitude *room)
{
    return op == SAMESUM_MEAN   ? mean(acc, format, room)
           : op == SAMESUM_NRM2 ? nrm2(acc, format, room)
                                : ss_exact_value(acc, format, room);
}

SS_BOTH samesum_status ss_exact_finish(ss_exact_kind kind, samesum_op op, unsigned ddof,
                                       const ss_exact *acc, ss_format format, double *result,
                                       ss_exact_room *room)
{
    uint64_t least = op == SAMESUM_MEAN ? 1 : kind == SS_EXACT_SPREAD ? (uint64_t)ddof + 1 : 0;
    if (acc[0].count < least) {
        result[0] = result[1] = NAN;
        return SAMESUM_NO_VALUE;
    }
    if (kind == SS_EXACT_SPREAD)
        result[0] = spread(acc, op, ddof, format, room);
    else if (kind == SS_EXACT_QUOTIENT)
        result[0] = quotient(&acc[0], &acc[1], format, room);
    else
        result[0] = one_sum(&acc[0], op, format, &room->m[0]);
    if (kind == SS_EXACT_PARTS)
        result[1] = one_sum(&acc[1], op, format, &room->m[0]);
    return SAMESUM_OK;
}

#endif
