/* The result of one row: by one reduction or several (SPEC.md, sections 4 and 6). */
#ifndef SS_DERIVED_H
#define SS_DERIVED_H

#include "extremes.h"
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

/* Starts a job; its row has no places yet. */
static inline void ss_job_start(ss_job *job, const ss_backend *backend, const samesum_want *want,
                                samesum_type type)
{
    job->backend = backend;
    job->want = want;
    job->type = type;
    job->weighted = 0;
    job->row.packers = backend->packers;
    job->row.type = type == SAMESUM_F32_WIDE ? SAMESUM_F32 : type;
    job->row.out = type;
    job->row.place[SS_X] = job->row.place[SS_Y] = NULL;
    job->row.first = SS_X;
    job->row.pair = 0;
    job->row.part = SS_PART_WHOLE;
    job->row.factor = -1;
    job->row.conj = want->conj != 0;
    job->row.map = SS_MAP_NONE;
    job->row.mask_kind = SAMESUM_MASK_NONE;
    job->row.missing = SAMESUM_MISSING_NONE;
    job->row.missing_in[SS_X] = job->row.missing_in[SS_Y] = 0;
}

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

/* Below level exact a result takes one pass over the elements, or up to three, each of which
 * depends on what those before gave (SPEC.md 6.1, 6.3). Who does them, one process or many, is not
 * said here. */
typedef enum ss_pass_kind {
    SS_PASS_SUMS,       /* the operation's own sums */
    SS_PASS_DEVIATIONS, /* of the squares of x - mean, and of x - mean */
    SS_PASS_LARGEST,    /* the largest |x| */
    SS_PASS_SCALED,     /* of the squares of x * 2^-exponent */
    SS_PASS_NONE        /* the result is known */
} ss_pass_kind;

typedef struct ss_passes {
    ss_pass_kind next;
    double parameter;        /* of the next pass: the mean, or the exponent */
    uint64_t present;        /* elements; to be set before the first pass is done */
    double result[SS_TERMS]; /* once there is no next pass */
    samesum_status status;
} ss_passes;

/* The sums of the next pass, which is not SS_PASS_LARGEST. */
void ss_pass_sums(const ss_job *job, const ss_passes *passes, ss_sums_of *sums);
/* For SS_PASS_LARGEST: the extremes of the row's numbers; and the largest |x| that follows:
 * infinite where any is, else NaN where any is. */
void ss_pass_largest(const ss_job *job, int threads, ss_found *found, ss_tally *tally);
double ss_largest_of(const ss_found *found);
/* Goes on to the next pass. value: what the sums gave, or the largest |x|. */
void ss_pass_done(const ss_job *job, const double *value, ss_passes *passes);

/* SPEC.md 6.2: fl(sum / n); wide: in binary64, else in binary32. */
double ss_mean_of_sum(int wide, double sum, uint64_t n);

#endif
