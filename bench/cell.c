/* cell.c - one table of the benchmark: alternated pairs of the read and each peer. */
#include "bench.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include "sampling.h"

/* A value further from samesum's than any honest order of additions leads. The elements are random,
 * in [-1, 1), of zero mean: partial sums of n of them are about sqrt(n), so that a serial sum errs
 * by about n u; sums of positive terms reach n, and err by at most n u n. */
static bool plausible(const bench_call *call, double value, double reference)
{
    double n = (double)call->n, u = call->type == SAMESUM_F32 ? FLT_EPSILON : DBL_EPSILON;
    return fabs(value - reference) <= n * u * (call->op == SAMESUM_SUM ? 64 : n);
}

static bool measure(const bench_setup *setup, bench_place place, const bench_call *base,
                    const bench_peer *peer, bench_candidate read, double reference)
{
    bench_call call = *base;
    call.level = peer->level;
    double value = NAN;
    samesum_status status = peer->run(&call, &value);
    bench_print_what(&call, peer->name);
    if (status < 0) {
        bool later = status == SAMESUM_ERR_NOT_YET;
        printf("  %s\n", later ? "not yet" : samesum_strerror(status));
        return later;
    }
    if (!plausible(&call, value, reference)) {
        printf("  not measured: it gave %.9g where samesum gives %.9g\n", value, reference);
        return !(peer->flags & BENCH_SAMESUM);
    }
    bench_candidate c = bench_calibrated(peer->run, &call);
    c.settle = read.settle = call.threads > 1 && (peer->flags & BENCH_OWN_THREADS);
    bench_spread ratio = bench_print_ratio(&read, &c, setup->pairs);
    if (peer->flags & BENCH_SAMESUM)
        bench_print_goals(place, &call, ratio.median);
    bench_end_row();
    return true;
}

bool bench_row(const bench_candidate *base, const bench_call *call, const char *name, int pairs,
               bench_spread *ratio)
{
    double value = 0;
    samesum_status status = bench_samesum_f64(call, &value);
    bench_print_what(call, name);
    if (status < 0) {
        printf("  %s\n", samesum_strerror(status));
        return false;
    }
    bench_candidate c = bench_calibrated(bench_samesum_f64, call);
    *ratio = bench_print_ratio(base, &c, pairs);
    return true;
}

static bool wanted(const bench_peer *peer, bench_place place, const bench_call *call)
{
    if (peer->op != call->op || peer->type != call->type)
        return false;
    if (!(peer->flags & (call->threads > 1 ? BENCH_MANY : BENCH_ONE)))
        return false;
    return !((peer->flags & BENCH_SLOW) && place == BENCH_BIG && call->type != SAMESUM_F64);
}

static void numpy_row(const bench_setup *setup, const bench_call *call)
{
    double speed = bench_numpy_speed(call, setup->pairs);
    if (speed <= 0)
        return;
    bench_print_what(call, "NumPy (other process)");
    bench_print_speed((double)bench_call_bytes(call) / (speed * 1e9),
                      (double)bench_call_bytes(call));
    putchar('\n');
}

bool bench_cell(const bench_setup *setup, bench_place place, const bench_call *call)
{
    double reference = NAN;
    samesum_data data = {.x = call->x, .y = call->y, .n = call->n, .type = call->type};
    samesum_want want = {.op = call->op, .level = SAMESUM_COMPENSATED, .threads = call->threads};
    float narrow = 0;
    bool f32 = call->type == SAMESUM_F32;
    samesum_status status = samesum_reduce(&data, &want, f32 ? (void *)&narrow : &reference, NULL);
    if (status < 0) {
        printf("samesum: %s\n", samesum_strerror(status));
        return false;
    }
    if (f32)
        reference = (double)narrow;

    bench_candidate read = bench_print_read(call);
    bool ok = true;
    for (size_t g = 0; g < bench_group_count; g++)
        for (size_t i = 0; i < bench_groups[g]->count; i++) {
            const bench_peer *peer = &bench_groups[g]->peers[i];
            if (wanted(peer, place, call))
                ok &= measure(setup, place, call, peer, read, reference);
        }
    if (call->threads == 1)
        numpy_row(setup, call);
    putchar('\n');
    return ok;
}
