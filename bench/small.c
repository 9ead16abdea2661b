/* small.c - calls on few elements, where latency counts: the first element of each call is the
 * result of the call before, for samesum and for the serial loop alike. */
#include "bench.h"

#include <stdio.h>
#include "goals.h"
#include "timing.h"

#define MAX_N 64

typedef struct chain {
    bool serial;
    samesum_level level;
    size_t n, repeats;
} chain;

/* Nanoseconds a call, over one try; negative where samesum answered an error. */
static double try_once(const chain *c, double *x)
{
    double r = 0;
    double start = bench_now();
    if (c->serial) {
        for (size_t i = 0; i < c->repeats; i++) {
            x[0] = r;
            r = bench_serial_sum_f64(x, c->n);
        }
    } else {
        for (size_t i = 0; i < c->repeats; i++) {
            x[0] = r;
            if (samesum_sum_f64(x, c->n, c->level, &r) < 0)
                return -1;
        }
    }
    return (bench_now() - start) / (double)c->repeats * 1e9;
}

static double sample(const chain *c, double *x)
{
    double ns = 0;
    for (int i = 0; i < BENCH_TRIES; i++) {
        long before = bench_preemptions();
        ns = try_once(c, x);
        if (bench_preemptions() == before)
            break;
    }
    return ns;
}

static void calibrate(chain *c, double *x)
{
    for (c->repeats = 64;;) {
        size_t more = bench_more_repeats(c->repeats, sample(c, x) * (double)c->repeats * 1e-9);
        if (more == c->repeats)
            return;
        c->repeats = more;
    }
}

static bool row(const bench_setup *setup, double *x, size_t n)
{
    chain serial = {.serial = true, .n = n};
    chain tree = {.level = SAMESUM_TREE, .n = n}, pair = {.level = SAMESUM_COMPENSATED, .n = n};
    tree.repeats = pair.repeats = 1;
    if (sample(&tree, x) < 0 || sample(&pair, x) < 0) {
        printf("%9zu  samesum_sum_f64 answered an error\n", n);
        return false;
    }
    calibrate(&serial, x);
    calibrate(&tree, x);
    calibrate(&pair, x);
    double s[BENCH_MAX_PAIRS], t[BENCH_MAX_PAIRS], p[BENCH_MAX_PAIRS];
    double ratio[BENCH_MAX_PAIRS], extra[BENCH_MAX_PAIRS];
    for (int i = 0; i < setup->pairs; i++) {
        if (i % 2 == 0)
            s[i] = sample(&serial, x);
        t[i] = sample(&tree, x);
        if (i % 2 != 0)
            s[i] = sample(&serial, x);
        p[i] = sample(&pair, x);
        ratio[i] = t[i] / s[i];
        extra[i] = t[i] - s[i];
    }
    bench_spread q = bench_spread_of(ratio, setup->pairs), e = bench_spread_of(extra, setup->pairs);
    printf("%9zu %9.1f %9.1f %12.1f  %5.2f [%5.2f %5.2f]  %+6.1f [%+6.1f %+6.1f]  ", n,
           bench_spread_of(s, setup->pairs).median, bench_spread_of(t, setup->pairs).median,
           bench_spread_of(p, setup->pairs).median, q.median, q.min, q.max, e.median, e.min, e.max);
    bool met = n < 16 ? e.median <= BENCH_SMALL_EXTRA_NS : q.median <= BENCH_SMALL_RATIO;
    if (n < 16)
        printf("must <= +%.0f ns %s\n", BENCH_SMALL_EXTRA_NS, met ? "met" : "NOT met");
    else
        printf("must <= %.0f x %s\n", BENCH_SMALL_RATIO, met ? "met" : "NOT met");
    fflush(stdout);
    return true;
}

static bool exact_row(const bench_setup *setup, double *x, size_t n)
{
    chain serial = {.serial = true, .n = n}, exact = {.level = SAMESUM_EXACT, .n = n};
    exact.repeats = 1;
    if (sample(&exact, x) < 0) {
        printf("%9zu  samesum_sum_f64 answered an error\n", n);
        return false;
    }
    calibrate(&serial, x);
    calibrate(&exact, x);
    double s[BENCH_MAX_PAIRS], e[BENCH_MAX_PAIRS], extra[BENCH_MAX_PAIRS];
    for (int i = 0; i < setup->pairs; i++) {
        if (i % 2 == 0)
            s[i] = sample(&serial, x);
        e[i] = sample(&exact, x);
        if (i % 2 != 0)
            s[i] = sample(&serial, x);
        extra[i] = e[i] - BENCH_EXACT_SMALL_RATIO * s[i];
    }
    bench_spread over = bench_spread_of(extra, setup->pairs);
    printf("%9zu %9.1f %9.1f  %+6.1f [%+6.1f %+6.1f]", n, bench_spread_of(s, setup->pairs).median,
           bench_spread_of(e, setup->pairs).median, over.median, over.min, over.max);
    if (n == BENCH_EXACT_SMALL_N)
        printf("  must <= %+.0f ns %s", BENCH_EXACT_SMALL_EXTRA_NS,
               over.median <= BENCH_EXACT_SMALL_EXTRA_NS ? "met" : "NOT met");
    putchar('\n');
    fflush(stdout);
    return true;
}

static void fill(double *x)
{
    for (size_t i = 0; i < MAX_N; i++)
        x[i] = (i % 2 ? -1.0 : 1.0) / (double)(i + 1);
}

bool bench_small_exact(const bench_setup *setup)
{
    static const size_t sizes[] = {1, 4, BENCH_EXACT_SMALL_N, 16, 32, 64};
    static double x[MAX_N];
    bool ok = true;
    fill(x);
    printf("f64 exact sum, dependent calls (x[0] = the result before), one thread, ns a call\n"
           "%9s %9s %9s  exact - %.0f x serial, ns [min max]\n",
           "elements", "serial", "exact", BENCH_EXACT_SMALL_RATIO);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        ok &= exact_row(setup, x, sizes[i]);
    putchar('\n');
    return ok;
}

bool bench_small(const bench_setup *setup)
{
    static const size_t sizes[] = {1, 2, 4, 8, 12, 15, 16, 17, 24, 32, 33, 48, 63, 64};
    static double x[MAX_N];
    bool ok = true;
    fill(x);
    printf("f64 sum, dependent calls (x[0] = the result before), one thread, ns a call\n"
           "%9s %9s %9s %12s  %-19s  %s\n",
           "elements", "serial", "tree", "compensated", "tree / serial", "tree - serial, ns");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        ok &= row(setup, x, sizes[i]);
    putchar('\n');
    return ok;
}
