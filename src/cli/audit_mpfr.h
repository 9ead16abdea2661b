/* audit_mpfr.h - the exact sum from MPFR, where the program is built with SAMESUM_HAVE_MPFR. */
#ifndef SAMESUM_CLI_AUDIT_MPFR_H
#define SAMESUM_CLI_AUDIT_MPFR_H

#include "samesum.h"

#include <stdbool.h>
#include <stddef.h>

/* Sums n finite elements of type f64 or f32 without any rounding, and gives the sum as the nearest
 * binary64 and the binary64 nearest to the rest. false: MPFR had to round, nothing is written. */
bool mpfr_exact_sum(const void *x, size_t n, samesum_type type, double *high, double *low);

#endif
