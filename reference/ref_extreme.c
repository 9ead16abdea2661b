/* ref_extreme.c - the reference implementation of SPEC.md 6.5: min, max, argmin, argmax. */
#include "ref_elements.h"

#include <math.h>
#include <string.h>

/* Whether an element of value `a` wins over an earlier one of value b: a NaN where NaNs win, and
 * otherwise what is smaller (or larger); -0.0 is less than +0.0. */
static bool wins(double a, double b, bool largest, bool ignore_nan)
{
    if (isnan(a) || isnan(b)) {
        return ignore_nan ? isnan(b) && !isnan(a) : isnan(a) && !isnan(b);
    }
    if (a == 0.0 && b == 0.0) {
        return largest ? signbit(b) && !signbit(a) : signbit(a) && !signbit(b);
    }
    return largest ? a > b : a < b;
}

/* The index of the first winner; UINT64_MAX where no element is present. */
static uint64_t winner(const struct ref_request *q, const void *x, const unsigned char *keep,
                       uint64_t n, bool largest)
{
    uint64_t best = UINT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        bool present = keep == NULL || keep[i] != 0;
        if (present &&
            (best == UINT64_MAX || wins(ref_number(q->type, x, i), ref_number(q->type, x, best),
                                        largest, q->ignore_nan))) {
            best = i;
        }
    }
    return best;
}

int ref_extreme(const struct ref_request *q, const void *x, const unsigned char *keep, uint64_t n,
                void *result)
{
    bool largest = q->op == REF_MAX || q->op == REF_ARGMAX;
    uint64_t index = winner(q, x, keep, n, largest);
    bool nothing = index == UINT64_MAX;
    if (q->op == REF_ARGMIN || q->op == REF_ARGMAX) {
        memcpy(result, &index, sizeof index);
        return nothing ? REF_EMPTY : 0;
    }
    ref_write_part(q, nothing ? (double)NAN : ref_number(q->type, x, index), result, 0);
    if (q->op == REF_MINMAX) {
        uint64_t last = winner(q, x, keep, n, true);
        ref_write_part(q, nothing ? (double)NAN : ref_number(q->type, x, last), result, 1);
    }
    return nothing ? REF_NO_VALUE : 0;
}
