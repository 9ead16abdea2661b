/* truth.h - the values that audit measures errors against, from level exact in binary64. */
#ifndef SAMESUM_CLI_TRUTH_H
#define SAMESUM_CLI_TRUTH_H

#include "samesum.h"

#include <stdbool.h>
#include <stddef.h>

struct truth {
    /* The sum is high + low but for 2^-53 |low|: high is the sum rounded to binary64, low what it
     * lacks, so that errors come out right to many digits. Where high is not finite, low is 0. */
    double high, low;
    double sum_abs;   /* the sum of the absolute values */
    double mean, std; /* rounded to binary64; std divides by n; NaN where n is 0 */
};

/* Of n elements of type f64 or f32; want: threads and backend. */
struct truth truth_of(const void *x, size_t n, samesum_type type, const samesum_want *want);

#endif
