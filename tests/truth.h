/* truth.h - correctly rounded results by MPFR, which proves that it was exact; by the reference's
 * integers where MPFR is not installed. */
#ifndef TESTS_TRUTH_H
#define TESTS_TRUTH_H

#include "support.h"

/* The bits of the result at level exact, whatever what->level says. */
uint64_t truth(const struct what *what, const void *x, const void *y);
/* The sum of the absolute values of the leaves over the absolute value of their sum: infinite where
 * only the latter is 0; 0 without MPFR. For sum, asum, sumsq and dot. */
double condition(const struct what *what, const void *x, const void *y);
/* How many results truth() made by MPFR. */
long truths_by_mpfr(void);

#endif
