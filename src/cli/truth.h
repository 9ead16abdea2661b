/* truth.h - the value that audit measures errors against. */
#ifndef SAMESUM_CLI_TRUTH_H
#define SAMESUM_CLI_TRUTH_H

#include "samesum.h"

#include <stdbool.h>
#include <stddef.h>

struct truth {
    /* The sum is high + low: high is the nearest binary64, low what it lacks, so that errors come
     * out right to many digits. Where the sum is not finite, low is 0. */
    double high, low;
    bool exact; /* else it is off by at most bound */
    double bound;
    const char *source; /* where it comes from, for people */
};

/* Of n finite elements; sum_abs is the sum of their absolute values. */
struct truth truth_of(const void *x, size_t n, samesum_type type, double sum_abs);

#endif
