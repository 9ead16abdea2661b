/* exact_data.c - easy and hard data for an exact sum. */
#include "exact_data.h"

#include <math.h>
#include <string.h>
#include "bench.h"

static void uniform(double *x, size_t n, int parameter)
{
    (void)parameter;
    bench_fill((unsigned char *)x, n * sizeof *x, SAMESUM_F64, 1);
}

/* The sum of twelve uniform numbers is close to normal, and here of variance 4. */
static void normal(double *x, size_t n, int parameter)
{
    enum { TERMS = 12 };
    (void)parameter;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < TERMS; k++)
            sum += bench_uniform(TERMS * i + k);
        x[i] = sum;
    }
}

/* Exponents uniform in [-width, width]. */
static void spread(double *x, size_t n, int width)
{
    uniform(x, n, 0);
    for (size_t i = 0; i < n; i++)
        x[i] = ldexp(x[i], (int)floor(bench_uniform(n + i) * (width + 0.5) + 0.5));
}

static void zeros(double *x, size_t n, int parameter)
{
    (void)parameter;
    memset(x, 0, n * sizeof *x);
}

/* Among uniform numbers, in each 4096 (the block in which level exact works) one of size
 * 2^exponent. */
static void outliers(double *x, size_t n, int exponent)
{
    const size_t block = 4096;
    uniform(x, n, 0);
    for (size_t b = 0; b < n / block; b++) {
        size_t at = b * block + (size_t)((bench_uniform(n + b) + 1) / 2 * (double)block);
        x[at] = ldexp(x[at], exponent);
    }
}

const bench_data bench_data_all[BENCH_DATA] = {
    {"uniform in [-1, 1)", uniform, 0, 2},         {"normal", normal, 0, 1},
    {"exponents -30 ... 30", spread, 30, 1},       {"exponents -100 ... 100", spread, 100, 1},
    {"exponents -1000 ... 1000", spread, 1000, 1}, {"zeros", zeros, 0, 1},
    {"uniform, outliers", outliers, 900, 1},
};
