/* cell.c - one table of the benchmark: alternated pairs of the read and each peer. */
#include "bench.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include "goals.h"
#include "timing.h"

/* Threads that a runtime leaves spinning after its last call take cores from the next one; after
 * this pause they sleep. Needed only where two runtimes alternate. */
#define SETTLE_SECONDS 0.04

typedef struct candidate {
    bench_fn run;
    bench_call call;
    size_t repeats;
    bool settle;
} candidate;

static double result_sink;

static long samples_taken, samples_interrupted;

/* Seconds a call, over one sample. */
static double sample(const candidate *c)
{
    double seconds = 0;
    bool interrupted = true;
    if (c->settle)
        bench_sleep(SETTLE_SECONDS);
    if (c->repeats > 1 || c->settle)
        c->run(&c->call, &result_sink); /* warms caches and wakes threads */
    for (int i = 0; i < BENCH_TRIES && interrupted; i++) {
        long before = bench_preemptions();
        double start = bench_now();
        for (size_t r = 0; r < c->repeats; r++)
            c->run(&c->call, &result_sink);
        seconds = bench_now() - start;
        interrupted = bench_preemptions() != before;
        if (seconds > BENCH_LONG_SECONDS)
            break;
    }
    samples_taken++;
    samples_interrupted += interrupted;
    return seconds / (double)c->repeats;
}

void bench_print_interruptions(void)
{
    if (samples_taken)
        printf("%ld of %ld samples were interrupted by other work\n", samples_interrupted,
               samples_taken);
}

static candidate calibrated(bench_fn run, const bench_call *call)
{
    candidate c = {.run = run, .call = *call, .repeats = 1};
    for (;;) {
        double seconds = sample(&c) * (double)c.repeats;
        size_t more = bench_more_repeats(c.repeats, seconds);
        if (more == c.repeats)
            return c;
        c.repeats = more;
    }
}

/* The fastest variant of the read here. */
static candidate best_read(const bench_call *call, const char **name, bench_spread *spread)
{
    candidate best = {0};
    for (int v = 0; v < BENCH_READ_VARIANTS; v++) {
        enum { SAMPLES = 7 };
        double times[SAMPLES];
        candidate c = calibrated(bench_reads[v].run, call);
        for (int i = 0; i < SAMPLES; i++)
            times[i] = sample(&c);
        bench_spread s = bench_spread_of(times, SAMPLES);
        if (!best.run || s.median < spread->median) {
            best = c;
            *spread = s;
            *name = bench_reads[v].name;
        }
    }
    return best;
}

static const char *const op_names[] = {"sum", "asum", "sumsq", "dot"};
static const char *const type_names[] = {"f64", "f32", "f32w"};

static void print_what(const bench_call *call, const char *name)
{
    printf("%-4s %-5s %-22s %11zu %4d", type_names[call->type], op_names[call->op], name, call->n,
           call->threads);
}

static void print_speed(double seconds, double bytes)
{
    double scale = seconds < 1e-5 ? 1e9 : seconds < 1e-2 ? 1e6 : 1e3;
    const char *unit = seconds < 1e-5 ? "ns" : seconds < 1e-2 ? "us" : "ms";
    printf(" %8.1f %s %7.1f", seconds * scale, unit, bytes / seconds * 1e-9);
}

static void print_goal(const char *kind, double goal, double ratio)
{
    if (goal > 0)
        printf("  %s %.2f %s", kind, goal, ratio >= goal ? "met" : "NOT met");
}

static void print_goals(bench_place place, const bench_call *call, double ratio)
{
    if (call->op != SAMESUM_SUM || call->type != SAMESUM_F64)
        return;
    for (size_t i = 0; i < sizeof bench_goals / sizeof *bench_goals; i++) {
        const bench_goal *g = &bench_goals[i];
        if (g->place == place && g->many == (call->threads > 1) && g->level == call->level) {
            print_goal("must", g->must, ratio);
            print_goal("aim", g->aim, ratio);
        }
    }
}

/* A value further from samesum's than any honest order of additions leads. The elements are random,
 * in [-1, 1), of zero mean: partial sums of n of them are about sqrt(n), so that a serial sum errs
 * by about n u; sums of positive terms reach n, and err by at most n u n. */
