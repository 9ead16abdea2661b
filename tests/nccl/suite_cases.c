/* suite_cases.c - what users were hurt by, on any GPUs: (-1)^i sqrt(i + 1), i < 1000; the calls for
 * one GPU of each process; plans that are run again; offsets; elements that lie anywhere. */
#include "cuda/device.h"
#include "nccl_suites.h"
#include "over.h"
#include "elements.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

/* One field of doubles, whose part is cut as said; results are on each seat's GPU. */
static void field_of_doubles(struct call *c, const double *x, const struct cuts *cuts,
                             const samesum_want *want, size_t *n)
{
    call_make(c);
    for (int s = 0; s < world.seats; s++) {
        const int r = world.seat[s].rank;
        n[s] = cuts->at[r + 1] - cuts->at[r];
        c->field[s][0] = (samesum_nccl_field){
            .part = {.x = seat_copy(&world.seat[s], x + cuts->at[r], n[s] * sizeof *x),
                     .type = SAMESUM_F64,
                     .dims = 1,
                     .shape = &n[s]},
            .want = *want,
            .out = {.results = seat_room(&world.seat[s], sizeof *x)}};
    }
}

static void compare_doubles(const struct call *c, const samesum_want *want, double expected)
{
    for (int s = 0; s < world.seats; s++) {
        double result;
        seat_get(&world.seat[s], &result, c->field[s][0].out.results, sizeof result);
        const struct what what = {
            .op = want->op, .type = SAMESUM_F64, .level = want->level, .n = N, .data = "roots"};
        same(&what, bits_of_double(result), bits_of_double(expected));
        count_bits(64);
    }
}

START_TEST(alternating_signs)
{
    static struct call c;
    double *x = alternating_roots(N), expected;
    size_t n[MOST_SEATS];
    for (int level = SAMESUM_TREE; level <= (int)last_level; level++)
        for (int times = 0; times < 10; times++) {
            const struct cuts cuts = cuts_among(N, world.ranks);
            const samesum_want want = {.op = SAMESUM_SUM, .level = (samesum_level)level};
            samesum_sum_f64(x, N, want.level, &expected);
            field_of_doubles(&c, x, &cuts, &want, n);
            ck_assert_int_eq(samesum_nccl_reduce(c.member, world.seats, 1), SAMESUM_OK);
            compare_doubles(&c, &want, expected);
            if (level == SAMESUM_EXACT)
                compare_doubles(&c, &want, -15.435236335060337);
            scratch_end();
        }
    free(x);
    all_were_same();
}
END_TEST

/* Run again after the elements have changed; two plans in turn. */
START_TEST(plans_are_run_again)
{
    static struct call c[2];
    static const samesum_op ops[2] = {SAMESUM_VAR, SAMESUM_SUM};
    samesum_nccl_plan *plan[2];
    samesum_want want[2];
    size_t n[2][MOST_SEATS];
    double *x = alternating_roots(N), expected;
    const struct cuts cuts = cuts_among(N, world.ranks);
    for (int i = 0; i < 2; i++) {
        want[i] = (samesum_want){.op = ops[i], .level = SAMESUM_KAHAN};
        field_of_doubles(&c[i], x, &cuts, &want[i], n[i]);
        ck_assert_int_eq(samesum_nccl_plan_create(&plan[i], c[i].member, world.seats, 1),
                         SAMESUM_OK);
        memset(c[i].member, 0, sizeof c[i].member); /* they may go */
    }
    for (int times = 0; times < 20; times++) {
        for (int i = 0; i < 2; i++) {
            for (int s = 0; s < world.seats; s++) {
                const int r = world.seat[s].rank;
                use_seat(&world.seat[s]);
                CUDA(cudaMemcpyAsync((void *)(size_t)c[i].field[s][0].part.x, x + cuts.at[r],
                                     n[i][s] * sizeof *x, cudaMemcpyHostToDevice,
                                     world.seat[s].stream));
            }
            ck_assert_int_eq(samesum_nccl_plan_run(plan[i]), SAMESUM_OK);
        }
        const samesum_data data = {.x = x, .n = N, .type = SAMESUM_F64};
        for (int i = 0; i < 2; i++) {
            samesum_reduce(&data, &want[i], &expected, NULL);
            compare_doubles(&c[i], &want[i], expected);
        }
        x[random_below(N)] += 1;
    }
    samesum_nccl_plan_destroy(plan[0]);
    samesum_nccl_plan_destroy(plan[1]);
    samesum_nccl_plan_destroy(NULL);
    ck_assert_int_eq(samesum_nccl_plan_run(NULL), SAMESUM_ERR_NULL);
    scratch_end();
    free(x);
    all_were_same();
}
END_TEST

