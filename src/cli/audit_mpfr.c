#include "audit_mpfr.h"

#ifdef SAMESUM_HAVE_MPFR
#include "progress.h"

#include <math.h>
#include <mpfr.h>

/* A sum of fewer than 2^64 binary64 numbers is a multiple of 2^-1074 below 2^(1024 + 64): 2162 bits
 * hold it. mpfr_add_d() tells whether it rounded, which proves it. */
enum { PRECISION = 2176 };

bool mpfr_exact_sum(const void *x, size_t n, samesum_type type, double *high, double *low)
{
    const double *f64 = x;
    const float *f32 = x;
    mpfr_t sum;
    mpfr_init2(sum, PRECISION);
    mpfr_set_zero(sum, 1);
    int rounded = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % 1048576 == 0)
            progress_show(i, n);
        rounded |= mpfr_add_d(sum, sum, type == SAMESUM_F64 ? f64[i] : (double)f32[i], MPFR_RNDN);
    }
    progress_end();
    if (!rounded) {
        *high = mpfr_get_d(sum, MPFR_RNDN);
        *low = 0;
        if (isfinite(*high)) {
            mpfr_sub_d(sum, sum, *high, MPFR_RNDN);
            *low = mpfr_get_d(sum, MPFR_RNDN);
        }
    }
    mpfr_clear(sum);
    mpfr_free_cache();
    return !rounded;
}
#else
typedef int audit_mpfr_is_not_built_in; /* ISO C wants a declaration in every file */
#endif
