/* Whole arrays at level exact, by several threads, and what follows from their exact sums. */
#ifndef SS_EXACT_REDUCE_H
#define SS_EXACT_REDUCE_H

#include "exact/feed.h"
#include "exact/finish.h"
#include "fixedtree/segments.h"

typedef struct ss_exact_sums {
    ss_exact_kind kind;
    int sums; /* 1 or 2 */
    samesum_op op;
    unsigned ddof;
    ss_exact_plan plan[SS_TERMS];
    ss_tuner tuner[SS_TERMS];
    ss_exact acc[SS_TERMS];
} ss_exact_sums;

/* Nothing summed yet. type: of the elements. */
void ss_exact_sums_init(ss_exact_sums *sums, const ss_slicers *slicers, samesum_op op,
                        samesum_type type, int weighted, unsigned ddof);

/* The type of the numbers that the views of these elements have to give: that of the elements, or
 * binary32 for halves. */
static inline samesum_type ss_exact_number(samesum_type type)
{
    samesum_type real = ss_real_type(type);
    return real == SAMESUM_F64 ? SAMESUM_F64 : SAMESUM_F32;
}

/* Adds all elements of the views, one view for each sum. Returns how many threads worked. tally
 * receives what was seen. */
int ss_exact_sums_add(ss_exact_sums *sums, const ss_view *const *view, int threads,
                      ss_tally *tally);

/* The same for few elements that lie side by side, of a type whose numbers kernels read in place.
 */
void ss_exact_sums_add_few(ss_exact_sums *sums, const void *x, const void *y, size_t n);

/* into becomes both; they are of the same kind. */
void ss_exact_sums_merge(ss_exact_sums *into, const ss_exact_sums *from);

/* Whether there are elements that have these sums, as far as signs, kinds and squares can tell. */
int ss_exact_sums_are_possible(const ss_exact_sums *sums);

/* The result, rounded to the format; result[1] too for both parts. SAMESUM_NO_VALUE, and NaN, where
 * it does not exist. */
samesum_status ss_exact_sums_finish(const ss_exact_sums *sums, ss_format format, double *result);

#endif
