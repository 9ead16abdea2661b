/* ref_derived.c - the reference implementation of SPEC.md section 6: nrm2, mean, var and std.
 *
 * Below level exact it transcribes the rules. At exact every result is the quotient of two
 * integers, or the square root of one; the integers are formed without loss, the quotient and the
 * root are found bit by bit, and what they leave over takes part in the one rounding. */
#include "ref_exact.h"

#include <math.h>
#include <stdlib.h>

struct job {
    enum ref_op op;
    enum ref_type type;
    enum ref_level level;
    int lanes;
    uint64_t ddof;
    const void *x;
    uint64_t begin, end;
};

static uint64_t count(const struct job *job)
{
    return job->end - job->begin;
}

/* ---- natural numbers ---- */

static void add_at(struct ref_natural *v, int at, uint64_t term)
{
    for (; term != 0; at++) {
        for (; v->used <= at; v->used++) {
            v->digit[v->used] = 0;
        }
        term += v->digit[at];
        v->digit[at] = (uint32_t)term;
        term >>= 32;
    }
}

static struct ref_natural product(const struct ref_natural *a, const struct ref_natural *b)
{
    struct ref_natural p = {.used = 0};
    for (int i = 0; i < a->used; i++) {
        for (int j = 0; j < b->used; j++) {
            add_at(&p, i + j, (uint64_t)a->digit[i] * b->digit[j]);
        }
    }
    return p;
}

static struct ref_natural natural(uint64_t value)
{
    struct ref_natural v = {.used = 0};
    add_at(&v, 0, value);
    return v;
}

/* a - b, for a >= b. */
static struct ref_natural difference(const struct ref_natural *a, const struct ref_natural *b)
{
    struct ref_natural d = {.used = a->used};
    uint64_t borrow = 0;
    for (int i = 0; i < a->used; i++) {
        uint64_t take = borrow + (i < b->used ? b->digit[i] : 0);
        d.digit[i] = (uint32_t)(a->digit[i] - take);
        borrow = take > a->digit[i];
    }
    return d;
}

static bool is_less(const struct ref_natural *a, const struct ref_natural *b)
{
    for (int i = a->used > b->used ? a->used : b->used; i-- > 0;) {
        uint32_t digit_a = i < a->used ? a->digit[i] : 0;
        uint32_t digit_b = i < b->used ? b->digit[i] : 0;
        if (digit_a != digit_b) {
            return digit_a < digit_b;
        }
    }
    return false;
}

static bool is_zero(const struct ref_natural *a)
{
    struct ref_natural zero = {.used = 0};
    return !is_less(&zero, a);
}

/* v 2^(32 digits) */
static struct ref_natural shifted_up(const struct ref_natural *v, int digits)
{
    struct ref_natural s = {.used = v->used + digits};
    for (int i = 0; i < s.used; i++) {
        s.digit[i] = i < digits ? 0 : v->digit[i - digits];
    }
    return s;
}

/* floor(v / 2^(32 digits)); *more becomes true where that is not exact. */
static struct ref_natural shifted_down(const struct ref_natural *v, int digits, bool *more)
{
    struct ref_natural s = {.used = 0};
    for (int i = 0; i < v->used; i++) {
        if (i < digits) {
            *more = *more || v->digit[i] != 0;
        } else {
            s.digit[s.used++] = v->digit[i];
        }
    }
    return s;
}

/* floor(v / divisor), by long division bit by bit, 0 < divisor <= 2^62; *more becomes true where
 * that is not exact. */
static struct ref_natural quotient(const struct ref_natural *v, uint64_t divisor, bool *more)
{
    struct ref_natural q = {.used = v->used};
    uint64_t rest = 0;
    for (int i = v->used; i-- > 0;) {
        q.digit[i] = 0;
        for (int b = 31; b >= 0; b--) {
            rest = 2 * rest + ((v->digit[i] >> b) & 1);
            q.digit[i] = 2 * q.digit[i] + (rest >= divisor);
            rest -= rest >= divisor ? divisor : 0;
        }
    }
    *more = *more || rest != 0;
    return q;
}

