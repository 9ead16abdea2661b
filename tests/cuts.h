/* cuts.h - arrays cut along an axis, among ranks. */
#ifndef TESTS_CUTS_H
#define TESTS_CUTS_H

#include "samesum.h"

#include <stddef.h>

enum { MOST_RANKS = 64 };

/* Where each rank's elements begin, of n: evenly, at random, with empty ranks, or all on one. */
struct cuts {
    size_t at[MOST_RANKS + 1];
};
struct cuts cuts_among(size_t n, int ranks);

/* The part of an array that lies along an axis from `begin` on. */
struct part {
    samesum_array array;
    size_t shape[SAMESUM_MAX_DIMS];
    ptrdiff_t strides[3][SAMESUM_MAX_DIMS];
    unsigned char *bits; /* a mask of bits has to be packed anew */
};
void part_make(struct part *part, const samesum_array *whole, int axis, size_t begin, size_t count);
void part_free(struct part *part);

#endif
