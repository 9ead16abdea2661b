/* peers.c - the table of peers that this build has. */
#include "peers.h"

extern const bench_group bench_samesum, bench_loops, bench_omp;
extern const bench_group bench_omp_clang, bench_tbb, bench_openblas;

const bench_group *const bench_groups[] = {
    &bench_samesum,   &bench_loops, &bench_omp,
#ifdef BENCH_CLANG
    &bench_omp_clang,
#endif
#ifdef BENCH_TBB
    &bench_tbb,
#endif
#ifdef BENCH_OPENBLAS
    &bench_openblas,
#endif
};

const size_t bench_group_count = sizeof bench_groups / sizeof *bench_groups;
