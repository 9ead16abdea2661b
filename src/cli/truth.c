#include "truth.h"

#include "audit_mpfr.h"
#include "library.h"

#include <math.h>

/* The most accurate level that this version has, with its bound from samesum.h. */
static struct truth truth_of_level(const void *x, size_t n, samesum_type type, double sum_abs)
{
    bool exact = library_has_level(SAMESUM_EXACT);
    samesum_type wide = type == SAMESUM_F32 ? SAMESUM_F32_WIDE : type;
    samesum_want want = {.op = SAMESUM_SUM, .level = exact ? SAMESUM_EXACT : SAMESUM_COMPENSATED};
    samesum_data data = {.x = x, .n = n, .type = wide};
    struct truth t = {.source = exact ? "samesum's level exact"
                                      : "samesum's level compensated in binary64, with its bound"};
    library_check(samesum_reduce(&data, &want, &t.high, NULL), &want);
    const double u = 0x1p-53;
    double steps = n > 1 ? ceil(log2((double)n)) + 1 : 1;
    t.bound = u * fabs(t.high) + (exact ? 0 : steps * steps * u * u * sum_abs);
    return t;
}

struct truth truth_of(const void *x, size_t n, samesum_type type, double sum_abs)
{
#ifdef SAMESUM_HAVE_MPFR
    struct truth t = {.exact = true, .source = "exact, by MPFR"};
    if (mpfr_exact_sum(x, n, type, &t.high, &t.low))
        return t;
#endif
    return truth_of_level(x, n, type, sum_abs);
}
