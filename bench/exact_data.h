/* exact_data.h - distributions for the section on level exact, and the peer that sums them. */
#ifndef BENCH_EXACT_DATA_H
#define BENCH_EXACT_DATA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_data {
    const char *name;
    void (*fill)(double *x, size_t n, int parameter);
    int parameter;
    double must; /* samesum's speed over the faster accumulator of xsum */
} bench_data;

enum { BENCH_DATA = 7 };
extern const bench_data bench_data_all[BENCH_DATA];

/* The package xsum in a child process. About: what was found; *found: whether it was. */
const char *bench_xsum_about(bool *found);

typedef struct bench_xsum {
    double small_speed, small, large_speed, large; /* GB/s, and the sum */
} bench_xsum;

/* Measures it on a copy of x in one new process, so many samples each. False where that failed. */
bool bench_xsum_run(const double *x, size_t n, int samples, bench_xsum *out);

#endif
