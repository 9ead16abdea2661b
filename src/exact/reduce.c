#include "exact/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "exact/natural.h"
#include "fixedtree/threads.h"

void ss_exact_sums_init(ss_exact_sums *s, const ss_slicers *slicers, samesum_op op,
                        samesum_type type, unsigned ddof)
{
    int spread = op == SAMESUM_VAR || op == SAMESUM_STD;
    samesum_op first = op == SAMESUM_MEAN || spread ? SAMESUM_SUM
                       : op == SAMESUM_NRM2         ? SAMESUM_SUMSQ
                                                    : op;
    s->sums = 1 + spread;
    s->op = op;
    s->ddof = ddof;
    for (int i = 0; i < s->sums; i++) {
        s->plan[i].slicers = slicers;
        s->plan[i].binary32 = type != SAMESUM_F64;
        s->plan[i].op = i == 0 ? first : SAMESUM_SUMSQ;
        memset(&s->tuner[i], 0, sizeof s->tuner[i]);
        ss_exact_init(&s->acc[i]);
    }
}

static size_t elem_bytes(const ss_exact_sums *s)
{
    return s->plan[0].binary32 ? sizeof(float) : sizeof(double);
}

static void add_alone(ss_exact_sums *s, const char *x, const char *y, size_t n)
{
    if (s->sums == 1) {
        ss_exact_feed(&s->plan[0], &s->tuner[0], x, y, n, &s->acc[0]);
        return;
    }
    enum { PIECE = 4 * SS_BLOCK }; /* read from memory once, and from the cache again */
    for (size_t at = 0; at < n; at += PIECE) {
        size_t m = n - at < PIECE ? n - at : PIECE;
        for (int i = 0; i < s->sums; i++)
            ss_exact_feed(&s->plan[i], &s->tuner[i], x + at * elem_bytes(s), NULL, m, &s->acc[i]);
    }
}

typedef struct team {
    const char *x, *y;
    size_t n;
    ss_exact_sums *part; /* one for each member */
} team;

static void add_part(void *context, int member, size_t from, size_t to)
{
    team *t = context;
    size_t bytes = elem_bytes(&t->part[member]), first = from * SS_BLOCK, end = to * SS_BLOCK;
    end = end < t->n ? end : t->n;
    add_alone(&t->part[member], t->x + first * bytes, t->y ? t->y + first * bytes : NULL,
              end > first ? end - first : 0);
}

int ss_exact_sums_add(ss_exact_sums *s, const char *x, const char *y, size_t n, int threads)
{
    size_t blocks = n / SS_BLOCK + (n % SS_BLOCK != 0);
    team t = {x, y, n, NULL};
    threads = ss_useful_threads(threads, blocks);
    if (threads > 1)
        t.part = malloc((size_t)threads * sizeof *t.part);
    if (!t.part) {
        add_alone(s, x, y, n);
        return 1;
    }
    for (int i = 0; i < threads; i++) {
        t.part[i] = *s;
        for (int k = 0; k < s->sums; k++)
            ss_exact_init(&t.part[i].acc[k]);
    }
    threads = ss_parallel(threads, blocks, add_part, &t);
    for (int i = 0; i < threads; i++)
        ss_exact_sums_merge(s, &t.part[i]);
    free(t.part);
    return threads;
}

void ss_exact_sums_merge(ss_exact_sums *into, const ss_exact_sums *from)
{
    for (int i = 0; i < into->sums; i++)
        ss_exact_merge(&into->acc[i], &from->acc[i]);
}

/* n sum(x^2) - sum(x)^2, which no data make negative. Returns whether it is. */
static int spread_numerator(const ss_exact_sums *s, ss_magnitude *m)
{
    ss_magnitude sum, square;
    ss_exact_magnitude(&s->acc[1], m);
    ss_exact_magnitude(&s->acc[0], &sum);
    ss_natural_times(m, s->acc[0].count);
    ss_natural_square(&sum, &square);
    return ss_natural_minus(m, &square);
}

/* Whether so many terms can add up to m: each is a multiple of the smallest and below the power of
 * two after the largest, whatever the element type. */
