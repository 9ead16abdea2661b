#include "truth.h"

#include "library.h"

#include <math.h>

static double exact(samesum_op op, const void *x, size_t n, samesum_type type, samesum_want want)
{
    samesum_data data = {.x = x, .n = n, .type = type};
    double result;
    want.op = op;
    want.level = SAMESUM_EXACT;
    want.ddof = 0;
    library_check(samesum_reduce(&data, &want, &result, NULL), &want);
    return result;
}

/* The sum of the elements and of one number more, -sum: what the sum lost when it was rounded. A
 * state takes one type, so binary32 data are converted, which changes nothing at level exact. */
static double what_lacks(const void *x, size_t n, samesum_type type, samesum_want want, double sum)
{
    enum { BLOCK = 4096 };
    double block[BLOCK], minus_sum = -sum, lacks;
    samesum_state *state;
    want.op = SAMESUM_SUM;
    want.level = SAMESUM_EXACT;
    library_check(samesum_state_create(&state, &want, SAMESUM_F64, 0), &want);
    if (type == SAMESUM_F64)
        library_check(samesum_state_update(state, x, NULL, n), &want);
    for (size_t i = 0; type != SAMESUM_F64 && i < n; i += BLOCK) {
        size_t count = n - i < BLOCK ? n - i : BLOCK;
        for (size_t k = 0; k < count; k++)
            block[k] = (double)((const float *)x)[i + k];
        library_check(samesum_state_update(state, block, NULL, count), &want);
    }
    library_check(samesum_state_update(state, &minus_sum, NULL, 1), &want);
    library_check(samesum_state_finish(state, &lacks), &want);
    samesum_state_destroy(state);
    return lacks;
}

struct truth truth_of(const void *x, size_t n, samesum_type type, const samesum_want *want)
{
    samesum_type wide = type == SAMESUM_F32 ? SAMESUM_F32_WIDE : type;
    struct truth t = {.high = exact(SAMESUM_SUM, x, n, wide, *want),
                      .sum_abs = exact(SAMESUM_ASUM, x, n, wide, *want),
                      .mean = exact(SAMESUM_MEAN, x, n, wide, *want),
                      .std = exact(SAMESUM_STD, x, n, wide, *want)};
    if (isfinite(t.high))
        t.low = what_lacks(x, n, type, *want, t.high);
    return t;
}
