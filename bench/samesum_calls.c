/* samesum_calls.c - samesum as the benchmark calls it: short inputs through the typed call, which
 * is what people write for them, all others through samesum_reduce() with the threads stated. */
#include "peers.h"

#include <stdio.h>

#define SHORT 1000

samesum_status bench_samesum_f64(const bench_call *call, double *result)
{
    if (call->n <= SHORT && call->op == SAMESUM_SUM)
        return samesum_sum_f64(call->x, call->n, call->level, result);
    samesum_data data = {.x = call->x, .y = call->y, .n = call->n, .type = call->type};
    samesum_want want = {.op = call->op, .level = call->level, .threads = call->threads};
    return samesum_reduce(&data, &want, result, NULL);
}

static samesum_status run_f32(const bench_call *call, double *result)
{
    float r = 0;
    samesum_status status;
    if (call->n <= SHORT && call->op == SAMESUM_SUM) {
        status = samesum_sum_f32(call->x, call->n, call->level, &r);
    } else {
        samesum_data data = {.x = call->x, .y = call->y, .n = call->n, .type = call->type};
        samesum_want want = {.op = call->op, .level = call->level, .threads = call->threads};
        status = samesum_reduce(&data, &want, &r, NULL);
    }
    *result = (double)r;
    return status;
}

static samesum_status run_wide(const bench_call *call, double *result)
{
    if (call->n <= SHORT && call->op == SAMESUM_SUM)
        return samesum_sum_f32_wide(call->x, call->n, call->level, result);
    samesum_data data = {.x = call->x, .y = call->y, .n = call->n, .type = call->type};
    samesum_want want = {.op = call->op, .level = call->level, .threads = call->threads};
    return samesum_reduce(&data, &want, result, NULL);
}

static const char *about(void)
{
    static char text[120];
    const char *backend = NULL;
    for (int b = SAMESUM_BACKEND_NEON; b > SAMESUM_BACKEND_AUTO && !backend; b--)
        if (samesum_backend_status((samesum_backend)b) == SAMESUM_OK)
            backend = samesum_backend_name((samesum_backend)b);
    snprintf(text, sizeof text, "samesum %s: widest backend %s, OpenMP %s, default threads %d",
             samesum_version(), backend ? backend : "none", samesum_has_openmp() ? "yes" : "no",
             samesum_default_threads());
    return text;
}

#define ALL (BENCH_ONE | BENCH_MANY | BENCH_SAMESUM)
#define LEVELS(op, type, run)                                                                      \
    {"samesum tree", op, type, ALL, run, SAMESUM_TREE},                                            \
        {"samesum kahan", op, type, ALL, run, SAMESUM_KAHAN},                                      \
        {"samesum compensated", op, type, ALL, run, SAMESUM_COMPENSATED},                          \
    {                                                                                              \
        "samesum exact", op, type, ALL, run, SAMESUM_EXACT                                         \
    }

static const bench_peer peers[] = {
    LEVELS(SAMESUM_SUM, SAMESUM_F64, bench_samesum_f64),
    LEVELS(SAMESUM_SUM, SAMESUM_F32, run_f32),
    LEVELS(SAMESUM_ASUM, SAMESUM_F64, bench_samesum_f64),
    LEVELS(SAMESUM_SUM, SAMESUM_F32_WIDE, run_wide),
    LEVELS(SAMESUM_SUMSQ, SAMESUM_F64, bench_samesum_f64),
    LEVELS(SAMESUM_DOT, SAMESUM_F64, bench_samesum_f64),
};

const bench_group bench_samesum = {about, peers, sizeof peers / sizeof *peers};
