/* oracle.h - exact values by MPFR, which show themselves to be exact.
 *
 * The working precision is computed from the exponents of the data so that no operation can round.
 * MPFR then is asked after each operation whether it did; if it ever did, no oracle is made. A
 * mean, a variance, a norm or a standard deviation is kept as an exact quotient (of its square),
 * and the rounded value is proved by exact comparisons with the middles to its neighbours. */
#ifndef SAMESUM_ORACLE_H
#define SAMESUM_ORACLE_H

#include "ref.h"

#include <stddef.h>

/* The exact value of one reduction. */
struct oracle;

/* Reduces the n elements at x (and y, for REF_DOT) of a real type exactly; halves are given as
 * their bits. Takes O(n) time with a few thousand bits an element at most. NULL where memory is
 * lacking, an argument is bad, or an operation was inexact (which would be a fault of this file).
 * Free it with oracle_free(). */
struct oracle *oracle_new(enum ref_op op, enum ref_type type, const void *x, const void *y,
                          size_t n);
void oracle_free(struct oracle *oracle);

/* The same for nrm2, mean, var and std (SPEC.md section 6, level exact); ddof is that of var and
 * std. With too few elements the value is NaN. */
struct oracle *oracle_derive(enum ref_op op, enum ref_type type, uint64_t ddof, const void *x,
                             size_t n);

/* dot(weights, x) / sum(weights), SPEC.md 6.7 and section 9 note 16, likewise. */
struct oracle *oracle_weighted_mean(enum ref_type type, const void *x, const void *weights,
                                    size_t n);

/* Makes REF_F64, REF_F32, REF_F16 or REF_BF16 the result type. Before that it is REF_F64 for
 * REF_F64 and REF_F32_WIDE, and else REF_F32. */
void oracle_round_to(struct oracle *oracle, enum ref_type to);

/* Writes the value rounded once to the result type, by the rules of SPEC.md 4.4, to *result: a
 * double, a float, or the bits of a half. *ternary (or NULL) receives the sign of rounded minus
 * exact value, 0 where the result is exact or a special value. Returns 0, or -1 where two ways of
 * rounding disagree or the proof of a derived value met an inexact operation. */
int oracle_result(const struct oracle *oracle, void *result, int *ternary);

/* *result - exact value in units of the last place of the exact value in the result type (of the
 * smallest subnormal for an exact zero). 0 for equal infinities and for NaN where NaN is right;
 * NaN for a NaN that is wrong or missed; infinite where only one of both is infinite. A derived
 * value enters the measures rounded to 400 bits. */
double oracle_ulps(const struct oracle *oracle, const void *result);
/* The same, relative: (*result - exact) / |exact|; for an exact zero 0, or infinite where *result
 * is not zero. */
double oracle_relative(const struct oracle *oracle, const void *result);

/* The condition number, sum |leaf| / |sum leaf|: infinite where only the sum is zero, 1 where all
 * leaves are zero, NaN where there is no finite leaf or one that is not finite, and for derived
 * values. */
double oracle_condition(const struct oracle *oracle);

/* Writes the exact value, rounded to that many significant digits, such as
 * "1.00000000000000000e+00", "nan" or "-inf", and returns what snprintf returns. */
int oracle_decimal(const struct oracle *oracle, int digits, char *text, size_t capacity);

#endif
