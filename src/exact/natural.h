/* Natural numbers times powers of two, for results that derive from exact sums. */
#ifndef SS_NATURAL_H
#define SS_NATURAL_H

#include "exact/accumulator.h"

/* m * factor. */
SS_BOTH void ss_natural_times(ss_magnitude *m, uint64_t factor);
/* The square of m, in *square. */
SS_BOTH void ss_natural_square(const ss_magnitude *m, ss_magnitude *square);
/* a becomes |a - b|; signs are not looked at. Returns whether b was the larger. */
SS_BOTH int ss_natural_minus(ss_magnitude *a, const ss_magnitude *b);
/* The quotient of m and divisor > 0, of at least 128 bits, rounded down. Returns whether something
 * was left. */
SS_BOTH int ss_natural_over(ss_magnitude *m, uint64_t divisor);
/* The square root of m, of at least 63 bits, rounded down. Returns whether something was left. */
SS_BOTH int ss_natural_root(ss_magnitude *m);

/* m becomes the integer part, of at least 66 bits, of m / by, times a power of two; both are not 0.
 * Returns whether something is left over. The sign stays. room: for the remainder. */
SS_BOTH int ss_natural_divide(ss_magnitude *m, const ss_magnitude *by, ss_magnitude *room);

#endif
