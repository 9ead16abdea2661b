/* ref.h - the reference: SPEC.md turned into C as directly as possible, for comparison by bits.
 *
 * It shares no line with the library and includes nothing of it. It is meant to be read, not to be
 * fast: one call takes O(n) steps, some ten nanoseconds an element. It expects the default
 * floating-point environment (round to nearest, subnormals kept) and a compiler that does not
 * contract a*b+c into an fma (-ffp-contract=off). */
#ifndef SAMESUM_REFERENCE_H
#define SAMESUM_REFERENCE_H

#include <stdint.h>

/* The numbers are those of samesum_op, samesum_type and samesum_level. */
enum ref_op {
    REF_SUM = 0,
    REF_ASUM = 1,
    REF_SUMSQ = 2,
    REF_DOT = 3,
    REF_NRM2 = 4, /* this and the following: ref_derive() */
    REF_MEAN = 5,
    REF_VAR = 6,
    REF_STD = 7
};
enum ref_type { REF_F64 = 0, REF_F32 = 1, REF_F32_WIDE = 2 };
enum ref_level { REF_TREE = 0, REF_KAHAN = 1, REF_COMPENSATED = 2, REF_EXACT = 3 };

/* The library's lane count (SPEC.md 1.2). */
enum { REF_LANES = 16 };

/* Sum, asum, sumsq and dot (ref.c). Reduces the elements with the absolute indices begin <= i <
 * end; all others count as absent. lanes: the number of lanes, at least 1; a segment of level kahan
 * has 256 rows whatever it is. x, y:  x[0] is element `begin`; y is read by REF_DOT alone; NULL is
 * allowed for an empty range. result: receives a double, or a float where type is REF_F32. Returns
 * 0, or -1 without a result for another operation, an unknown type or level, lanes < 1, end < begin
 * or a null pointer. */
int ref_reduce(enum ref_op op, enum ref_type type, enum ref_level level, int lanes, const void *x,
               const void *y, uint64_t begin, uint64_t end, void *result);

/* What ref_derive() returns where the answer does not exist and NaN was written. */
enum { REF_NO_VALUE = 1 };

/* Nrm2, mean, var and std (ref_derived.c), SPEC.md section 6. Parameters as for ref_reduce(), and
 * ddof: n - ddof is the divisor of var and std; nrm2 and mean do not look at it.
 * Returns 0; REF_NO_VALUE for the mean of nothing and for var and std with n <= ddof; or -1
 * without a result as ref_reduce() does, for more than 2^62 elements, where memory is lacking, and
 * for nrm2, var and std below exact of a range that does not begin at 0 (SPEC.md 7.6). */
int ref_derive(enum ref_op op, enum ref_type type, enum ref_level level, int lanes, uint64_t ddof,
               const void *x, uint64_t begin, uint64_t end, void *result);

#endif
