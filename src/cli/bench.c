/* bench.c - `samesum bench`: each level's speed as a ratio to that of reading the same memory.
 *
 * The machine's speed drifts, so only pairs are compared: read, sum, read, sum, ... and the ratio
 * of each pair. */
#include "library.h"
#include "message.h"
#include "ops.h"
#include "xor_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { PAIRS = 15 };

static volatile uint64_t sink; /* keeps the compiler from leaving the read away */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_read(const double *x, size_t n, int threads, bool prefetch)
{
    double start = now();
    sink = xor_read(x, n * sizeof *x, threads, prefetch);
    return now() - start;
}

static double time_sum(const double *x, size_t n, const samesum_want *want)
{
    samesum_data data = {.x = x, .n = n, .type = SAMESUM_F64};
    double result, start = now();
    library_check(samesum_reduce(&data, want, &result, NULL), want);
    return now() - start;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, PAIRS, sizeof *values, ascending);
    return values[PAIRS / 2];
}

/* Whether the read is faster with prefetch here. */
static bool prefetch_helps(const double *x, size_t n, int threads)
{
    double with[PAIRS], without[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        with[i] = time_read(x, n, threads, true);
        without[i] = time_read(x, n, threads, false);
    }
    return median(with) < median(without);
}

static double *make_data(size_t n)
{
    const size_t huge_page = (size_t)1 << 21;
    size_t bytes = (n * sizeof(double) + huge_page - 1) / huge_page * huge_page;
    double *x = aligned_alloc(huge_page, bytes);
    if (!x)
        die_bad("out of memory (%zu bytes wanted)", bytes);
#ifdef MADV_HUGEPAGE
    madvise(x, bytes, MADV_HUGEPAGE);
#endif
    uint64_t state = 1; /* uniform in [-1, 1) */
    for (size_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x[i] = (double)(int64_t)state * 0x1p-63;
    }
    return x;
}

int run_bench(const struct request *r)
{
    if (r->backend == SAMESUM_BACKEND_CUDA)
        die_bad("bench measures the backends of the CPU, and cuda is none of them");
    samesum_want want = {.op = SAMESUM_SUM, .threads = r->threads, .backend = r->backend};
    samesum_data nothing = {.type = SAMESUM_F64};
    samesum_ran ran;
    double zero;
    library_check(samesum_reduce(&nothing, &want, &zero, &ran), &want);
    int threads = r->threads ? r->threads : samesum_default_threads();
    if (!samesum_has_openmp())
        threads = 1;
    want.threads = threads;

    size_t n = (size_t)r->size_mib << 17;
    double *x = make_data(n);
    bool prefetch = prefetch_helps(x, n, threads);
    printf("sum of %zu binary64 numbers (%llu MiB), backend %s, at most %d threads\n", n,
           (unsigned long long)r->size_mib, samesum_backend_name(ran.backend), threads);
    printf("ratio: time of an XOR read of the memory / time of the sum; %d alternated pairs\n\n",
           PAIRS);
    printf("%-12s %8s %8s %8s %10s %10s\n", "level", "median", "min", "max", "sum GB/s",
           "read GB/s");
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        want.level = (samesum_level)level;
        double ratio[PAIRS], sum[PAIRS], read[PAIRS];
        time_sum(x, n, &want);
        for (int i = 0; i < PAIRS; i++) {
            read[i] = time_read(x, n, threads, prefetch);
            sum[i] = time_sum(x, n, &want);
            ratio[i] = read[i] / sum[i];
        }
        double gigabytes = 1e-9 * (double)n * sizeof *x, middle = median(ratio);
        printf("%-12s %8.3f %8.3f %8.3f %10.1f %10.1f\n", level_name(want.level), middle, ratio[0],
               ratio[PAIRS - 1], gigabytes / median(sum), gigabytes / median(read));
    }
    free(x);
    return EXIT_DONE;
}
