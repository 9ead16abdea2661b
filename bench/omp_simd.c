/* omp_simd.c - `omp parallel for simd reduction`, the compiler's own vector reduction.
 *
 * Compiled with -O3 -march=native. Where clang is installed beside another compiler, the file is
 * compiled a second time by clang (PEER_CLANG) with -fopenmp-simd, one thread: it unrolls the
 * reduction, which gcc does not, and so makes a stronger peer. */
#include "peers.h"

#include <math.h>

#ifdef PEER_CLANG
#define NAME "omp simd (clang)"
#define GROUP bench_omp_clang
#define THREADS BENCH_ONE
#else
#define NAME "omp parallel for simd"
#define GROUP bench_omp
#ifdef _OPENMP
#define THREADS (BENCH_ONE | BENCH_MANY)
#else
#define THREADS BENCH_ONE
#endif
#endif

/* Two functions, since an accumulator that a parallel region shares stays in memory. */
#define OMP(name, in, acc, term)                                                                   \
    static acc name##_one(const in *restrict x, const in *restrict y, size_t n)                    \
    {                                                                                              \
        acc s = 0;                                                                                 \
        (void)y;                                                                                   \
        _Pragma("omp simd reduction(+ : s)")                                                       \
        for (size_t i = 0; i < n; i++)                                                             \
            s += (term);                                                                           \
        return s;                                                                                  \
    }                                                                                              \
    static acc name##_many(const in *restrict x, const in *restrict y, size_t n, int threads)      \
    {                                                                                              \
        acc s = 0;                                                                                 \
        (void)y;                                                                                   \
        (void)threads;                                                                             \
        _Pragma("omp parallel for simd reduction(+ : s) num_threads(threads) firstprivate(x, y)")  \
        for (size_t i = 0; i < n; i++)                                                             \
            s += (term);                                                                           \
        return s;                                                                                  \
    }                                                                                              \
    static samesum_status name(const bench_call *call, double *result)                             \
    {                                                                                              \
        const in *x = call->x, *y = call->y;                                                       \
        *result = (double)(call->threads > 1 ? name##_many(x, y, call->n, call->threads)           \
                                             : name##_one(x, y, call->n));                         \
        return SAMESUM_OK;                                                                         \
    }

OMP(sum_f64, double, double, x[i])
OMP(sum_f32, float, float, x[i])
OMP(sum_wide, float, double, (double)x[i])
OMP(asum_f64, double, double, fabs(x[i]))
OMP(sumsq_f64, double, double, x[i] * x[i])
OMP(dot_f64, double, double, x[i] * y[i])

static const char *about(void)
{
    return NAME ": compiled with -O3 -march=native by " BENCH_COMPILER;
}

static const bench_peer peers[] = {
    {NAME, SAMESUM_SUM, SAMESUM_F64, THREADS, sum_f64, 0},
    {NAME, SAMESUM_SUM, SAMESUM_F32, THREADS, sum_f32, 0},
    {NAME, SAMESUM_SUM, SAMESUM_F32_WIDE, THREADS, sum_wide, 0},
    {NAME, SAMESUM_ASUM, SAMESUM_F64, THREADS, asum_f64, 0},
    {NAME, SAMESUM_SUMSQ, SAMESUM_F64, THREADS, sumsq_f64, 0},
    {NAME, SAMESUM_DOT, SAMESUM_F64, THREADS, dot_f64, 0},
};

const bench_group GROUP = {about, peers, sizeof peers / sizeof *peers};
