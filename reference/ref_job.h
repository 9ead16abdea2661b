/* ref_job.h - what the files of the reference share. Its callers need ref.h alone. */
#ifndef SAMESUM_REFERENCE_JOB_H
#define SAMESUM_REFERENCE_JOB_H

#include "ref_natural.h"

#include <stddef.h>

/* One reduction of a row of REF_F64, REF_F32 or REF_F32_WIDE. T, the accumulator, is binary32 for
 * REF_F32 and binary64 otherwise. */
struct ref_job {
    enum ref_op op;
    enum ref_type type;
    enum ref_type to; /* what level exact rounds to: REF_F64, REF_F32, REF_F16 or REF_BF16 */
    enum ref_level level;
    uint64_t lanes;
    uint64_t ddof;
    const void *x, *y;
    const unsigned char *keep; /* NULL, or keep[k] == 0: element begin + k is absent */
    uint64_t begin, end;
};

static inline bool ref_is_kept(const struct ref_job *job, uint64_t k)
{
    return job->keep == NULL || job->keep[k] != 0;
}

/* The elements present, n of SPEC.md section 6. */
uint64_t ref_present(const struct ref_job *job);

/* The operations up to REF_DOT, as a value of T, or of `to` at level exact (ref.c). */
double ref_sum(const struct ref_job *job);
/* Nrm2, mean, var, std, likewise (ref_derived.c). Returns as ref_derive(). */
int ref_statistic(const struct ref_job *job, double *r);

/* The weighted sum or mean of x with weights y, likewise (ref_weighted.c). */
int ref_weighted(const struct ref_job *job, double *r);

enum { REF_EXACT_UNIT = -2176 }; /* exact sums count units of 2^REF_EXACT_UNIT */

/* An exact sum, SPEC.md 4.4. */
struct ref_exact {
    bool finite;
    double special; /* the result where it is not finite: NaN or an infinity */
    bool negative;  /* the sign, also that of an exact zero */
    struct ref_natural magnitude;
};

/* The exact sum of an operation up to REF_DOT; job->op is not looked at. */
void ref_exact_sum(const struct ref_job *job, enum ref_op op, struct ref_exact *exact);
double ref_exact_rounded(const struct ref_exact *exact, enum ref_type to);

#endif