/* The calls of one name each: in a process of one GPU. */
START_TEST(one_gpu_of_each_process)
{
    const size_t most = by_depth(2000, 20000, 500000);
    double *x = alternating_roots(most), got[4], expected[4];
    float *f = malloc(most * sizeof *f), got_f[4], expected_f[4];
    if (world.seats > 1)
        skipped("cases", "the calls for one GPU of each process: this one has several");
    for (size_t i = 0; i < most; i++)
        f[i] = (float)x[i];
    const struct seat *me = &world.seat[0];
    for (int level = SAMESUM_TREE; world.seats == 1 && level <= (int)last_level; level++) {
        const samesum_level l = (samesum_level)level;
        const struct cuts cuts = cuts_among(most, world.ranks);
        const size_t begin = cuts.at[me->rank], n = cuts.at[me->rank + 1] - begin;
        double *r = seat_room(me, sizeof got), *dx = seat_copy(me, x + begin, n * sizeof *x);
        float *q = seat_room(me, sizeof got_f), *df = seat_copy(me, f + begin, n * sizeof *f);
        const samesum_nccl_comm comm = me->comm;
        uint64_t from = 1;
        ck_assert_int_eq(samesum_nccl_offset(n, &from, comm, me->stream), SAMESUM_OK);
        ck_assert_uint_eq(from, begin);
        ck_assert_int_eq(samesum_nccl_sum_f64(dx, n, l, r, comm, me->stream), 0);
        ck_assert_int_eq(samesum_nccl_dot_f64(dx, dx, n, l, r + 1, comm, me->stream), 0);
        ck_assert_int_eq(samesum_nccl_nrm2_f64(dx, n, l, r + 2, comm, me->stream), 0);
        ck_assert_int_eq(samesum_nccl_mean_f64(dx, n, l, r + 3, comm, me->stream), 0);
        ck_assert_int_eq(samesum_nccl_sum_f32(df, n, l, q, comm, me->stream), 0);
        ck_assert_int_eq(samesum_nccl_dot_f32(df, df, n, l, q + 1, comm, me->stream), 0);
        ck_assert_int_eq(samesum_nccl_nrm2_f32(df, n, l, q + 2, comm, me->stream), 0);
        ck_assert_int_eq(samesum_nccl_mean_f32(df, n, l, q + 3, comm, me->stream), 0);
        seat_get(me, got, r, sizeof got);
        seat_get(me, got_f, q, sizeof got_f);
        samesum_sum_f64(x, most, l, &expected[0]);
        samesum_dot_f64(x, x, most, l, &expected[1]);
        samesum_nrm2_f64(x, most, l, &expected[2]);
        samesum_mean_f64(x, most, l, &expected[3]);
        samesum_sum_f32(f, most, l, &expected_f[0]);
        samesum_dot_f32(f, f, most, l, &expected_f[1]);
        samesum_nrm2_f32(f, most, l, &expected_f[2]);
        samesum_mean_f32(f, most, l, &expected_f[3]);
        for (int i = 0; i < 4; i++) {
            struct what what = {.op = (samesum_op)i, .type = SAMESUM_F64, .level = l, .n = most};
            same(&what, bits_of_double(got[i]), bits_of_double(expected[i]));
            what.type = SAMESUM_F32;
            same(&what, bits_of_float(got_f[i]), bits_of_float(expected_f[i]));
            count_bits(96);
        }
        scratch_end();
    }
    free(x);
    free(f);
    all_were_same();
}
END_TEST

/* At level exact any rank may have any element. */
START_TEST(exact_anywhere)
{
    static const samesum_op ops[] = {SAMESUM_SUM,  SAMESUM_ASUM, SAMESUM_SUMSQ, SAMESUM_NRM2,
                                     SAMESUM_MEAN, SAMESUM_VAR,  SAMESUM_STD};
    static struct call c;
    double *x = alternating_roots(N), *sorted = malloc(N * sizeof *sorted), expected;
    size_t n[MOST_SEATS];
    for (size_t o = 0; last_level == SAMESUM_EXACT && o < sizeof ops / sizeof *ops; o++) {
        struct cuts cuts = {{0}};
        size_t at = 0;
        uint64_t where[N];
        for (size_t i = 0; i < N; i++)
            where[i] = random_below((size_t)world.ranks);
        for (int r = 0; r < world.ranks; r++) {
            for (size_t i = 0; i < N; i++)
                if (where[i] == (uint64_t)r)
                    sorted[at++] = x[i];
            cuts.at[r + 1] = at;
        }
        const samesum_want want = {.op = ops[o], .level = SAMESUM_EXACT, .ddof = 1};
        const samesum_data data = {.x = x, .n = N, .type = SAMESUM_F64};
        samesum_reduce(&data, &want, &expected, NULL);
        field_of_doubles(&c, sorted, &cuts, &want, n);
        ck_assert_int_eq(samesum_nccl_reduce(c.member, world.seats, 1), SAMESUM_OK);
        compare_doubles(&c, &want, expected);
        scratch_end();
    }
    free(x);
    free(sorted);
    all_were_same();
}
END_TEST

/* Of nothing, and no field at all. */
START_TEST(nothing_at_all)
{
    static const samesum_op ops[] = {SAMESUM_SUM, SAMESUM_MEAN, SAMESUM_ARGMIN};
    static struct call c;
    static const struct cuts none;
    size_t n[MOST_SEATS];
    const double x = 0;
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        const samesum_want want = {.op = ops[o]};
        field_of_doubles(&c, &x, &none, &want, n);
        ck_assert_int_eq(samesum_nccl_reduce(c.member, world.seats, 1), over_status(ops[o], 0, 0));
        if (ops[o] != SAMESUM_ARGMIN)
            compare_doubles(&c, &want, ops[o] == SAMESUM_SUM ? 0.0 : (double)NAN);
        scratch_end();
    }
    ck_assert_int_eq(samesum_nccl_reduce(c.member, world.seats, 0), SAMESUM_OK);
    all_were_same();
}
END_TEST

Suite *suite_nccl_cases(void)
{
    TCase *tests;
    Suite *suite = new_suite("cases", &tests);
    tcase_add_test(tests, alternating_signs);
    tcase_add_test(tests, plans_are_run_again);
    tcase_add_test(tests, one_gpu_of_each_process);
    tcase_add_test(tests, exact_anywhere);
    tcase_add_test(tests, nothing_at_all);
    return suite;
}
