/* golden_number.h - numbers of golden entries: bits, decimals, and how far apart two of them are.
 */
#ifndef SAMESUM_CLI_GOLDEN_NUMBER_H
#define SAMESUM_CLI_GOLDEN_NUMBER_H

#include "dtype.h"
#include "value.h"

#include <stdint.h>

/* The decimal of bits ("0x" and digits, length characters) of a result made of elements of dtype.
 * Returns false where these are no bits. */
bool golden_decimal(const char *bits, size_t length, enum dtype dtype, char decimal[VALUE_TEXT]);
/* The bits of an element of dtype, which is real. Returns false where decimal is not what
 * value_decimal() prints for it. */
bool golden_bits(const char *decimal, enum dtype dtype, char bits[VALUE_TEXT]);

enum golden_distance {
    GOLDEN_SAME, /* the same bits, or NaN and NaN */
    GOLDEN_ULPS, /* two numbers of one type */
    GOLDEN_SIGN, /* -0 and +0: 0 ulps apart, and not the same */
    GOLDEN_FAR   /* of two types, or one of them is not finite: no number of ulps says it */
};
/* Compares bits, or pairs of bits with a comma between. *ulps receives the larger distance of the
 * parts where the answer is GOLDEN_ULPS, else 0. */
enum golden_distance golden_compare(const char *a, const char *b, enum dtype dtype, uint64_t *ulps);

#endif
