/* extremes.c - the section on min and max and where they are, for f64 and f32. */
#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include "goals.h"
#include "sampling.h"

typedef union answer {
    double f64[2];
    float f32[2];
    uint64_t index;
} answer;

static answer last; /* what the call before gave */

static samesum_status run(const bench_call *call, double *result)
{
    samesum_data data = {.x = call->x, .n = call->n, .type = call->type};
    samesum_want want = {.op = call->op, .threads = call->threads};
    *result = 0;
    return samesum_reduce(&data, &want, &last, NULL);
}

static double at(const bench_call *call, size_t i)
{
    return call->type == SAMESUM_F64 ? ((const double *)call->x)[i]
                                     : (double)((const float *)call->x)[i];
}

/* Whether `last` is what a loop finds, whose min and max lie at these indices. */
static bool right(const bench_call *call, size_t min, size_t max)
{
    if (call->op == SAMESUM_ARGMIN)
        return last.index == min;
    bool f64 = call->type == SAMESUM_F64;
    double first = f64 ? last.f64[0] : (double)last.f32[0];
    double second = f64 ? last.f64[1] : (double)last.f32[1];
    if (call->op == SAMESUM_MINMAX && second != at(call, max))
        return false;
    return first == at(call, call->op == SAMESUM_MAX ? max : min);
}

static bool row(const bench_setup *setup, const bench_candidate *read, const bench_call *call,
                size_t min, size_t max)
{
    double nothing;
    samesum_status status = run(call, &nothing);
    bench_print_what(call, "samesum");
    if (status < 0) {
        printf("  %s\n", samesum_strerror(status));
        return false;
    }
    if (!right(call, min, max)) {
        printf("  not measured: a loop finds another one\n");
        return false;
    }
    bench_candidate c = bench_calibrated(run, call);
    bench_print_goal("must", BENCH_EXTREMES_MUST, bench_print_ratio(read, &c, setup->pairs).median);
    bench_end_row();
    return true;
}

static bool table(const bench_setup *setup, samesum_type type, size_t bytes)
{
    static const samesum_op ops[] = {SAMESUM_MIN, SAMESUM_MAX, SAMESUM_MINMAX, SAMESUM_ARGMIN};
    bench_call call = {.x = setup->mem,
                       .n = bytes / samesum_element_size(type),
                       .threads = setup->threads,
                       .op = SAMESUM_MIN,
                       .type = type};
    size_t min = 0, max = 0;
    bool ok = true;
    bench_fill(setup->mem, bytes, type, setup->threads);
    for (size_t i = 1; i < call.n; i++) {
        min = at(&call, i) < at(&call, min) ? i : min;
        max = at(&call, i) > at(&call, max) ? i : max;
    }
    bench_candidate read = bench_print_read(&call);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        call.op = ops[i];
        ok &= row(setup, &read, &call, min, max);
    }
    putchar('\n');
    return ok;
}

bool bench_extremes(const bench_setup *setup, size_t bytes)
{
    printf("---- extremes: %zu KiB of elements\n", bytes / 1024);
    bench_print_head("ratio");
    bool ok = table(setup, SAMESUM_F64, bytes);
    return ok & table(setup, SAMESUM_F32, bytes);
}
