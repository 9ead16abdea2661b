/* elements.h - elements of every type, made from random bits, and read without the library. */
#ifndef TESTS_ELEMENTS_H
#define TESTS_ELEMENTS_H

#include "samesum.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How numbers are spread. */
enum style {
    STYLE_NEAR, /* exponents near that of 1, random signs */
    STYLE_WIDE, /* a third of the exponents on both sides of 1: squares neither over- nor underflow
                 */
    STYLE_CANCEL,  /* in blocks of 64 the second half nearly cancels the first */
    STYLE_FEW,     /* -2, -1, -0, +0, 1, 2 */
    STYLE_ZEROS,   /* zeros of one sign, and a few of the other */
    STYLE_TINY,    /* around the smallest normal number, zeros of both signs */
    STYLE_HUGE,    /* the largest exponents */
    STYLE_OFFSET,  /* one large number with noise in its low bits */
    STYLE_SPECIAL, /* near, with infinities of one or of both signs, NaNs, or all of them */
    STYLES
};
const char *style_name(enum style style);

/* Writes n elements. */
void fill_elements(samesum_type type, enum style style, size_t n, void *out);

/* (-1)^i sqrt(i + 1) for i < n, to be freed: case 11 of those that hurt users. */
double *alternating_roots(size_t n);

/* Bytes of an element, and of a part of it: itself, or one of a complex element's two. */
size_t element_bytes(samesum_type type);
size_t part_bytes(samesum_type type);
/* The real (part 0) or imaginary (1) part of the element at x, which needs no alignment. */
double element_part(samesum_type type, const void *x, int part);
bool element_is_nan(samesum_type type, const void *x);
bool element_is_finite(samesum_type type, const void *x);
/* value rounded to the parts' type, ties to even. */
double rounded_to(samesum_type type, double value);
/* Stores value, so rounded, as a part. */
void store_part(samesum_type type, void *x, int part, double value);
/* The bits of a half precision number: value, rounded. */
uint16_t half_bits(samesum_type type, double value);

#endif
