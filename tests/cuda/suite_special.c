/* suite_special.c - infinities, NaNs, signed zeros, subnormals, overflow by order, and the cases of
 * people who were hurt, each with its right value. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "fpenv.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double inf = HUGE_VAL;

/* A vector of those numbers, rounded to the type. */
static char *vector(samesum_type type, const double *values, size_t n)
{
    size_t bytes = element_bytes(type);
    char *x = calloc(n + 1, bytes);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) {
        store_part(type, x + i * bytes, 0, values[i]);
    }
    return x;
}

/* The device gives, for this cell, the CPU's bits. */
static void as_cpu(const struct cell *cell, const void *x, const void *y, size_t n,
                   const char *name)
{
    samesum_array host = {.x = x, .type = cell->type, .dims = 1, .shape = &n};
    host.y = cell_pairs(cell) ? y : NULL;
    device_as_cpu(cell, &host, NULL, 0, name);
}

/* Every operation, type and level. */
static void everything(const double *values, size_t n, const char *name)
{
    struct cell cell;
    for (int i = -1; next_cell(&i, &cell);) {
        for (int nan = 0; nan <= (cell_extreme(&cell) ? 1 : 0); nan++) {
            cell.nan = (samesum_nan)nan;
            char *x = vector(cell.type, values, n);
            as_cpu(&cell, x, x, n, name);
            free(x);
        }
    }
}

/* One result is this number. */
static void gives(struct cell cell, const double *values, size_t n, double right, const char *name)
{
    struct answer expected = answer_make(&cell, 1);
    char *x = vector(cell.type, values, n);
    samesum_array host = {.x = x, .type = cell.type, .dims = 1, .shape = &n};
    bool wide = cell.type == SAMESUM_F64 || cell.type == SAMESUM_F32_WIDE;
    samesum_type format = cell.result == SAMESUM_RESULT_INPUT ? cell.type
                          : wide                              ? SAMESUM_F64
                                                              : SAMESUM_F32;
    store_part(format, expected.values, 0, isnan(right) ? fabs(right) : right);
    struct answer counted = cpu_answer(&cell, &host, NULL, 0);
    expected.counts[0] = counted.counts[0];
    expected.status = counted.status;
    device_compare(&expected, &cell, &host, NULL, 0, NULL, 0, name);
    answer_free(&counted);
    answer_free(&expected);
    free(x);
}

START_TEST(infinities_and_nans)
{
    static const double lists[][3] = {
        {HUGE_VAL, 1, -0.0},      {HUGE_VAL, HUGE_VAL, 0},    {-HUGE_VAL, 5, -HUGE_VAL},
        {HUGE_VAL, -HUGE_VAL, 1}, {(double)NAN, HUGE_VAL, 1}, {-(double)NAN, 0, 0},
        {0.0, -0.0, -0.0},        {-0.0, -0.0, -0.0},         {-0.0, 0.0, 0.0}};
    static const double sums[] = {HUGE_VAL,    HUGE_VAL, -HUGE_VAL, (double)NAN, (double)NAN,
                                  (double)NAN, 0.0,      -0.0,      0.0};
    for (int l = 0; l < 9; l++) {
        everything(lists[l], 3, "special values");
        everything(lists[l], 2, "two special values");
        everything(lists[l], 1, "one special value");
        for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
            for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
                gives(cell_of(SAMESUM_SUM, (samesum_type)type, (samesum_level)level), lists[l], 3,
                      sums[l], "special values");
            }
        }
    }
    everything(lists[0], 0, "nothing");
    all_were_same();
}
END_TEST

/* Infinities two million elements apart. */
START_TEST(infinities_far_apart)
{
    size_t n = by_depth(0, 50000, 2100000);
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        char *x = malloc(n * 8);
        ck_assert_ptr_nonnull(x);
        fill_elements((samesum_type)type, STYLE_NEAR, n, x);
        size_t bytes = element_bytes((samesum_type)type);
        store_part((samesum_type)type, x + 7 * bytes, 0, inf);
        for (int both = 0; both < 2; both++) {
            store_part((samesum_type)type, x + (n - 8) * bytes, 0, both ? -inf : inf);
            for (int op = SAMESUM_SUM; op <= SAMESUM_MINMAX; op++) {
                for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
                    struct cell cell =
                        cell_of((samesum_op)op, (samesum_type)type, (samesum_level)level);
                    as_cpu(&cell, x, x, n, both ? "+inf, -inf" : "+inf, +inf");
                }
            }
        }
        free(x);
    }
    all_were_same();
}
END_TEST

