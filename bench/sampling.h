/* sampling.h - samples, pairs of them, and the row that they make. */
#ifndef BENCH_SAMPLING_H
#define BENCH_SAMPLING_H

#include "bench.h"
#include "timing.h"

typedef struct bench_candidate {
    bench_fn run;
    bench_call call;
    size_t repeats; /* calls a sample */
    bool settle;    /* pause before each sample: another runtime's threads spin */
} bench_candidate;

/* With as many calls a sample as take BENCH_SAMPLE_SECONDS. */
bench_candidate bench_calibrated(bench_fn run, const bench_call *call);
/* Seconds a call, over one sample. */
double bench_sample(const bench_candidate *c);
/* Finds the fastest variant of the read for this call and prints its row. */
bench_candidate bench_print_read(const bench_call *call);
/* Alternates samples of both. Answers the speed of c, in bytes per second, over that of base;
 * *time: seconds a call of c. pairs <= BENCH_MAX_PAIRS. */
bench_spread bench_pair(const bench_candidate *base, const bench_candidate *c, int pairs,
                        bench_spread *time);

/* Pairs c with base and prints time, GB/s and the ratio, which it answers; the row stays open. */
bench_spread bench_print_ratio(const bench_candidate *base, const bench_candidate *c, int pairs);

/* The heads of the columns; ratio says to what. */
void bench_print_head(const char *ratio);
/* The columns of a row: what was called; time a call and GB/s; one goal, where there is one. */
void bench_print_what(const bench_call *call, const char *name);
void bench_print_speed(double seconds, double bytes);
void bench_print_goal(const char *kind, double goal, double ratio);
void bench_end_row(void);
/* The goals that a row of samesum has in such a place (goals.h). */
void bench_print_goals(bench_place place, const bench_call *call, double ratio);

/* A row of samesum itself, without its end: what is called, its time and, in *ratio too, its ratio
 * to base. Prints why and returns false where the call fails. */
bool bench_row(const bench_candidate *base, const bench_call *call, const char *name, int pairs,
               bench_spread *ratio);

#endif
