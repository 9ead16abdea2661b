/* ref_derived.c - the reference implementation of SPEC.md section 6: nrm2, mean, var and std.
 *
 * Below level exact it transcribes the rules. At exact every result is the quotient of two
 * integers, or the square root of one; the integers are formed without loss, the quotient and the
 * root are found bit by bit, and what they leave over takes part in the one rounding. */
#include "ref_elements.h"
#include "ref_job.h"

#include <math.h>
#include <stdlib.h>

/* The elements of the range, absent ones included. */
static uint64_t count(const struct ref_job *job)
{
    return job->end - job->begin;
}

uint64_t ref_present(const struct ref_job *job)
{
    uint64_t n = 0;
    for (uint64_t k = 0; k < count(job); k++) {
        n += ref_is_kept(job, k);
    }
    return n;
}

/* ---- level exact ---- */

enum { MORE_DIGITS = 8, ROOT_DIGITS = 6 };

/* numerator 2^(32 at) / (divisor_1 divisor_2), or its square root (at is even then), rounded once.
 * The quotient is formed with 256 more bits, of which divisors up to 2^124 leave 132. Since
 * floor(sqrt(v)) = floor(sqrt(floor(v))), its topmost 6 digits are enough for the root. */
static double round_quotient(const struct ref_natural *numerator, int at, uint64_t divisor_1,
                             uint64_t divisor_2, bool rooted, enum ref_type to)
{
    if (ref_is_zero(numerator)) {
        return 0.0;
    }
    bool more = false;
    struct ref_natural v = ref_shifted_up(numerator, MORE_DIGITS);
    at -= MORE_DIGITS;
    v = ref_quotient(&v, divisor_1, &more);
    v = ref_quotient(&v, divisor_2, &more);
    if (!rooted) {
        return ref_round(&v, 32 * at, more, to);
    }
    while (v.digit[v.used - 1] == 0) {
        v.used--;
    }
    int surplus = v.used > ROOT_DIGITS ? (v.used - ROOT_DIGITS + 1) / 2 * 2 : 0;
    v = ref_shifted_down(&v, surplus, &more);
    v = ref_root(&v, &more);
    return ref_round(&v, 16 * (at + surplus), more, to);
}

/* n sum(x^2) - (sum x)^2 in units of 2^REF_EXACT_UNIT; false where an element is not finite. */
static bool scaled_variance(const struct ref_job *job, struct ref_natural *numerator)
{
    struct ref_exact sum, squares;
    ref_exact_sum(job, REF_SUM, &sum);
    ref_exact_sum(job, REF_SUMSQ, &squares);
    if (!sum.finite) {
        return false;
    }
    /* The sum is a multiple of 2^-1074; in units of 2^(REF_EXACT_UNIT / 2), its square is in units
     * of 2^REF_EXACT_UNIT. */
    bool more = false;
    struct ref_natural s = ref_shifted_down(&sum.magnitude, -REF_EXACT_UNIT / 64, &more);
    s = ref_product(&s, &s);
    struct ref_natural n = ref_natural_of(ref_present(job));
    n = ref_product(&n, &squares.magnitude);
    *numerator = ref_difference(&n, &s); /* not negative, by Cauchy's inequality */
    return true;
}

static double exact(const struct ref_job *job)
{
    const int at = REF_EXACT_UNIT / 32;
    struct ref_natural numerator;
    struct ref_exact sum;
    uint64_t n = ref_present(job);
    if (job->op == REF_VAR || job->op == REF_STD) { /* 6.3 step 1, 6.4 */
        return scaled_variance(job, &numerator)
                   ? round_quotient(&numerator, at, n, n - job->ddof, job->op == REF_STD, job->to)
                   : (double)NAN;
    }
    ref_exact_sum(job, job->op == REF_MEAN ? REF_SUM : REF_SUMSQ, &sum);
    if (!sum.finite) {
        return sum.special; /* for nrm2: 6.1 step 1 has been asked before */
    }
    bool rooted = job->op == REF_NRM2; /* 6.1 step 2; 6.2 */
    double r = round_quotient(&sum.magnitude, at, rooted ? 1 : n, 1, rooted, job->to);
    return sum.negative ? -r : r;
}

/* ---- the other levels: fl(), SPEC.md 2.1. Members of T are held as binary64. ---- */

static bool narrow(const struct ref_job *job)
{
    return job->type == REF_F32;
}

/* A value that is exact in binary64, or rounded there to a subnormal number, to T. */
static double to_t(const struct ref_job *job, double value)
{
    return narrow(job) ? (double)(float)value : value;
}

static double integer_to_t(const struct ref_job *job, uint64_t value)
{
    return narrow(job) ? (double)(float)value : (double)value;
}

static double sub(const struct ref_job *job, double a, double b)
{
    return narrow(job) ? (double)((float)a - (float)b) : a - b;
}

static double mul(const struct ref_job *job, double a, double b)
{
    return narrow(job) ? (double)((float)a * (float)b) : a * b;
}

static double divide(const struct ref_job *job, double a, double b)
{
    return narrow(job) ? (double)((float)a / (float)b) : a / b;
}

static double square_root(const struct ref_job *job, double a)
{
    return narrow(job) ? (double)sqrtf((float)a) : sqrt(a);
}

/* Element k of the range. */
static double element(const struct ref_job *job, uint64_t k)
{
    return job->type == REF_F64 ? ((const double *)job->x)[k] : (double)((const float *)job->x)[k];
}

/* An operation of ref.c over the range, on elements of T where the array is `of_t`, and otherwise
 * on x. */
