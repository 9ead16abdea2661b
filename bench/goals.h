/* goals.h - the speeds that are asked for, as ratios to the pure read of the same memory by the
 * same threads unless said otherwise. All are for f64, and for the sum unless said otherwise. */
#ifndef BENCH_GOALS_H
#define BENCH_GOALS_H

#include "bench.h"

typedef struct bench_goal {
    bench_place place;
    bool many; /* all cores, else one */
    samesum_level level;
    double must, aim; /* 0: none */
} bench_goal;

static const bench_goal bench_goals[] = {
    {BENCH_L2, false, SAMESUM_TREE, 0.90, 0.95},
    {BENCH_L2, false, SAMESUM_COMPENSATED, 0.45, 0.50},
    {BENCH_L2, false, SAMESUM_EXACT, 0.20, 0.25},
    {BENCH_BIG, false, SAMESUM_TREE, 0.90, 0.95},
    {BENCH_BIG, false, SAMESUM_COMPENSATED, 0.90, 0.95},
    {BENCH_BIG, true, SAMESUM_TREE, 0.95, 0.97},
    {BENCH_BIG, true, SAMESUM_COMPENSATED, 0.90, 0.95},
    {BENCH_BIG, true, SAMESUM_EXACT, 0.50, 0.80},
};

/* Dependent calls on n elements, level tree, against the serial loop measured likewise. */
#define BENCH_SMALL_RATIO 2.0     /* n = 16 ... 64: at most so many times its time */
#define BENCH_SMALL_EXTRA_NS 25.0 /* n < 16: at most so much more */

/* Level exact: dot in bytes per second over the sum; and a call on so many elements takes at most
 * so many times the serial loop and so much more. Goals by distribution: exact_data.c. */
#define BENCH_EXACT_DOT 0.5
#define BENCH_EXACT_SMALL_N 10
#define BENCH_EXACT_SMALL_RATIO 3.0
#define BENCH_EXACT_SMALL_EXTRA_NS 50.0

/* Arrays of any shape, half types, min and max: on all cores, at the size of the section gib, for
 * each level of the table unless said otherwise. */
#define BENCH_AXIS_MUST 0.80
#define BENCH_AXIS_AIM 0.95
#define BENCH_STRIDE_MUST 0.80 /* to the read with that stride */
#define BENCH_HALF_MUST 0.80   /* level tree */
#define BENCH_EXTREMES_MUST 0.90

#endif