/* floor(sqrt(v)), bit by bit from the top; *more becomes true where that is not exact. */
static struct ref_natural root(const struct ref_natural *v, bool *more)
{
    struct ref_natural r = {.used = 0}, square;
    for (int p = 16 * v->used - 1; p >= 0; p--) {
        struct ref_natural trial = r;
        add_at(&trial, p / 32, UINT64_C(1) << (p % 32));
        square = product(&trial, &trial);
        if (!is_less(v, &square)) {
            r = trial;
        }
    }
    square = product(&r, &r);
    *more = *more || is_less(&square, v);
    return r;
}

/* ---- level exact ---- */

enum { MORE_DIGITS = 8, ROOT_DIGITS = 6 };

/* numerator 2^(32 at) / (divisor_1 divisor_2), or its square root (at is even then), rounded once.
 * The quotient is formed with 256 more bits, of which divisors up to 2^124 leave 132. Since
 * floor(sqrt(v)) = floor(sqrt(floor(v))), its topmost 6 digits are enough for the root. */
static double round_quotient(const struct ref_natural *numerator, int at, uint64_t divisor_1,
                             uint64_t divisor_2, bool rooted, enum ref_type type)
{
    if (is_zero(numerator)) {
        return 0.0;
    }
    bool more = false;
    struct ref_natural v = shifted_up(numerator, MORE_DIGITS);
    at -= MORE_DIGITS;
    v = quotient(&v, divisor_1, &more);
    v = quotient(&v, divisor_2, &more);
    if (!rooted) {
        return ref_round(&v, 32 * at, more, type);
    }
    while (v.digit[v.used - 1] == 0) {
        v.used--;
    }
    int surplus = v.used > ROOT_DIGITS ? (v.used - ROOT_DIGITS + 1) / 2 * 2 : 0;
    v = shifted_down(&v, surplus, &more);
    v = root(&v, &more);
    return ref_round(&v, 16 * (at + surplus), more, type);
}

/* n sum(x^2) - (sum x)^2 in units of 2^REF_EXACT_UNIT; false where an element is not finite. */
static bool scaled_variance(const struct job *job, struct ref_natural *numerator)
{
    struct ref_exact sum, squares;
    ref_exact_sum(REF_SUM, job->type, job->x, job->begin, job->end, &sum);
    ref_exact_sum(REF_SUMSQ, job->type, job->x, job->begin, job->end, &squares);
    if (!sum.finite) {
        return false;
    }
    /* The sum is a multiple of 2^-1074; in units of 2^(REF_EXACT_UNIT / 2), its square is in units
     * of 2^REF_EXACT_UNIT. */
    bool more = false;
    struct ref_natural s = shifted_down(&sum.magnitude, -REF_EXACT_UNIT / 64, &more);
    s = product(&s, &s);
    struct ref_natural n = natural(count(job));
    n = product(&n, &squares.magnitude);
    *numerator = difference(&n, &s); /* not negative, by Cauchy's inequality */
    return true;
}

static double exact(const struct job *job)
{
    const int at = REF_EXACT_UNIT / 32;
    struct ref_natural numerator;
    struct ref_exact sum;
    uint64_t n = count(job);
    if (job->op == REF_VAR || job->op == REF_STD) { /* 6.3 step 1, 6.4 */
        return scaled_variance(job, &numerator)
                   ? round_quotient(&numerator, at, n, n - job->ddof, job->op == REF_STD, job->type)
                   : (double)NAN;
    }
    ref_exact_sum(job->op == REF_MEAN ? REF_SUM : REF_SUMSQ, job->type, job->x, job->begin,
                  job->end, &sum);
    if (!sum.finite) {
        return sum.special; /* for nrm2: 6.1 step 1 has been asked before */
    }
    bool rooted = job->op == REF_NRM2; /* 6.1 step 2; 6.2 */
    double r = round_quotient(&sum.magnitude, at, rooted ? 1 : n, 1, rooted, job->type);
    return sum.negative ? -r : r;
}

/* ---- the other levels: fl(), SPEC.md 2.1. Members of T are held as binary64. ---- */

static bool narrow(const struct job *job)
{
    return job->type == REF_F32;
}

/* A value that is exact in binary64, or rounded there to a subnormal number, to T. */
static double to_t(const struct job *job, double value)
{
    return narrow(job) ? (double)(float)value : value;
}