static double reduce(const struct ref_job *job, enum ref_op op, const void *of_t)
{
    struct ref_job inner = *job;
    inner.op = op;
    if (of_t != NULL) {
        inner.x = of_t;
        inner.type = narrow(job) ? REF_F32 : REF_F64;
    }
    return ref_sum(&inner);
}

/* An array for as many numbers of T as there are elements; NULL where memory is lacking. */
static void *new_array(const struct ref_job *job)
{
    return malloc((size_t)(count(job) + 1) * sizeof(double));
}

static void store(const struct ref_job *job, void *array, uint64_t k, double value)
{
    if (narrow(job)) {
        ((float *)array)[k] = (float)value;
    } else {
        ((double *)array)[k] = value;
    }
}

/* 6.2 */
static double mean(const struct ref_job *job)
{
    return divide(job, reduce(job, REF_SUM, NULL), integer_to_t(job, ref_present(job)));
}

/* 6.1 steps 3 and 4; every x is finite. false where memory is lacking. */
static bool nrm2(const struct ref_job *job, double *r)
{
    double largest = 0.0;
    for (uint64_t k = 0; k < count(job); k++) {
        if (ref_is_kept(job, k)) {
            largest = fmax(largest, fabs(element(job, k)));
        }
    }
    double q = reduce(job, REF_SUMSQ, NULL);
    double least = narrow(job) ? 0x1p-100 : 0x1p-960;
    if ((isfinite(q) && q >= least) || largest == 0.0) {
        *r = square_root(job, q);
        return true;
    }
    int e;
    frexp(largest, &e);
    e -= 1; /* 2^e <= largest < 2^(e + 1) */
    void *scaled = new_array(job);
    if (scaled == NULL) {
        return false;
    }
    for (uint64_t k = 0; k < count(job); k++) {
        /* those of absent elements are absent as well */
        /* ldexp() rounds once, to a subnormal binary64; for binary32 elements it is exact */
        store(job, scaled, k, to_t(job, ldexp(element(job, k), -e)));
    }
    double root_s = square_root(job, reduce(job, REF_SUMSQ, scaled));
    *r = to_t(job, ldexp(root_s, e));
    free(scaled);
    return true;
}

/* 6.3 step 2. false where memory is lacking. */
static bool variance(const struct ref_job *job, double *r)
{
    uint64_t n = ref_present(job);
    double n_t = integer_to_t(job, n), m = mean(job);
    void *deviations = new_array(job);
    if (deviations == NULL) {
        return false;
    }
    for (uint64_t k = 0; k < count(job); k++) {
        store(job, deviations, k, sub(job, element(job, k), m));
    }
    double q = reduce(job, REF_SUMSQ, deviations), c = reduce(job, REF_SUM, deviations);
    free(deviations);
    double correction = divide(job, mul(job, c, c), n_t);
    double v = divide(job, sub(job, q, correction), integer_to_t(job, n - job->ddof));
    *r = v <= 0.0 ? 0.0 : v;
    return true;
}

/* false where memory is lacking */
static bool rounded(const struct ref_job *job, double *r)
{
    switch (job->op) {
    case REF_MEAN:
        *r = mean(job);
        return true;
    case REF_NRM2:
        return nrm2(job, r);
    default: /* 6.3, 6.4 */
        if (!variance(job, r)) {
            return false;
        }
        *r = job->op == REF_STD ? square_root(job, *r) : *r;
        return true;
    }
}

/* ---- the call ---- */

/* 6.1 step 1: true where an element is infinite or NaN, and what nrm2 then is. */
static bool special_norm(const struct ref_job *job, double *r)
{
    bool infinity = false, nan = false;
    for (uint64_t k = 0; k < count(job); k++) {
        if (ref_is_kept(job, k)) {
            infinity = infinity || isinf(element(job, k));
            nan = nan || isnan(element(job, k));
        }
    }
    *r = infinity ? HUGE_VAL : (double)NAN;
    return infinity || nan;
}

int ref_statistic(const struct ref_job *job, double *r)
{
    uint64_t least = job->op == REF_NRM2   ? 0
                     : job->op == REF_MEAN ? 1
                                           : job->ddof + 1; /* elements needed */
    *r = (double)NAN;
    if (ref_present(job) < least || (job->op >= REF_VAR && job->ddof == UINT64_MAX)) {
        return REF_NO_VALUE;
    }
    bool special = job->op == REF_NRM2 && special_norm(job, r);
    if (!special && job->level == REF_EXACT) {
        *r = exact(job);
    } else if (!special && !rounded(job, r)) {
        return -1;
    }
    return 0;
}

int ref_derive(enum ref_op op, enum ref_type type, enum ref_level level, int lanes, uint64_t ddof,
               const void *x, uint64_t begin, uint64_t end, void *result)
{
    bool known = op >= REF_NRM2 && op <= REF_STD && (unsigned)type <= REF_F32_WIDE &&
                 (unsigned)level <= REF_EXACT && lanes >= 1;
    bool range = begin <= end && end - begin <= UINT64_C(1) << 62 && (begin == end || x != NULL) &&
                 (begin == 0 || op == REF_MEAN || level == REF_EXACT);
    if (!known || !range || result == NULL) {
        return -1;
    }
    struct ref_job job = {op, type, type, level, (uint64_t)lanes, ddof, x, NULL, NULL, begin, end};
    double r;
    int status = ref_statistic(&job, &r);
    if (status >= 0) {
        ref_write(type, r, result);
    }
    return status;
}
