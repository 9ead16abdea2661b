/* Whole arrays at level exact, by several threads, and what follows from their exact sums. */
#ifndef SS_EXACT_REDUCE_H
#define SS_EXACT_REDUCE_H

#include "exact/feed.h"

/* What a reduction at level exact sums up: the terms of op, or for var and std the elements and
 * their squares. */
enum { SS_EXACT_SUMS = 2 };
typedef struct ss_exact_sums {
    int sums; /* 1 or 2 */
    samesum_op op;
    unsigned ddof;
    ss_exact_plan plan[SS_EXACT_SUMS];
    ss_tuner tuner[SS_EXACT_SUMS];
    ss_exact acc[SS_EXACT_SUMS];
} ss_exact_sums;

/* Nothing summed yet. */
void ss_exact_sums_init(ss_exact_sums *sums, const ss_slicers *slicers, samesum_op op,
                        samesum_type type, unsigned ddof);

/* Adds n elements. Returns how many threads worked. */
int ss_exact_sums_add(ss_exact_sums *sums, const char *x, const char *y, size_t n, int threads);

/* into becomes both; they are of the same kind. */
void ss_exact_sums_merge(ss_exact_sums *into, const ss_exact_sums *from);

/* Whether there are elements that have these sums, as far as signs, kinds and squares can tell. */
int ss_exact_sums_are_possible(const ss_exact_sums *sums);

/* Writes the result, a double or a float. SAMESUM_NO_VALUE where it does not exist. */
samesum_status ss_exact_sums_finish(const ss_exact_sums *sums, samesum_type type, void *result);

#endif
