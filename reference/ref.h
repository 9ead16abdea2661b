/* ref.h - the reference: SPEC.md turned into C as directly as possible, for comparison by bits.
 *
 * It shares no line with the library and includes nothing of it. It is meant to be read, not to be
 * fast: one call takes O(n) steps, some ten nanoseconds an element. It expects the default
 * floating-point environment (round to nearest, subnormals kept) and a compiler that does not
 * contract a*b+c into an fma (-ffp-contract=off). */
#ifndef SAMESUM_REFERENCE_H
#define SAMESUM_REFERENCE_H

#include <stdbool.h>
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
    REF_STD = 7,
    REF_MIN = 8, /* this and the following: ref_row() */
    REF_MAX = 9,
    REF_ARGMIN = 10,
    REF_ARGMAX = 11,
    REF_MINMAX = 12
};
enum ref_type {
    REF_F64 = 0,
    REF_F32 = 1,
    REF_F32_WIDE = 2,
    REF_F16 = 3, /* this and the following: ref_row() */
    REF_BF16 = 4,
    REF_C64 = 5,
    REF_C128 = 6
};
enum ref_level { REF_TREE = 0, REF_KAHAN = 1, REF_COMPENSATED = 2, REF_EXACT = 3 };

/* The library's lane count (SPEC.md 1.2). */
enum { REF_LANES = 16 };

/* Sum, asum, sumsq and dot of f64, f32 and f32_wide (ref.c). Reduces the elements with the absolute
 * indices begin <= i < end; all others count as absent. lanes: the number of lanes, at least 1; a
 * segment of level kahan has 256 rows whatever it is. x, y:  x[0] is element `begin`; y is read by
 * REF_DOT alone; NULL is allowed for an empty range. result: receives a double, or a float where
 * type is REF_F32. Returns 0, or -1 without a result for another operation, an unknown type or
 * level, lanes < 1, end < begin or a null pointer. */
int ref_reduce(enum ref_op op, enum ref_type type, enum ref_level level, int lanes, const void *x,
               const void *y, uint64_t begin, uint64_t end, void *result);

/* What a call returns where the answer does not exist and NaN was written; and what ref_row() does
 * for argmin and argmax of nothing, where UINT64_MAX was written. */
enum { REF_NO_VALUE = 1, REF_EMPTY = 2 };

/* Nrm2, mean, var and std of the same types (ref_derived.c), SPEC.md section 6. Parameters as for
 * ref_reduce(), and ddof: n - ddof is the divisor of var and std; nrm2 and mean do not look at it.
 * Returns 0; REF_NO_VALUE for the mean of nothing and for var and std with n <= ddof; or -1
 * without a result as ref_reduce() does, for more than 2^62 elements, where memory is lacking, and
 * for nrm2, var and std below exact of a range that does not begin at 0 (SPEC.md 7.6). */
int ref_derive(enum ref_op op, enum ref_type type, enum ref_level level, int lanes, uint64_t ddof,
               const void *x, uint64_t begin, uint64_t end, void *result);

/* What ref_row() computes. All zero: a sum of binary64 at level tree. */
struct ref_request {
    enum ref_op op;
    enum ref_type type;
    enum ref_level level; /* min to minmax do not look at it */
    uint64_t ddof;        /* of var and std */
    bool ignore_nan;      /* min to minmax: policy ignore of SPEC.md 6.5, else propagate */
    bool result_in_input; /* f16, bf16: the result has the input's type; argmin, argmax: unused */
    bool conj;            /* dot of complex data: x is conjugated */
    bool weighted;        /* sum and mean of real data, SPEC.md 6.7 */
};

/* Any operation of SPEC.md on any type, on a row of n elements with 16 lanes (ref_row.c).
 * x: double, float, the bits of halves as uint16_t, or pairs of float or double (real part first).
 * y_or_weights: the same type; for dot and where weighted; otherwise not looked at. keep: NULL, or
 * n bytes: element i, or pair i, is absent where keep[i] == 0, and the others keep their indices.
 * result: a double for f64 and f32_wide, a float for f32 and for halves (uint16_t with
 * result_in_input); two such numbers for minmax, and for sum, mean and dot of complex data; an
 * uint64_t for argmin and argmax.
 * Returns 0; REF_NO_VALUE where NaN was written for want of elements: mean (also weighted), min,
 * max and minmax of none, var and std of up to ddof; REF_EMPTY; or -1 without a result for an
 * unknown operation, type or level, a missing array, more than 2^61 elements, lack of memory, and
 * what SPEC.md refuses: f32_wide with a result in the input's type, but for argmin and argmax;
 * asum, var, std and min to argmax of complex data; weights with another operation or complex data;
 * conj with another operation or real data. */
int ref_row(const struct ref_request *request, const void *x, const void *y_or_weights,
            const unsigned char *keep, uint64_t n, void *result);

/* Sets keep[i] = 0 where x[i] is missing: equal to `value` rounded to the elements' type (complex:
 * the real part, with an imaginary part of zero; -0.0 equals 0.0), or, where value is NaN, a NaN
 * (complex: either part). Leaves the other bytes alone. */
void ref_mark_missing(enum ref_type type, double value, const void *x, uint64_t n,
                      unsigned char *keep);

#endif
