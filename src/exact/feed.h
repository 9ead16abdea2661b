/* Feeds elements to an accumulator: chooses for each block how, by looking at the data. The choice
 * never changes a bit, since every way is exact. */
#ifndef SS_FEED_H
#define SS_FEED_H

#include "exact/accumulator.h"
#include "exact/slices.h"

/* What is summed. */
typedef struct ss_exact_plan {
    const ss_slicers *slicers;
    int binary32; /* the elements' type */
    samesum_op op;
} ss_exact_plan;

/* What the last blocks were like: a guess for the next. All zero: nothing known. */
typedef struct ss_tuner {
    int known;    /* blocks that the guess is still good for */
    int exponent; /* of the largest term */
    int slicing;  /* SS_FEW..SS_MANY; SS_SLICINGS: exponents too wide to slice */
    int hopeless; /* for pieces of a block, too */
} ss_tuner;

/* Adds n elements at x (and y) to acc: their count, kinds and exact terms. */
void ss_exact_feed(const ss_exact_plan *plan, ss_tuner *tuner, const void *x, const void *y,
                   size_t n, ss_exact *acc);

#endif
