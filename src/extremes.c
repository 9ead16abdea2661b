#include "extremes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fixedtree/threads.h"

void ss_found_start(ss_found *found)
{
    *found = (ss_found){.min = HUGE_VAL, .max = -HUGE_VAL};
}

/* The order of numbers in which -0.0 is below +0.0. */
static int is_below(double a, double b)
{
    return a < b || (a == b && signbit(a) && !signbit(b));
}

void ss_found_join(ss_found *found, const ss_found *next, uint64_t shift)
{
    if (next->some && (!found->some || is_below(next->min, found->min))) {
        found->min = next->min;
        found->min_tile = next->min_tile + shift;
    }
    if (next->some && (!found->some || is_below(found->max, next->max))) {
        found->max = next->max;
        found->max_tile = next->max_tile + shift;
    }
    if (next->nan && !found->nan)
        found->nan_tile = next->nan_tile + shift;
    found->some |= next->some;
    found->nan |= next->nan;
    found->any |= next->any;
}

static void find_alone(const ss_backend *backend, const ss_view *view, ss_padding padding,
                       uint64_t first, uint64_t end, ss_found *found, ss_tally *tally)
{
    ss_tile tile;
    size_t per = (size_t)ss_view_per(view);
    while (first < end) {
        size_t n = end - first < SS_SEGMENT / per ? (size_t)(end - first) : SS_SEGMENT / per;
        ss_view_read(view, first, n, padding, &tile);
        tally->counts.present += tile.present;
        tally->counts.masked += n - tile.present;
        if (tile.present > 0) {
            ss_extremes e;
            backend->extremes[view->out](tile.x, n * per, &e);
            ss_found here = {
                .some = !e.all_nan, .nan = e.nan, .any = 1, .min = e.min, .max = e.max};
            ss_found_join(found, &here, first);
            if (tally->nonfinite_wanted &&
                (e.nan || (!e.all_nan && (isinf(e.min) || isinf(e.max)))))
                ss_view_nonfinite(view, first, n, tally);
        }
        first += n;
    }
}

typedef struct member {
    ss_found found;
    ss_tally tally;
} member;

typedef struct team {
    const ss_backend *backend;
    const ss_view *view;
    ss_padding padding;
    uint64_t step; /* elements of a part */
    member *part;  /* one for each member */
} team;

static void find_part(void *context, int me, size_t from, size_t to)
{
    team *t = context;
    member *m = &t->part[me];
    uint64_t end = to * t->step < t->view->n ? to * t->step : t->view->n;
    find_alone(t->backend, t->view, t->padding, from * t->step, end, &m->found, &m->tally);
}

int ss_extremes_find(const ss_backend *backend, const ss_view *view, ss_padding padding,
                     int threads, ss_found *found, ss_tally *tally)
{
    team t = {backend, view, padding, SS_SEGMENT / (uint64_t)ss_view_per(view), NULL};
    size_t parts = (size_t)(view->n / t.step + (view->n % t.step != 0));
    threads = ss_useful_threads(threads, parts);
    if (threads > 1)
        t.part = malloc((size_t)threads * sizeof *t.part);
    if (!t.part) {
        find_alone(backend, view, padding, 0, view->n, found, tally);
        return 1;
    }
    for (int i = 0; i < threads; i++) {
        ss_found_start(&t.part[i].found);
        ss_tally_start(&t.part[i].tally, tally->nonfinite_wanted);
    }
    threads = ss_parallel(threads, parts, find_part, &t);
    for (int i = 0; i < threads; i++) {
        ss_found_join(found, &t.part[i].found, 0);
        ss_tally_join(tally, &t.part[i].tally);
    }
    free(t.part);
    return threads;
}

double ss_extreme(const ss_found *found, int max, samesum_nan nan)
{
    if (!found->some || (found->nan && nan == SAMESUM_NAN_PROPAGATE))
        return NAN;
    return max ? found->max : found->min;
}

/* Number i of a tile in binary64. */
static double number_at(const ss_view *view, const void *x, size_t i)
{
    double d;
    float f;
    if (view->out == SAMESUM_F64) {
        memcpy(&d, (const char *)x + i * sizeof d, sizeof d);
        return d;
    }
    if (view->out == SAMESUM_F16 || view->out == SAMESUM_BF16)
        view->packers->widen[view->out == SAMESUM_BF16]((const char *)x + 2 * i, 1, &f);
    else
        memcpy(&f, (const char *)x + i * sizeof f, sizeof f);
    return f;
}

uint64_t ss_found_place(const ss_found *found, int max, samesum_nan nan)
{
    if (!found->any)
        return UINT64_MAX;
    /* where the value is NaN, the first NaN: under `ignore` all are (SPEC.md 6.5) */
    return isnan(ss_extreme(found, max, nan)) ? found->nan_tile
           : max                              ? found->max_tile
                                              : found->min_tile;
}

uint64_t ss_extreme_index(const ss_view *view, const ss_found *found, int max, samesum_nan nan)
{
    double v = ss_extreme(found, max, nan);
    uint64_t first = ss_found_place(found, max, nan);
    if (!found->any)
        return UINT64_MAX;
    ss_tile tile;
    size_t n = view->n - first < SS_SEGMENT ? (size_t)(view->n - first) : SS_SEGMENT;
    ss_view_read(view, first, n, SS_PAD_PRESENT, &tile);
    for (size_t i = 0; i < n; i++) {
        double w = number_at(view, tile.x, i);
        int same = isnan(v) ? isnan(w) : w == v && !signbit(w) == !signbit(v);
        if (same && (!tile.masked || tile.keep[i]))
            return first + i;
    }
    return UINT64_MAX;
}

void ss_found_locate(const ss_view *view, ss_found *found)
{
    ss_found tiles = *found;
    if (found->some) {
        found->min_tile = ss_extreme_index(view, &tiles, 0, SAMESUM_NAN_IGNORE);
        found->max_tile = ss_extreme_index(view, &tiles, 1, SAMESUM_NAN_IGNORE);
    }
    if (found->nan)
        found->nan_tile = ss_extreme_index(view, &tiles, 0, SAMESUM_NAN_PROPAGATE);
}
