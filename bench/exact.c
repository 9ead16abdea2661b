/* exact.c - the section on level exact: against the read, against another exact sum on easy and
 * hard data, products against sums, and few elements. */
#include "bench.h"

#include <stdio.h>
#include "exact_data.h"
#include "goals.h"
#include "sampling.h"

/* The statistics are for information: a few pairs will do at the big size. */
#define FEW_PAIRS 5
/* The peer of another process cannot be paired sample by sample. */
#define ROUNDS 5
#define ROUND_SAMPLES 5

/* sumsq and dot against the exact sum of the same bytes. */
static bool products(const bench_setup *setup, bench_place place, const bench_call *sum,
                     size_t bytes)
{
    bench_candidate base = bench_calibrated(bench_samesum_f64, sum);
    bench_call sumsq = *sum, dot = *sum;
    bench_spread spread;
    bench_print_head("GB/s / GB/s of the exact sum");
    sumsq.op = SAMESUM_SUMSQ;
    bool ok = bench_row(&base, &sumsq, "samesum exact", setup->pairs, &spread);
    bench_end_row();

    dot.op = SAMESUM_DOT;
    dot.n = bytes / sizeof(double) / 2;
    dot.y = setup->mem + bytes / 2;
    ok &= bench_row(&base, &dot, "samesum exact", setup->pairs, &spread);
    bench_print_goal("must", BENCH_EXACT_DOT, spread.median);
    bench_end_row();
    if (place == BENCH_BIG && bench_shift(&dot)) {
        ok &= bench_row(&base, &dot, "samesum exact, shifted", setup->pairs, &spread);
        bench_end_row();
    }
    putchar('\n');
    return ok;
}

/* Sum and statistics against the read, then products. */
static bool against_read(const bench_setup *setup, bench_place place, size_t bytes, int threads)
{
    bench_call sum = {.x = setup->mem,
                      .n = bytes / sizeof(double),
                      .threads = threads,
                      .op = SAMESUM_SUM,
                      .type = SAMESUM_F64,
                      .level = SAMESUM_EXACT};
    bench_spread spread = {0};
    bool ok = true;
    bench_print_head("ratio to the read");
    bench_candidate read = bench_print_read(&sum);
    if (!bench_row(&read, &sum, "samesum exact", setup->pairs, &spread))
        return false;
    bench_print_goals(place, &sum, spread.median);
    bench_end_row();

    int few = place == BENCH_BIG && setup->pairs > FEW_PAIRS ? FEW_PAIRS : setup->pairs;
    for (int op = SAMESUM_NRM2; op <= SAMESUM_STD; op++)
        for (int exact = 0; exact <= 1; exact++) {
            bench_call call = sum;
            call.op = (samesum_op)op;
            call.level = exact ? SAMESUM_EXACT : SAMESUM_COMPENSATED;
            ok &= bench_row(&read, &call, exact ? "samesum exact" : "samesum compensated", few,
                            &spread);
            bench_end_row();
        }

    return ok & products(setup, place, &sum, bytes);
}

/* GB/s, the median of ROUND_SAMPLES samples. */
static double round_speed(const bench_candidate *c)
{
    double times[ROUND_SAMPLES];
    for (int i = 0; i < ROUND_SAMPLES; i++)
        times[i] = bench_sample(c);
    double time = bench_spread_of(times, ROUND_SAMPLES).median;
    return (double)bench_call_bytes(&c->call) / time * 1e-9;
}

static void print_ratio(const bench_data *data, bench_spread ratio)
{
    printf("  %5.2f [%5.2f %5.2f]", ratio.median, ratio.min, ratio.max);
    bench_print_goal("must", data->must, ratio.median);
}

/* One distribution; xsum: whether that peer is there. */
static bool data_row(const bench_setup *setup, const bench_data *data, size_t bytes, bool xsum)
{
    bench_call call = {.x = setup->mem,
                       .n = bytes / sizeof(double),
                       .threads = 1,
                       .op = SAMESUM_SUM,
                       .type = SAMESUM_F64,
                       .level = SAMESUM_EXACT};
    double *x = (double *)(void *)setup->mem, value = 0;
    data->fill(x, call.n, data->parameter);
    samesum_status status = bench_samesum_f64(&call, &value);
    printf("%-24s", data->name);
    if (status < 0) {
        printf("  %s\n", samesum_strerror(status));
        return false;
    }
    bench_candidate c = bench_calibrated(bench_samesum_f64, &call);
    double ours[ROUNDS], small[ROUNDS], large[ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        bench_xsum peer = {0};
        ours[i] = round_speed(&c);
        if (!xsum)
            continue;
        if (!bench_xsum_run(x, call.n, ROUND_SAMPLES, &peer)) {
            printf("  not measured: xsum failed\n");
            return true;
        }
        if (peer.small != value || peer.large != value) {
            printf("  not measured: xsum gives %a and %a where samesum gives %a\n", peer.small,
                   peer.large, value);
            return false;
        }
        small[i] = peer.small_speed;
        large[i] = peer.large_speed;
        ratio[i] = ours[i] / (small[i] > large[i] ? small[i] : large[i]);
    }
    printf(" %9.1f", bench_spread_of(ours, ROUNDS).median);
    if (xsum) {
        printf(" %11.1f %11.1f", bench_spread_of(small, ROUNDS).median,
               bench_spread_of(large, ROUNDS).median);
        print_ratio(data, bench_spread_of(ratio, ROUNDS));
    }
    bench_end_row();
    return true;
}

/* Fills the beginning of the buffer anew. */
static bool distributions(const bench_setup *setup, size_t bytes)
{
    bool ok = true, xsum = false;
    const char *about = bench_xsum_about(&xsum);
    printf("f64 exact sum of %zu KiB, one thread, GB/s. %s\n", bytes / 1024, about);
    if (xsum)
        printf("xsum runs in a process of its own, started anew for each of %d rounds, which "
               "alternate\nwith samesum's; the ratio is formed within a round, to the faster "
               "accumulator\n",
               ROUNDS);
    printf("%-24s %9s", "data", "samesum");
    if (xsum)
        printf(" %11s %11s  ratio [min max]", "xsum small", "xsum large");
    putchar('\n');
    for (int d = 0; d < BENCH_DATA; d++)
        ok &= data_row(setup, &bench_data_all[d], bytes, xsum);
    putchar('\n');
    return ok;
}

bool bench_exact(const bench_setup *setup, size_t small, size_t big)
{
    bool ok = true;
    printf("---- exact: level exact\n");
    ok &= bench_small_exact(setup);
    ok &= distributions(setup, small);
    bench_fill(setup->mem, setup->capacity, SAMESUM_F64, setup->threads);
    ok &= against_read(setup, BENCH_L2, small, 1);
    if (big)
        ok &= against_read(setup, BENCH_BIG, big, setup->threads);
    return ok;
}
