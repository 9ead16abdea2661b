#include "exact/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fixedtree/threads.h"

void ss_exact_sums_init(ss_exact_sums *s, const ss_slicers *slicers, samesum_op op,
                        samesum_type type, int weighted, unsigned ddof)
{
    samesum_op first = op == SAMESUM_MEAN || op == SAMESUM_VAR || op == SAMESUM_STD ? SAMESUM_SUM
                       : op == SAMESUM_NRM2                                         ? SAMESUM_SUMSQ
                                                                                    : op;
    s->kind = op == SAMESUM_VAR || op == SAMESUM_STD          ? SS_EXACT_SPREAD
              : weighted && op == SAMESUM_MEAN                ? SS_EXACT_QUOTIENT
              : ss_is_complex(type) && first != SAMESUM_SUMSQ ? SS_EXACT_PARTS
                                                              : SS_EXACT_ONE;
    s->sums = 1 + (s->kind != SS_EXACT_ONE);
    s->op = op;
    s->ddof = ddof;
    const samesum_op second = s->kind == SS_EXACT_SPREAD     ? SAMESUM_SUMSQ
                              : s->kind == SS_EXACT_QUOTIENT ? SAMESUM_SUM
                                                             : first;
    for (int i = 0; i < s->sums; i++) {
        s->plan[i].slicers = slicers;
        s->plan[i].binary32 = ss_exact_number(type) == SAMESUM_F32;
        s->plan[i].op = i == 1 ? second : weighted ? SAMESUM_DOT : first;
        memset(&s->tuner[i], 0, sizeof s->tuner[i]);
        ss_exact_init(&s->acc[i]);
    }
}

static __attribute__((noinline)) void feed_tiles(const ss_exact_plan *plan, ss_tuner *tuner,
                                                 const ss_view *view, uint64_t first, uint64_t n,
                                                 ss_exact *acc)
{
    ss_tile tile;
    size_t per = (size_t)ss_view_per(view);
    while (n > 0) {
        size_t m = n < SS_BLOCK / per ? (size_t)n : SS_BLOCK / per;
        ss_view_tile(view, first, m, SS_PAD_NEUTRAL, &tile);
        if (tile.present > 0) /* what is absent adds nothing, but was counted */
            ss_exact_feed(plan, tuner, tile.x, tile.y, m * per, acc);
        acc->count -= tile.present > 0 ? (m - tile.present) * per : 0;
        first += m;
        n -= m;
    }
}

/* Adds elements [first, first + n). Returns whether a term was no finite number. */
static int feed(ss_exact_sums *s, int i, const ss_view *view, uint64_t first, uint64_t n)
{
    ss_exact *acc = &s->acc[i];
    size_t bytes = ss_element_bytes(view->type);
    int kinds = acc->nan | acc->plus_inf << 1 | acc->minus_inf << 2;
    acc->nan = acc->plus_inf = acc->minus_inf = 0;
    if (ss_view_is_direct(view))
        ss_exact_feed(&s->plan[i], &s->tuner[i], view->place[view->first] + first * bytes,
                      view->pair ? view->place[SS_Y] + first * bytes : NULL,
                      (size_t)n * (size_t)ss_view_per(view), acc);
    else
        feed_tiles(&s->plan[i], &s->tuner[i], view, first, n, acc);
    int special = acc->nan | acc->plus_inf | acc->minus_inf;
    acc->nan |= kinds & 1;
    acc->plus_inf |= kinds >> 1 & 1;
    acc->minus_inf |= kinds >> 2 & 1;
    return special;
}

static void add_alone(ss_exact_sums *s, const ss_view *const *view, uint64_t first, uint64_t n,
                      ss_tally *tally)
{
    /* read from memory once, and from the cache again */
    uint64_t piece = s->sums > 1               ? 4 * SS_BLOCK
                     : tally->nonfinite_wanted ? 16 * SS_BLOCK
                                               : UINT64_MAX;
    uint64_t before = s->acc[0].count;
    for (uint64_t at = 0; at < n;) {
        uint64_t m = n - at < piece ? n - at : piece;
        int special = 0;
        for (int i = 0; i < s->sums; i++)
            special |= feed(s, i, view[i], first + at, m);
        if (special && tally->nonfinite_wanted)
            ss_view_nonfinite(view[0], first + at, m, tally);
        at += m;
    }
    uint64_t present = (s->acc[0].count - before) / (uint64_t)ss_view_per(view[0]);
    tally->counts.present += present;
    tally->counts.masked += n - present;
}

typedef struct member {
    ss_exact_sums sums;
    ss_tally tally;
} member;

typedef struct team {
    const ss_view *const *view;
    uint64_t block; /* elements */
    member *part;   /* one for each member */
} team;

static void add_part(void *context, int me, size_t from, size_t to)
{
    team *t = context;
    uint64_t n = t->view[0]->n, first = from * t->block, end = to * t->block;
    end = end < n ? end : n;
    if (end > first)
        add_alone(&t->part[me].sums, t->view, first, end - first, &t->part[me].tally);
}

int ss_exact_sums_add(ss_exact_sums *s, const ss_view *const *view, int threads, ss_tally *tally)
{
    team t = {view, SS_BLOCK / (uint64_t)ss_view_per(view[0]), NULL};
    uint64_t n = view[0]->n;
    size_t blocks = (size_t)(n / t.block + (n % t.block != 0));
    threads = ss_useful_threads(threads, blocks);
    if (threads > 1)
        t.part = malloc((size_t)threads * sizeof *t.part);
    if (!t.part) {
        add_alone(s, view, 0, n, tally);
        return 1;
    }
    for (int i = 0; i < threads; i++) {
        t.part[i].sums = *s;
        for (int k = 0; k < s->sums; k++)
            ss_exact_init(&t.part[i].sums.acc[k]);
        ss_tally_start(&t.part[i].tally, tally->nonfinite_wanted);
    }
    threads = ss_parallel(threads, blocks, add_part, &t);
    for (int i = 0; i < threads; i++) {
        ss_exact_sums_merge(s, &t.part[i].sums);
        ss_tally_join(tally, &t.part[i].tally);
    }
    free(t.part);
    return threads;
}

void ss_exact_sums_add_few(ss_exact_sums *s, const void *x, const void *y, size_t n)
{
    for (int i = 0; i < s->sums; i++)
        ss_exact_feed(&s->plan[i], &s->tuner[i], x, y, n, &s->acc[i]);
}

void ss_exact_sums_merge(ss_exact_sums *into, const ss_exact_sums *from)
{
    for (int i = 0; i < into->sums; i++)
        ss_exact_merge(&into->acc[i], &from->acc[i]);
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
    ss_exact_room room;
    return s->kind != SS_EXACT_SPREAD || !ss_exact_spread_numerator(s->acc, &room);
}

samesum_status ss_exact_sums_finish(const ss_exact_sums *s, ss_format format, double *result)
{
    ss_exact_room room;
    return ss_exact_finish(s->kind, s->op, s->ddof, s->acc, format, result, &room);
}
