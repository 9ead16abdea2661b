/* ref_natural.h - natural numbers of up to 6144 bits, by schoolbook arithmetic, for level exact. */
#ifndef SAMESUM_REFERENCE_NATURAL_H
#define SAMESUM_REFERENCE_NATURAL_H

#include "ref.h"

#include <stdbool.h>

enum { REF_DIGITS = 192 }; /* enough for every number that the reference makes */

/* digit[i] counts 2^(32 i). Digits from `used` on count as zero and may hold anything; the topmost
 * used one may be zero. */
struct ref_natural {
    int used;
    uint32_t digit[REF_DIGITS];
};

struct ref_natural ref_natural_of(uint64_t value);
/* *v += term 2^(32 at) */
void ref_add_at(struct ref_natural *v, int at, uint64_t term);
struct ref_natural ref_product(const struct ref_natural *a, const struct ref_natural *b);
/* a - b, for a >= b. */
struct ref_natural ref_difference(const struct ref_natural *a, const struct ref_natural *b);
bool ref_is_less(const struct ref_natural *a, const struct ref_natural *b);
bool ref_is_zero(const struct ref_natural *a);
/* v 2^(32 digits) */
struct ref_natural ref_shifted_up(const struct ref_natural *v, int digits);
/* floor(v / 2^(32 digits)); *more becomes true where that is not exact. */
struct ref_natural ref_shifted_down(const struct ref_natural *v, int digits, bool *more);
/* floor(v / divisor), 0 < divisor <= 2^62; *more becomes true where that is not exact. */
struct ref_natural ref_quotient(const struct ref_natural *v, uint64_t divisor, bool *more);
/* The same for any divisor that is not zero. */
struct ref_natural ref_long_quotient(const struct ref_natural *v, const struct ref_natural *divisor,
                                     bool *more);
/* floor(sqrt(v)); *more becomes true where that is not exact. */
struct ref_natural ref_root(const struct ref_natural *v, bool *more);

/* Rounds v 2^exponent once to the numbers of a type, SPEC.md 4.4 steps 1 and 4. more: the exact
 * value is larger than that by less than 2^exponent; v then has more bits than the precision, plus
 * one. */
double ref_round(const struct ref_natural *v, int exponent, bool more, enum ref_type to);

#endif
