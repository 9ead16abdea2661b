/* peer_tbb.cpp - oneTBB's parallel_deterministic_reduce, where it is installed: grains of 16384
 * elements, each reduced by `omp simd` (-O3 -march=native -fopenmp-simd). */
#include "peers.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

namespace
{

tbb::task_arena &arena_of(int threads)
{
    if (threads == 1) {
        static tbb::task_arena one(1);
        return one;
    }
    static tbb::task_arena many(threads);
    return many;
}

/* The leaf is a plain function over a plain pointer: through a lambda the compiler does not
 * vectorise it. */
#define TBB(name, in, acc, term)                                                                   \
    acc leaf_##name(const in *x, const in *y, size_t begin, size_t end)                            \
    {                                                                                              \
        acc s = 0;                                                                                 \
        (void)y;                                                                                   \
        _Pragma("omp simd reduction(+ : s)")                                                       \
        for (size_t i = begin; i < end; i++)                                                       \
            s += (term);                                                                           \
        return s;                                                                                  \
    }                                                                                              \
    samesum_status name(const bench_call *call, double *result)                                    \
    {                                                                                              \
        auto x = static_cast<const in *>(call->x), y = static_cast<const in *>(call->y);           \
        *result = reduce<acc>(                                                                     \
            call, [=](size_t begin, size_t end) { return leaf_##name(x, y, begin, end); });        \
        return SAMESUM_OK;                                                                         \
    }

template <class Acc, class Leaf> double reduce(const bench_call *call, Leaf leaf)
{
    using range = tbb::blocked_range<size_t>;
    return static_cast<double>(arena_of(call->threads).execute([&] {
        return tbb::parallel_deterministic_reduce(
            range(0, call->n, 16384), Acc(0),
            [&](const range &r, Acc s) { return s + leaf(r.begin(), r.end()); }, std::plus<Acc>());
    }));
}

TBB(sum_f64, double, double, x[i])
TBB(sum_f32, float, float, x[i])
TBB(sum_wide, float, double, static_cast<double>(x[i]))
TBB(asum_f64, double, double, std::fabs(x[i]))
TBB(sumsq_f64, double, double, x[i] * x[i])
TBB(dot_f64, double, double, x[i] * y[i])

const char *about()
{
    static char text[120];
    std::snprintf(text, sizeof text,
                  "oneTBB %d.%d: parallel_deterministic_reduce, grain 16384, leaf omp simd",
                  TBB_VERSION_MAJOR, TBB_VERSION_MINOR);
    return text;
}

const int both = BENCH_ONE | BENCH_MANY | BENCH_OWN_THREADS;
const char *const name = "TBB deterministic";
const bench_peer peers[] = {
    {name, SAMESUM_SUM, SAMESUM_F64, both, sum_f64, SAMESUM_TREE},
    {name, SAMESUM_SUM, SAMESUM_F32, both, sum_f32, SAMESUM_TREE},
    {name, SAMESUM_SUM, SAMESUM_F32_WIDE, both, sum_wide, SAMESUM_TREE},
    {name, SAMESUM_ASUM, SAMESUM_F64, both, asum_f64, SAMESUM_TREE},
    {name, SAMESUM_SUMSQ, SAMESUM_F64, both, sumsq_f64, SAMESUM_TREE},
    {name, SAMESUM_DOT, SAMESUM_F64, both, dot_f64, SAMESUM_TREE},
};

} // namespace

extern "C" {
extern const bench_group bench_tbb;
const bench_group bench_tbb = {about, peers, sizeof peers / sizeof *peers};
}