/* A sum that stalls at 2^24, alone and as a column of two. */
START_TEST(stalled_sum)
{
    enum { N = 1001 };
    double values[N];
    static float pairs[N][2];
    size_t shape[2] = {N, 2};
    int axis = 0;
    for (int i = 0; i < N; i++) {
        values[i] = i == 0 ? 16777216 : 1;
        pairs[i][0] = i == 0 ? 16777216.0f : 1.0f;
        pairs[i][1] = (float)NAN;
    }
    for (int level = SAMESUM_COMPENSATED; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(SAMESUM_SUM, SAMESUM_F32, (samesum_level)level);
        gives(cell, values, N, 16778216, "stall");
        samesum_array a = {.x = pairs, .type = SAMESUM_F32, .dims = 2, .shape = shape};
        device_as_cpu(&cell, &a, &axis, 1, "stall, columns");
    }
    all_were_same();
}
END_TEST

/* 13090 and 13110 in turns. */
START_TEST(mean_outside_of_the_data)
{
    size_t n = by_depth(0, 4000, 4000000);
    double *values = malloc(n * sizeof *values);
    ck_assert_ptr_nonnull(values);
    for (size_t i = 0; i < n; i++) {
        values[i] = i % 2 ? 13110 : 13090;
    }
    gives(cell_of(SAMESUM_MEAN, SAMESUM_F32, SAMESUM_COMPENSATED), values, n, 13100, "mean");
    gives(cell_of(SAMESUM_MEAN, SAMESUM_F32, SAMESUM_EXACT), values, n, 13100, "mean");
    gives(cell_of(SAMESUM_STD, SAMESUM_F32, SAMESUM_EXACT), values, n, 10, "std");
    free(values);
    all_were_same();
}
END_TEST

/* All orders of four numbers whose partial sums overflow. */
START_TEST(overflow_by_order)
{
    static const double four[] = {1.5e308, 1.2e308, -1.4e308, -1.1e308};
    for (int order = 0; order < 256; order++) {
        int of[] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
        if ((1 << of[0] | 1 << of[1] | 1 << of[2] | 1 << of[3]) != 15) {
            continue;
        }
        double x[] = {four[of[0]], four[of[1]], four[of[2]], four[of[3]]};
        gives(cell_of(SAMESUM_SUM, SAMESUM_F64, SAMESUM_EXACT), x, 4, 0x1.c7b1f3cac7430p+1020,
              "overflow by order");
        everything(x, 4, "overflow by order");
    }
    all_were_same();
}
END_TEST

/* A variance that serial code makes negative; one element with ddof 1. */
START_TEST(variance)
{
    double two40 = ldexp(1, 40), x[] = {two40 + 1, two40 + 2, two40 + 4, two40 + 9};
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(SAMESUM_VAR, SAMESUM_F64, (samesum_level)level);
        gives(cell, x, 4, 9.5, "variance");
        cell.ddof = 1;
        gives(cell, x, 4, 12.666666666666666, "variance");
        gives(cell, x, 1, (double)NAN, "variance of one");
        cell.op = SAMESUM_MEAN;
        gives(cell, x, 4, two40 + 4, "mean");
    }
    all_were_same();
}
END_TEST

static void ones(samesum_type type, samesum_op op, size_t n, samesum_result_type result,
                 double right)
{
    double *values = malloc(n * sizeof *values);
    ck_assert_ptr_nonnull(values);
    for (size_t i = 0; i < n; i++) {
        values[i] = 1;
    }
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(op, type, (samesum_level)level);
        cell.result = result;
        gives(cell, values, n, right, "ones");
    }
    free(values);
}

START_TEST(half_precision)
{
    ones(SAMESUM_F16, SAMESUM_MEAN, 70000, SAMESUM_RESULT_ACCUMULATOR, 1);
    ones(SAMESUM_F16, SAMESUM_MEAN, 70000, SAMESUM_RESULT_INPUT, 1);
    ones(SAMESUM_BF16, SAMESUM_SUM, 1001, SAMESUM_RESULT_INPUT, 1000);
    ones(SAMESUM_BF16, SAMESUM_SUM, 1002, SAMESUM_RESULT_INPUT, 1000);
    ones(SAMESUM_BF16, SAMESUM_SUM, 1003, SAMESUM_RESULT_INPUT, 1004);
    ones(SAMESUM_F16, SAMESUM_SUM, 65519, SAMESUM_RESULT_INPUT, 65504);
    ones(SAMESUM_F16, SAMESUM_SUM, 65520, SAMESUM_RESULT_INPUT, inf);
    ones(SAMESUM_F16, SAMESUM_SUM, 65520, SAMESUM_RESULT_ACCUMULATOR, 65520);
    static const double large[] = {32000, 32000, 32000, 32000, -32000, -32000, -32000, -32000};
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        gives(cell_of(SAMESUM_SUM, SAMESUM_F16, (samesum_level)level), large, 8, 0, "32000");
    }
    all_were_same();
}
END_TEST

