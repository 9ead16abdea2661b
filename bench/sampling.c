/* sampling.c - samples, pairs of them, and the row that they make. */
#include "sampling.h"

#include <stdbool.h>
#include <stdio.h>
#include "goals.h"

/* Threads that a runtime leaves spinning after its last call take cores from the next one; after
 * this pause they sleep. Needed only where two runtimes alternate. */
#define SETTLE_SECONDS 0.04

static double result_sink;

static long samples_taken, samples_interrupted;

double bench_sample(const bench_candidate *c)
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

bench_candidate bench_calibrated(bench_fn run, const bench_call *call)
{
    bench_candidate c = {.run = run, .call = *call, .repeats = 1};
    for (;;) {
        double seconds = bench_sample(&c) * (double)c.repeats;
        size_t more = bench_more_repeats(c.repeats, seconds);
        if (more == c.repeats)
            return c;
        c.repeats = more;
    }
}

bench_candidate bench_print_read(const bench_call *call)
{
    bench_candidate best = {0};
    const char *name = NULL;
    double time = 0;
    int variants = call->stride > 1 ? BENCH_STRIDED_READS : BENCH_READ_VARIANTS;
    for (int v = 0; v < variants; v++) {
        enum { SAMPLES = 7 };
        double times[SAMPLES];
        bench_candidate c = bench_calibrated(bench_reads[v].run, call);
        for (int i = 0; i < SAMPLES; i++)
            times[i] = bench_sample(&c);
        bench_spread s = bench_spread_of(times, SAMPLES);
        if (!best.run || s.median < time) {
            best = c;
            time = s.median;
            name = bench_reads[v].name;
        }
    }
    bench_print_what(call, name);
    bench_print_speed(time, (double)bench_call_bytes(call));
    printf("  1\n");
    return best;
}

static const char *const op_names[] = {"sum", "asum", "sumsq", "dot",    "nrm2",   "mean",  "var",
                                       "std", "min",  "max",   "argmin", "argmax", "minmax"};
static const char *const type_names[] = {"f64", "f32", "f32w", "f16", "bf16", "c64", "c128"};

void bench_print_head(const char *ratio)
{
    printf("%-4s %-6s %-22s %11s %4s %11s %7s  %s [min max]\n", "type", "op", "what", "elements",
           "thr", "time a call", "GB/s", ratio);
}

void bench_print_what(const bench_call *call, const char *name)
{
    printf("%-4s %-6s %-22s %11zu %4d", type_names[call->type], op_names[call->op], name, call->n,
           call->threads);
}

void bench_print_speed(double seconds, double bytes)
{
    double scale = seconds < 1e-5 ? 1e9 : seconds < 1e-2 ? 1e6 : 1e3;
    const char *unit = seconds < 1e-5 ? "ns" : seconds < 1e-2 ? "us" : "ms";
    printf(" %8.1f %s %7.1f", seconds * scale, unit, bytes / seconds * 1e-9);
}

void bench_print_goal(const char *kind, double goal, double ratio)
{
    if (goal > 0)
        printf("  %s %.2f %s", kind, goal, ratio >= goal ? "met" : "NOT met");
}

void bench_end_row(void)
{
    putchar('\n');
    fflush(stdout);
}

void bench_print_goals(bench_place place, const bench_call *call, double ratio)
{
    if (call->op != SAMESUM_SUM || call->type != SAMESUM_F64)
        return;
    for (size_t i = 0; i < sizeof bench_goals / sizeof *bench_goals; i++) {
        const bench_goal *g = &bench_goals[i];
        if (g->place == place && g->many == (call->threads > 1) && g->level == call->level) {
            bench_print_goal("must", g->must, ratio);
            bench_print_goal("aim", g->aim, ratio);
        }
    }
}

bench_spread bench_pair(const bench_candidate *base, const bench_candidate *c, int pairs,
                        bench_spread *time)
{
    double times[BENCH_MAX_PAIRS], ratios[BENCH_MAX_PAIRS];
    double size = (double)bench_call_bytes(&c->call) / (double)bench_call_bytes(&base->call);
    for (int i = 0; i < pairs; i++) {
        double r = 0;
        if (i % 2 == 0) /* who goes first alternates too */
            r = bench_sample(base);
        times[i] = bench_sample(c);
        if (i % 2 != 0)
            r = bench_sample(base);
        ratios[i] = size * r / times[i];
    }
    *time = bench_spread_of(times, pairs);
    return bench_spread_of(ratios, pairs);
}

bench_spread bench_print_ratio(const bench_candidate *base, const bench_candidate *c, int pairs)
{
    bench_spread time, ratio = bench_pair(base, c, pairs, &time);
    bench_print_speed(time.median, (double)bench_call_bytes(&c->call));
    printf("  %5.3f [%5.3f %5.3f]", ratio.median, ratio.min, ratio.max);
    return ratio;
}