static double integer_to_t(const struct job *job, uint64_t value)
{
    return narrow(job) ? (double)(float)value : (double)value;
}

static double sub(const struct job *job, double a, double b)
{
    return narrow(job) ? (double)((float)a - (float)b) : a - b;
}

static double mul(const struct job *job, double a, double b)
{
    return narrow(job) ? (double)((float)a * (float)b) : a * b;
}

static double divide(const struct job *job, double a, double b)
{
    return narrow(job) ? (double)((float)a / (float)b) : a / b;
}

static double square_root(const struct job *job, double a)
{
    return narrow(job) ? (double)sqrtf((float)a) : sqrt(a);
}

/* Element k of the range. */
static double element(const struct job *job, uint64_t k)
{
    return job->type == REF_F64 ? ((const double *)job->x)[k] : (double)((const float *)job->x)[k];
}

/* An operation of ref.c over the range, on elements of T where the array is `of_t`, and otherwise
 * on x. */
static double reduce(const struct job *job, enum ref_op op, const void *of_t)
{
    enum ref_type type = of_t != NULL && job->type == REF_F32_WIDE ? REF_F64 : job->type;
    double r = 0.0;
    float narrow_r = 0.0F;
    ref_reduce(op, type, job->level, job->lanes, of_t != NULL ? of_t : job->x, NULL, job->begin,
               job->end, narrow(job) ? (void *)&narrow_r : (void *)&r);
    return narrow(job) ? (double)narrow_r : r;
}

/* An array for as many numbers of T as there are elements; NULL where memory is lacking. */
static void *new_array(const struct job *job)
{
    return malloc((size_t)(count(job) + 1) * sizeof(double));
}

static void store(const struct job *job, void *array, uint64_t k, double value)
{
    if (narrow(job)) {
        ((float *)array)[k] = (float)value;
    } else {
        ((double *)array)[k] = value;
    }
}

/* 6.2 */
static double mean(const struct job *job)
{
    return divide(job, reduce(job, REF_SUM, NULL), integer_to_t(job, count(job)));
}

/* 6.1 steps 3 and 4; every x is finite. false where memory is lacking. */
static bool nrm2(const struct job *job, double *r)
{
    double largest = 0.0;
    for (uint64_t k = 0; k < count(job); k++) {
        largest = fmax(largest, fabs(element(job, k)));
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
        /* ldexp() rounds once, to a subnormal binary64; for binary32 elements it is exact */
        store(job, scaled, k, to_t(job, ldexp(element(job, k), -e)));
    }
    double root_s = square_root(job, reduce(job, REF_SUMSQ, scaled));
    *r = to_t(job, ldexp(root_s, e));
    free(scaled);
    return true;
}

/* 6.3 step 2. false where memory is lacking. */
static bool variance(const struct job *job, double *r)
{
    uint64_t n = count(job);
    double n_t = integer_to_t(job, n), m = mean(job);
    void *deviations = new_array(job);
    if (deviations == NULL) {
        return false;
    }
    for (uint64_t k = 0; k < n; k++) {
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
static bool rounded(const struct job *job, double *r)
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
static bool special_norm(const struct job *job, double *r)
{
    bool infinity = false, nan = false;
    for (uint64_t k = 0; k < count(job); k++) {
        infinity = infinity || isinf(element(job, k));
        nan = nan || isnan(element(job, k));
    }
    *r = infinity ? HUGE_VAL : (double)NAN;
    return infinity || nan;
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
    struct job job = {op, type, level, lanes, ddof, x, begin, end};
    uint64_t least = op == REF_NRM2 ? 0 : op == REF_MEAN ? 1 : ddof + 1; /* elements needed */
    double r = (double)NAN;
    if (count(&job) < least || (op >= REF_VAR && ddof == UINT64_MAX)) {
        ref_write(type, r, result);
        return REF_NO_VALUE;
    }
    bool special = op == REF_NRM2 && special_norm(&job, &r);
    if (!special && level == REF_EXACT) {
        r = exact(&job);
    } else if (!special && !rounded(&job, &r)) {
        return -1;
    }
    ref_write(type, r, result);
    return 0;
}