/* One NaN at every index; all NaN; zeros of both signs. */
START_TEST(nan_in_extremes)
{
    double x[70];
    for (size_t n = 1; n <= 70; n += by_depth(0, 33, 1)) {
        for (size_t at = 0; at <= n; at++) {
            for (size_t i = 0; i < n; i++) {
                x[i] = at == n ? (double)NAN : (double)(i * 7 % 5) - 2;
            }
            if (at < n) {
                x[at] = at % 2 ? (double)NAN : -(double)NAN;
            }
            for (int op = SAMESUM_MIN; op <= SAMESUM_MINMAX; op++) {
                for (int nan = 0; nan < 2; nan++) {
                    samesum_type type = (samesum_type)((n + at) % 5);
                    struct cell cell = cell_of((samesum_op)op, type, SAMESUM_TREE);
                    cell.nan = (samesum_nan)nan;
                    char *values = vector(type, x, n);
                    as_cpu(&cell, values, NULL, n, "NaN in extremes");
                    free(values);
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* The full range of exponents, subnormals, norms that have to be rescaled. */
START_TEST(exponents)
{
    static const double up[] = {1e300, 1, 1e-300, -1e300}, down[] = {1e300, -1e300, 1e-300};
    double large[] = {ldexp(3, 1020), ldexp(4, 1020)}, small[] = {ldexp(3, -1060), ldexp(4, -1060)};
    double tiny[1000];
    for (int i = 0; i < 1000; i++) {
        tiny[i] = 5e-324;
    }
    gives(cell_of(SAMESUM_SUM, SAMESUM_F64, SAMESUM_EXACT), up, 4, 1, "exponents");
    gives(cell_of(SAMESUM_SUM, SAMESUM_F64, SAMESUM_EXACT), down, 3, 1e-300, "exponents");
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        gives(cell_of(SAMESUM_SUM, SAMESUM_F64, (samesum_level)level), tiny, 1000, 1000 * 5e-324,
              "subnormals");
        struct cell cell = cell_of(SAMESUM_NRM2, SAMESUM_F64, (samesum_level)level);
        gives(cell, large, 2, ldexp(5, 1020), "nrm2 of large numbers");
        gives(cell, small, 2, ldexp(5, -1060), "nrm2 of small numbers");
    }
    everything(up, 4, "exponents");
    everything(down, 3, "exponents");
    everything(tiny, 1000, "subnormals");
    all_were_same();
}
END_TEST

static void style(samesum_type type, enum style style, size_t n)
{
    struct cell cell;
    size_t bytes = n * element_bytes(type);
    char *x = malloc(bytes), *y = malloc(bytes);
    ck_assert(x != NULL && y != NULL);
    fill_elements(type, style, n, x);
    fill_elements(type, random_below(2) ? style : STYLE_NEAR, n, y);
    for (int i = -1; next_cell(&i, &cell);) {
        if (cell.type == type) {
            as_cpu(&cell, x, y, n, style_name(style));
        }
    }
    free(x);
    free(y);
}

/* Every style of data in every cell, with lengths that leave lanes, rows and segments open. */
START_TEST(styles)
{
    for (int type = SAMESUM_F64; type <= SAMESUM_C128; type++) {
        for (int s = 0; s < STYLES; s++) {
            style((samesum_type)type, (enum style)s, 23);
            style((samesum_type)type, (enum style)s, 5003);
            style((samesum_type)type, (enum style)s, 70003);
        }
    }
    all_were_same();
}
END_TEST

/* A NaN at 777777 and an infinity at 5 among a million. */
START_TEST(counts_of_many)
{
    enum { N = 1000000 };
    double *values = malloc(N * sizeof *values);
    ck_assert_ptr_nonnull(values);
    for (size_t i = 0; i < N; i++) {
        values[i] = (double)(i % 100);
    }
    values[777777] = (double)NAN;
    values[5] = inf;
    always_with_counts = true;
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            struct cell cell = cell_of(SAMESUM_SUM, (samesum_type)type, (samesum_level)level);
            size_t n = N;
            char *x = vector(cell.type, values, N);
            samesum_array host = {.x = x, .type = cell.type, .dims = 1, .shape = &n};
            struct answer expected = cpu_answer(&cell, &host, NULL, 0);
            expected.counts[0] =
                (samesum_counts){.present = N, .nonfinite = {2, 0}, .first = {5, UINT64_MAX}};
            device_compare(&expected, &cell, &host, NULL, 0, NULL, 0, "two among a million");
            answer_free(&expected);
            free(x);
        }
    }
    always_with_counts = false;
    free(values);
    all_were_same();
}
END_TEST

/* ---- the caller's floating-point environment ---- */

static struct fpenv own, odd;

static void enter(int i)
{
    own = fpenv_get();
    fpenv_set(fpenv_quiet(i));
    odd = fpenv_get();
}

/* Fails where a call changed more than flags. */
static void leave(void)
{
    struct fpenv after = fpenv_get();
    fpenv_set(own);
    ck_assert_msg(fpenv_same_modes(odd, after), "environment 0x%x became 0x%x", odd.control,
                  after.control);
}

static void in_environment(int i, const struct cell *cell, const samesum_array *host,
                           const char *name)
{
    char result[16] = {0};
    size_t bytes = 0, n = host->shape[0];
    struct answer expected = cpu_answer(cell, host, NULL, 0);
    samesum_array array = array_on_device(host);
    struct device_call call = {.array = &array,
                               .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0),
                               .out = {.results = scratch(sizeof result)}};
    enter(i);
    samesum_status asked = device_launch(&call, NULL, &bytes, NULL);
    leave();
    void *workspace = scratch(bytes);
    enter(i);
    samesum_status status = device_launch(&call, workspace, &bytes, NULL);
    leave();
    ck_assert(asked == SAMESUM_OK && status == SAMESUM_OK);
    device_get(result, call.out.results, sizeof result);
    scratch_end();
    count_bits(compare_values(cell, result, expected.values, expected.bytes, n,
                              SAMESUM_BACKEND_CUDA, 0, name));
    enter(i);
    status = samesum_cuda_reduce_host(host, NULL, 0, &call.want, result, NULL);
    leave();
    ck_assert_int_eq(status, SAMESUM_OK);
    count_bits(compare_values(cell, result, expected.values, expected.bytes, n,
                              SAMESUM_BACKEND_CUDA, 0, name));
    answer_free(&expected);
}

/* Its rounding mode, FTZ and DAZ neither change a result nor are changed: of sums that they would
 * change, and where a missing value has to be rounded to the elements' type. */
START_TEST(environments)
{
    enum { N = 1000 };
    static const double up[] = {1, 0x1p-60};
    double tiny[N], tenths[N];
    for (int k = 0; k < N; k++) {
        tiny[k] = 5e-324;
        tenths[k] = k % 3 ? 0.1 : 0.75;
    }
    for (int i = 0; i < FPENV_ODD; i += (int)by_depth(1, 7, 1)) {
        samesum_level level = (samesum_level)(i % (SAMESUM_EXACT + 1));
        size_t n = 2;
        struct cell cell = cell_of(SAMESUM_SUM, SAMESUM_F64, level);
        samesum_array host = {.x = up, .type = SAMESUM_F64, .dims = 1, .shape = &n};
        in_environment(i, &cell, &host, "1 + 2^-60");
        host.x = tiny;
        n = N;
        in_environment(i, &cell, &host, "1000 * 5e-324");
        for (int type = SAMESUM_F32; type <= SAMESUM_BF16; type++) {
            char *x = vector((samesum_type)type, tenths, N);
            cell = cell_of(SAMESUM_SUM, (samesum_type)type, level);
            host.x = x;
            host.type = cell.type;
            host.missing = SAMESUM_MISSING_VALUE;
            host.missing_value = 0.1;
            in_environment(i, &cell, &host, "0.1 is missing");
            host.missing = SAMESUM_MISSING_NONE;
            free(x);
        }
    }
    all_were_same();
}
END_TEST

Suite *suite_cuda_special(void)
{
    TCase *tests;
    Suite *suite = new_suite("special", &tests);
    tcase_add_test(tests, infinities_and_nans);
    tcase_add_test(tests, infinities_far_apart);
    tcase_add_test(tests, stalled_sum);
    tcase_add_test(tests, mean_outside_of_the_data);
    tcase_add_test(tests, variance);
    tcase_add_test(tests, half_precision);
    tcase_add_test(tests, nan_in_extremes);
    tcase_add_test(tests, exponents);
    tcase_add_test(tests, counts_of_many);
    tcase_add_test(tests, environments);
    if (depth == DEPTH_FULL) {
        tcase_add_test(tests, overflow_by_order);
        tcase_add_test(tests, styles);
    }
    return suite;
}
