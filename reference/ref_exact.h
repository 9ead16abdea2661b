/* ref_exact.h - what ref.c and ref_derived.c share: exact sums as big integers, and one rounding.
 * Callers of the reference need ref.h alone. */
#ifndef SAMESUM_REFERENCE_EXACT_H
#define SAMESUM_REFERENCE_EXACT_H

#include "ref.h"

#include <stdbool.h>

enum {
    REF_EXACT_UNIT = -2176, /* exact sums count units of 2^REF_EXACT_UNIT */
    REF_DIGITS = 192        /* enough for every number that ref_derived.c makes */
};

/* A natural number: digit[i] counts 2^(32 i). Digits from `used` on count as zero and may hold
 * anything; the topmost used one may be zero. */
struct ref_natural {
    int used;
    uint32_t digit[REF_DIGITS];
};

/* An exact sum, SPEC.md 4.4. */
struct ref_exact {
    bool finite;
    double special; /* the result where it is not finite: NaN or an infinity */
    bool negative;  /* the sign, also that of an exact zero */
    struct ref_natural magnitude;
};

/* The exact sum of an operation below REF_DOT; the arguments are good. */
void ref_exact_sum(enum ref_op op, enum ref_type type, const void *x, uint64_t begin, uint64_t end,
                   struct ref_exact *exact);

/* Rounds v 2^exponent once to the result type, SPEC.md 4.4 steps 1 and 4. more: the exact value is
 * larger than that by less than 2^exponent; v then has more bits than the precision, plus one. */
double ref_round(const struct ref_natural *v, int exponent, bool more, enum ref_type type);

/* Writes a float or a double; NaN in its canonical form. */
void ref_write(enum ref_type type, double r, void *result);

#endif
