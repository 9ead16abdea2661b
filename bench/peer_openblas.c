/* peer_openblas.c - OpenBLAS, where its header and library are installed. */
#include "peers.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

/* Setting the number takes a lock, so it is done only where it changes. */
static void use_threads(int threads)
{
    static int now = 0;
    if (threads != now)
        openblas_set_num_threads(now = threads);
}

#define CBLAS(name, value)                                                                         \
    static samesum_status name(const bench_call *call, double *result)                             \
    {                                                                                              \
        blasint n = (blasint)call->n;                                                              \
        use_threads(call->threads);                                                                \
        *result = (double)(value);                                                                 \
        return SAMESUM_OK;                                                                         \
    }

CBLAS(dsum, cblas_dsum(n, call->x, 1))
CBLAS(ssum, cblas_ssum(n, call->x, 1))
CBLAS(dasum, cblas_dasum(n, call->x, 1))
CBLAS(ddot, cblas_ddot(n, call->x, 1, call->y, 1))
CBLAS(ddot_self, cblas_ddot(n, call->x, 1, call->x, 1))

/* OPENBLAS_CORETYPE in the environment can make OpenBLAS choose slow kernels: name what it chose.
 */
static const char *about(void)
{
    static char text[300];
    const char *forced = getenv("OPENBLAS_CORETYPE");
    snprintf(text, sizeof text, "%s: core %s%s%s", openblas_get_config(), openblas_get_corename(),
             forced ? ", OPENBLAS_CORETYPE=" : "", forced ? forced : "");
    return text;
}

#define BOTH (BENCH_ONE | BENCH_MANY | BENCH_OWN_THREADS)
static const bench_peer peers[] = {
    {"OpenBLAS dsum", SAMESUM_SUM, SAMESUM_F64, BOTH, dsum, 0},
    {"OpenBLAS ssum", SAMESUM_SUM, SAMESUM_F32, BOTH, ssum, 0},
    {"OpenBLAS dasum", SAMESUM_ASUM, SAMESUM_F64, BOTH, dasum, 0},
    {"OpenBLAS ddot", SAMESUM_DOT, SAMESUM_F64, BOTH, ddot, 0},
    {"OpenBLAS ddot(x, x)", SAMESUM_SUMSQ, SAMESUM_F64, BOTH, ddot_self, 0},
};

const bench_group bench_openblas = {about, peers, sizeof peers / sizeof *peers};
