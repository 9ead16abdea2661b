/* ref_weighted.c - the reference implementation of SPEC.md 6.7: weighted sums and means. */
#include "ref_job.h"

#include <math.h>

/* The exact quotient of two finite exact sums, rounded once; w is not zero. */
static double exact_quotient(const struct ref_exact *d, const struct ref_exact *w, enum ref_type to)
{
    /* so many digits more of d that the quotient has at least four */
    int more_digits = w->magnitude.used - d->magnitude.used + 5;
    more_digits = more_digits > 0 ? more_digits : 0;
    bool more = false;
    struct ref_natural v = ref_shifted_up(&d->magnitude, more_digits);
    v = ref_long_quotient(&v, &w->magnitude, &more);
    double r = ref_round(&v, -32 * more_digits, more, to);
    return d->negative != w->negative ? -r : r;
}

static double exact_mean(const struct ref_job *job, const struct ref_job *weights)
{
    struct ref_exact d, w;
    ref_exact_sum(job, REF_DOT, &d);
    ref_exact_sum(weights, REF_SUM, &w);
    if (w.finite && ref_is_zero(&w.magnitude)) {
        return (double)NAN;
    }
    if (!d.finite || !w.finite) { /* section 9, note 16; NaN, infinite or zero in every type */
        enum ref_type t = job->type == REF_F32 ? REF_F32 : REF_F64;
        return ref_exact_rounded(&d, t) / ref_exact_rounded(&w, t);
    }
    return exact_quotient(&d, &w, job->to);
}

/* fl(dot(w, x) / sum(w)) */
static double rounded_mean(const struct ref_job *job, const struct ref_job *weights)
{
    double d = ref_sum(job), w = ref_sum(weights);
    if (w == 0.0) {
        return (double)NAN;
    }
    return job->type == REF_F32 ? (double)((float)d / (float)w) : d / w;
}

int ref_weighted(const struct ref_job *job, double *r)
{
    struct ref_job dot = *job, weights = *job;
    dot.op = REF_DOT;
    weights.op = REF_SUM;
    weights.x = job->y;
    if (job->op == REF_SUM) {
        *r = ref_sum(&dot);
        return 0;
    }
    if (ref_present(job) == 0) {
        *r = (double)NAN;
        return REF_NO_VALUE;
    }
    *r = job->level == REF_EXACT ? exact_mean(&dot, &weights) : rounded_mean(&dot, &weights);
    return 0;
}
