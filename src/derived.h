/* The result of one row: by one reduction or several (SPEC.md, sections 4 and 6). */
#ifndef SS_DERIVED_H
#define SS_DERIVED_H

#include "fixedtree/segments.h"
#include "kahan/format.h"

/* What is wanted of one row; checked. */
typedef struct ss_job {
    const ss_backend *backend;
    const samesum_want *want;
    samesum_type type; /* of the elements, as asked for */
    int weighted;
    ss_view row; /* its elements as they are: whole, not mapped, without pairs */
} ss_job;

/* The sums that an operation is made of: how many, their leaves and what they read. number: the
 * type of the numbers that views give: one that kernels know. */
typedef struct ss_sums_of {
    int terms;
    samesum_op op[SS_TERMS]; /* SAMESUM_SUM to _DOT */
    ss_view view[SS_TERMS];
} ss_sums_of;
void ss_sums_of_job(const ss_job *job, samesum_type number, ss_sums_of *sums);

/* Writes the result, and what was seen to tally, which has been started; *worked receives how many
 * threads worked. The caller has entered its floating-point environment. */
samesum_status ss_derive(const ss_job *job, int threads, void *result, ss_tally *tally,
                         int *worked);

/* SPEC.md 6.2: fl(sum / n); wide: in binary64, else in binary32. */
double ss_mean_of_sum(int wide, double sum, uint64_t n);

#endif