static int is_within_reach(const ss_magnitude *m, samesum_op op, uint64_t count)
{
    int squares = op == SAMESUM_SUMSQ || op == SAMESUM_DOT;
    int top = m->exponent + 32 * m->length - __builtin_clz(m->digit[m->length - 1]);
    int bottom = m->exponent + __builtin_ctz(m->digit[0]);
    return count > 0 && bottom >= (squares ? -2148 : -1074) &&
           top <= (squares ? 2048 : 1024) + 64 - __builtin_clzll(count);
}

int ss_exact_sums_are_possible(const ss_exact_sums *s)
{
    for (int i = 0; i < s->sums; i++) {
        const ss_exact *acc = &s->acc[i];
        samesum_op op = s->plan[i].op;
        int special = acc->nan | acc->plus_inf | acc->minus_inf;
        ss_magnitude m;
        ss_exact_magnitude(acc, &m);
        if (m.length > 0 && !acc->other_than_minus_zero)
            return 0;
        if (m.length > 0 && !is_within_reach(&m, op, acc->count))
            return 0;
        if (acc->count == 0 && (special || acc->other_than_minus_zero))
            return 0;
        if ((op == SAMESUM_ASUM || op == SAMESUM_SUMSQ) && (m.negative || acc->minus_inf))
            return 0;
    }
    ss_magnitude m;
    return s->sums == 1 || !spread_numerator(s, &m);
}

/* SPEC.md 6: the exact sum over n, rounded once; a zero has the sum's sign. */
static double mean(const ss_exact *acc, int narrow)
{
    double special = ss_exact_f64(acc); /* overflow apart, this has the mean's sign and kind */
    ss_magnitude m;
    ss_exact_magnitude(acc, &m);
    if (acc->nan || acc->plus_inf || acc->minus_inf || m.length == 0)
        return special;
    int left = ss_natural_over(&m, acc->count);
    return narrow ? (double)ss_round_f32(&m, left) : ss_round_f64(&m, left);
}

/* SPEC.md 6: the exact square root, rounded once. */
static double nrm2(const ss_exact *acc, int narrow)
{
    if (acc->plus_inf)
        return HUGE_VAL;
    if (acc->nan)
        return NAN;
    ss_magnitude m;
    ss_exact_magnitude(acc, &m);
    int left = ss_natural_root(&m);
    return narrow ? (double)ss_round_f32(&m, left) : ss_round_f64(&m, left);
}

/* SPEC.md 6: (n sum(x^2) - sum(x)^2) / (n (n - ddof)), or its root, rounded once. */
static double spread(const ss_exact_sums *s, int narrow)
{
    const ss_exact *x = &s->acc[0];
    if (x->nan || x->plus_inf || x->minus_inf)
        return NAN;
    ss_magnitude m;
    spread_numerator(s, &m);
    if (m.length == 0)
        return 0;
    m.negative = 0;
    int left = ss_natural_over(&m, x->count);
    left |= ss_natural_over(&m, x->count - s->ddof);
    if (s->op == SAMESUM_STD)
        left |= ss_natural_root(&m);
    return narrow ? (double)ss_round_f32(&m, left) : ss_round_f64(&m, left);
}

samesum_status ss_exact_sums_finish(const ss_exact_sums *s, samesum_type type, void *result)
{
    const ss_exact *acc = &s->acc[0];
    int narrow = type == SAMESUM_F32;
    uint64_t least = s->op == SAMESUM_MEAN ? 1 : s->sums == 2 ? (uint64_t)s->ddof + 1 : 0;
    double r;
    if (acc->count < least)
        r = NAN;
    else if (s->op == SAMESUM_MEAN)
        r = mean(acc, narrow);
    else if (s->op == SAMESUM_NRM2)
        r = nrm2(acc, narrow);
    else if (s->sums == 2)
        r = spread(s, narrow);
    else
        r = narrow ? (double)ss_exact_f32(acc) : ss_exact_f64(acc);
    if (isnan(r))
        r = (double)NAN; /* SPEC.md 5: the canonical one */
    float f = (float)r;  /* exact: r has been rounded to binary32 where that is asked for */
    if (narrow)
        memcpy(result, &f, sizeof f);
    else
        memcpy(result, &r, sizeof r);
    return acc->count < least ? SAMESUM_NO_VALUE : SAMESUM_OK;
}