static bool plausible(const bench_call *call, double value, double reference)
{
    double n = (double)call->n, u = call->type == SAMESUM_F32 ? FLT_EPSILON : DBL_EPSILON;
    return fabs(value - reference) <= n * u * (call->op == SAMESUM_SUM ? 64 : n);
}

static bool measure(const bench_setup *setup, bench_place place, const bench_call *base,
                    const bench_peer *peer, candidate read, double reference)
{
    bench_call call = *base;
    call.level = peer->level;
    double value = NAN;
    samesum_status status = peer->run(&call, &value);
    print_what(&call, peer->name);
    if (status < 0) {
        bool later = status == SAMESUM_ERR_NOT_YET;
        printf("  %s\n", later ? "not yet" : samesum_strerror(status));
        return later;
    }
    if (!plausible(&call, value, reference)) {
        printf("  not measured: it gave %.9g where samesum gives %.9g\n", value, reference);
        return !(peer->flags & BENCH_SAMESUM);
    }
    candidate c = calibrated(peer->run, &call);
    c.settle = read.settle = call.threads > 1 && (peer->flags & BENCH_OWN_THREADS);
    double times[BENCH_MAX_PAIRS], ratios[BENCH_MAX_PAIRS];
    for (int i = 0; i < setup->pairs; i++) {
        double r = 0;
        if (i % 2 == 0) /* who goes first alternates too */
            r = sample(&read);
        times[i] = sample(&c);
        if (i % 2 != 0)
            r = sample(&read);
        ratios[i] = r / times[i];
    }
    bench_spread t = bench_spread_of(times, setup->pairs);
    bench_spread ratio = bench_spread_of(ratios, setup->pairs);
    print_speed(t.median, (double)bench_call_bytes(&call));
    printf("  %5.3f [%5.3f %5.3f]", ratio.median, ratio.min, ratio.max);
    if (peer->flags & BENCH_SAMESUM)
        print_goals(place, &call, ratio.median);
    putchar('\n');
    fflush(stdout);
    return true;
}

static bool wanted(const bench_peer *peer, bench_place place, const bench_call *call)
{
    if (peer->op != call->op || peer->type != call->type)
        return false;
    if (!(peer->flags & (call->threads > 1 ? BENCH_MANY : BENCH_ONE)))
        return false;
    return !((peer->flags & BENCH_SLOW) && place == BENCH_BIG && call->type != SAMESUM_F64);
}

static void numpy_row(const bench_setup *setup, const bench_call *call)
{
    double speed = bench_numpy_speed(call, setup->pairs);
    if (speed <= 0)
        return;
    print_what(call, "NumPy (other process)");
    print_speed((double)bench_call_bytes(call) / (speed * 1e9), (double)bench_call_bytes(call));
    putchar('\n');
}

bool bench_cell(const bench_setup *setup, bench_place place, const bench_call *call)
{
    double reference = NAN;
    samesum_data data = {.x = call->x, .y = call->y, .n = call->n, .type = call->type};
    samesum_want want = {.op = call->op, .level = SAMESUM_COMPENSATED, .threads = call->threads};
    float narrow = 0;
    bool f32 = call->type == SAMESUM_F32;
    samesum_status status = samesum_reduce(&data, &want, f32 ? (void *)&narrow : &reference, NULL);
    if (status < 0) {
        printf("samesum: %s\n", samesum_strerror(status));
        return false;
    }
    if (f32)
        reference = (double)narrow;

    const char *name = NULL;
    bench_spread spread = {0};
    candidate read = best_read(call, &name, &spread);
    print_what(call, name);
    print_speed(spread.median, (double)bench_call_bytes(call));
    printf("  1\n");
    bool ok = true;
    for (size_t g = 0; g < bench_group_count; g++)
        for (size_t i = 0; i < bench_groups[g]->count; i++) {
            const bench_peer *peer = &bench_groups[g]->peers[i];
            if (wanted(peer, place, call))
                ok &= measure(setup, place, call, peer, read, reference);
        }
    if (call->threads == 1)
        numpy_row(setup, call);
    putchar('\n');
    return ok;
}
