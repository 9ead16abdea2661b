/* Many reductions at once whose elements lie side by side: sums along an axis that is not the
 * fastest in memory. Each result has the bits of its series alone (SPEC.md 6.6). */
#ifndef SS_COLUMNS_H
#define SS_COLUMNS_H

#include "fixedtree/lanes.h"

/* Element i < n of series v < series lies at x + i * stride + v * (bytes of an element); n and
 * series are at least 1, op is SAMESUM_SUM, _ASUM or _SUMSQ, level not exact, threads as in
 * samesum_want. results receives one number of the accumulator's type for each series; it needs no
 * alignment. The caller has entered the floating-point environment. Returns how many threads
 * worked, or 0, without having written anything, where there is not enough memory: some MiB for
 * each thread. */
int ss_columns_reduce(const ss_backend *backend, const ss_arith *arith, samesum_op op,
                      samesum_type type, const char *x, ptrdiff_t stride, size_t n, size_t series,
                      int threads, void *results);

#endif
