/* small_float.h - every triple of an 8-bit float, scaled into binary64 or binary32, against plain
 * integer arithmetic.
 *
 * The format has a sign, 4 bits of exponent and 3 of fraction, with subnormal numbers, infinities
 * and NaNs: 256 codes, 2^24 triples. Each finite number is an integer of at most 17 bits times a
 * unit that the scaling chooses, so that sums, sums of products, quotients and roots fit into
 * 128-bit integers. The scalings ("places") put the triples
 *   - where sums are exact (and quotients and roots round normally),
 *   - beside a large number at a border of two binades, whose unit is eight of theirs,
 *   - beside the largest number, at the overflow threshold,
 *   - at the smallest subnormal numbers, where products are fractions of them,
 *   - where products and squares overflow.
 * Nothing of ref.c or of MPFR is used. Needs the default floating-point environment. */
#ifndef SAMESUM_SMALL_FLOAT_H
#define SAMESUM_SMALL_FLOAT_H

#include <stddef.h>
#include <stdint.h>

enum { SMALL_FLOAT_TRIPLES = 1 << 24 };

/* What is tested: computes op (numbers as in ref.h) of the n elements at x (and y, for dot) at
 * level exact (3) with ddof for var and std, writes a float or a double to result and returns 0.
 * ddof is below n. */
typedef int small_float_reduce(int op, int type, int level, uint64_t ddof, const void *x,
                               const void *y, size_t n, void *result);

struct small_float_report {
    uint64_t compared, wrong;
    char first_wrong[240]; /* what was first wrong, in words; empty where nothing was */
};

/* Runs the ordered triples with the numbers first, first + step, ... below SMALL_FLOAT_TRIPLES (the
 * codes are the number's three bytes) through `reduce` in every place that suits the operation; for
 * var and std with ddof 0 and 1. Adds to *report. A step of 1 is exhaustive. */
void small_float_check(small_float_reduce *reduce, int op, int type, uint32_t first, uint32_t step,
                       struct small_float_report *report);

#endif
