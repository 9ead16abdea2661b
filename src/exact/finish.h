/* What follows from exact sums: special values, means, roots, quotients, rounding (SPEC.md 4.4, 5,
 * 6.1 to 6.3, 6.7, 6.8). */
#ifndef SS_EXACT_FINISH_H
#define SS_EXACT_FINISH_H

#include "exact/natural.h"

/* What follows from a reduction's sums. */
typedef enum ss_exact_kind {
    SS_EXACT_ONE,     /* one sum of the terms of op */
    SS_EXACT_SPREAD,  /* var, std: the elements, and their squares */
    SS_EXACT_PARTS,   /* the real and the imaginary part, each of its own terms */
    SS_EXACT_QUOTIENT /* weighted mean: the products with the weights, and the weights */
} ss_exact_kind;

/* For intermediate numbers: too large for the stack of a device's thread. */
typedef struct ss_exact_room {
    ss_magnitude m[3];
} ss_exact_room;

/* n sum(x^2) - sum(x)^2, which no data make negative, in room->m[0]; acc: of the elements, and of
 * their squares. Returns whether it is negative. */
SS_BOTH int ss_exact_spread_numerator(const ss_exact *acc, ss_exact_room *room);

/* The result, rounded to the format; result[1] too for both parts. acc: one sum, or two where kind
 * says so. SAMESUM_NO_VALUE, and NaN, where it does not exist. */
SS_BOTH samesum_status ss_exact_finish(ss_exact_kind kind, samesum_op op, unsigned ddof,
                                       const ss_exact *acc, ss_format format, double *result,
                                       ss_exact_room *room);

#endif
