/* timing.h - clock, repetition and medians for the benchmark. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define BENCH_MAX_PAIRS 101
/* Shorter samples drown in the clock's own noise and in interrupts. */
#define BENCH_SAMPLE_SECONDS 2e-3
/* A sample during which the system took a core away is taken again, at most so many times in all;
 * not so a long one, which on a busy machine would be interrupted again. */
#define BENCH_TRIES 5
#define BENCH_LONG_SECONDS 15e-3

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How often the system took a core from this process so far. */
static inline long bench_preemptions(void)
{
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? use.ru_nivcsw : 0;
}

static inline void bench_sleep(double seconds)
{
    struct timespec t = {.tv_sec = 0, .tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

/* Next repetition count for a trial of `repeats` calls that took `seconds`; `repeats` itself once
 * the trial was long enough. */
static inline size_t bench_more_repeats(size_t repeats, double seconds)
{
    if (seconds >= BENCH_SAMPLE_SECONDS)
        return repeats;
    if (seconds < BENCH_SAMPLE_SECONDS / 16)
        return repeats * 8;
    return (size_t)((double)repeats * 1.1 * BENCH_SAMPLE_SECONDS / seconds) + 1;
}

typedef struct bench_spread {
    double median, min, max;
} bench_spread;

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts v in place. count >= 1. */
static inline bench_spread bench_spread_of(double *v, int count)
{
    qsort(v, (size_t)count, sizeof *v, bench_compare);
    double median = count % 2 ? v[count / 2] : 0.5 * (v[count / 2 - 1] + v[count / 2]);
    return (bench_spread){median, v[0], v[count - 1]};
}
#endif
