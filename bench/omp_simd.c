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

#define OMP(name, in, acc, term)                                                                   \
    static samesum_status name(const bench_call *call, double *result)                             \
    {                                                                                              \
        const in *restrict x = call->x, *restrict y = call->y;                                     \
        size_t n = call->n;                                                                        \
        acc s = 0;                                                                                 \
        (void)y;                                                                                   \
        if (call->threads > 1) {                                                                   \
            _Pragma("omp parallel for simd reduction(+ : s) num_threads(call->threads)")           \
            for (size_t i = 0; i < n; i++)                                                         \
                s += (term);                                                                       \
        } else {                                                                                   \
            _Pragma("omp simd reduction(+ : s)")                                                   \
            for (size_t i = 0; i < n; i++)                                                         \
                s += (term);                                                                       \
        }                                                                                          \
        *result = (double)s;                                                                       \
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
