/* hard_cases.h - inputs at which a result of level exact is hard to round, by number.
 *
 * Every case can be made again from (kind, type, index). To be compared with oracle.h; any
 * operation may be applied to any case. Needs the default floating-point environment. */
#ifndef SAMESUM_HARD_CASES_H
#define SAMESUM_HARD_CASES_H

#include "ref.h"

#include <stddef.h>

enum hard_kind {
    HARD_HALFWAY,       /* sum: halfway points and their neighbours at every binade border, down to
                           the subnormal numbers and up to the largest */
    HARD_HALFWAY_DOT,   /* dot: the same of products, also below the subnormal numbers */
    HARD_THRESHOLD,     /* sum: the overflow threshold from both sides, beyond it on the way */
    HARD_THRESHOLD_DOT, /* dot: the same of products */
    HARD_CANCEL,        /* sum, dot: cancellation, up to a condition of 1e300 and more */
    HARD_MEAN,          /* mean: as HARD_HALFWAY, with 4 to 12 elements */
    HARD_NRM2,          /* nrm2: halfway points, perfect squares, the overflow threshold */
    HARD_VAR,           /* var, std: constant data, offsets, halfway points, overflow, n from 1 */
    HARD_KINDS
};

/* No case has more elements. */
enum { HARD_MOST = 128 };

const char *hard_case_name(enum hard_kind kind);
/* The number of cases; for the random kinds a usual number, they take any index. */
uint64_t hard_case_count(enum hard_kind kind, enum ref_type type);
/* Makes case `index`: fills x and y, arrays of HARD_MOST doubles (REF_F64) or floats, and returns
 * the number of elements. y is 1 except in the kinds for dot. */
size_t hard_case_fill(enum hard_kind kind, enum ref_type type, uint64_t index, void *x, void *y);
/* Puts the n elements of x and, likewise, of y into another order, which the seed chooses. */
void hard_case_permute(enum ref_type type, uint64_t seed, size_t n, void *x, void *y);

#endif
