/* suite_calls.c - the calls by name give what the general one gives; each bad argument of the calls
 * for arrays and segments is answered with its status, and nothing is written. */
#include "grids.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- calls by name ---- */

/* Calls of the same arguments, as one type of function each. */
typedef samesum_status sum_call(const void *x, size_t n, samesum_level level, void *result);
typedef samesum_status dot_call(const void *x, const void *y, size_t n, samesum_level level,
                                void *result);
typedef samesum_status var_call(const void *x, size_t n, unsigned ddof, samesum_level level,
                                void *result);
typedef samesum_status min_call(const void *x, size_t n, samesum_nan nan, void *result);

/* name_SUFFIX() with the arguments of a generic call. */
#define SUM(name, suffix, elem, acc)                                                               \
    static samesum_status name##_##suffix(const void *x, size_t n, samesum_level level, void *r)   \
    {                                                                                              \
        return samesum_##name##_##suffix((const elem *)x, n, level, (acc *)r);                     \
    }
#define DOT(suffix, elem, acc)                                                                     \
    static samesum_status dot_##suffix(const void *x, const void *y, size_t n,                     \
                                       samesum_level level, void *r)                               \
    {                                                                                              \
        return samesum_dot_##suffix((const elem *)x, (const elem *)y, n, level, (acc *)r);         \
    }
#define VAR(name, suffix, elem, acc)                                                               \
    static samesum_status name##_##suffix(const void *x, size_t n, unsigned ddof,                  \
                                          samesum_level level, void *r)                            \
    {                                                                                              \
        return samesum_##name##_##suffix((const elem *)x, n, ddof, level, (acc *)r);               \
    }
#define MIN(name, suffix, elem, acc)                                                               \
    static samesum_status name##_##suffix(const void *x, size_t n, samesum_nan nan, void *r)       \
    {                                                                                              \
        return samesum_##name##_##suffix((const elem *)x, n, nan, (acc *)r);                       \
    }
#define COMPLEX(...)                                                                               \
    SUM(sum, __VA_ARGS__)                                                                          \
    SUM(sumsq, __VA_ARGS__)                                                                        \
    SUM(nrm2, __VA_ARGS__)                                                                         \
    SUM(mean, __VA_ARGS__)                                                                         \
    DOT(__VA_ARGS__)
#define REAL(...)                                                                                  \
    COMPLEX(__VA_ARGS__)                                                                           \
    SUM(asum, __VA_ARGS__)                                                                         \
    VAR(var, __VA_ARGS__)                                                                          \
    VAR(std, __VA_ARGS__)
#define EXTREMES(suffix, type)                                                                     \
    MIN(min, suffix, type, type)                                                                   \
    MIN(max, suffix, type, type)                                                                   \
    MIN(minmax, suffix, type, type)                                                                \
    MIN(argmin, suffix, type, uint64_t)                                                            \
    MIN(argmax, suffix, type, uint64_t)
REAL(f64, double, double)
REAL(f32, float, float)
REAL(f32_wide, float, double)
REAL(f16, samesum_f16, float)
REAL(bf16, samesum_bf16, float)
COMPLEX(c64, float, float)
COMPLEX(c128, double, double)
EXTREMES(f64, double)
EXTREMES(f32, float)

/* Those of one type, by operation. */
struct calls {
    sum_call *sum[SAMESUM_STD + 1]; /* sum, asum, sumsq, nrm2, mean */
    dot_call *dot;
    var_call *var, *std;
    min_call *min[SAMESUM_MINMAX + 1];
};
#define COMPLEX_CALLS(s)                                                                           \
    .sum[SAMESUM_SUM] = sum_##s, .sum[SAMESUM_SUMSQ] = sumsq_##s, .sum[SAMESUM_NRM2] = nrm2_##s,   \
    .sum[SAMESUM_MEAN] = mean_##s, .dot = dot_##s
#define REAL_CALLS(s)                                                                              \
    COMPLEX_CALLS(s), .sum[SAMESUM_ASUM] = asum_##s, .var = var_##s, .std = std_##s
#define EXTREME_CALLS(s)                                                                           \
    .min[SAMESUM_MIN] = min_##s, .min[SAMESUM_MAX] = max_##s, .min[SAMESUM_ARGMIN] = argmin_##s,   \
    .min[SAMESUM_ARGMAX] = argmax_##s, .min[SAMESUM_MINMAX] = minmax_##s
static const struct calls all_calls[] = {
    [SAMESUM_F64] = {REAL_CALLS(f64), EXTREME_CALLS(f64)},
    [SAMESUM_F32] = {REAL_CALLS(f32), EXTREME_CALLS(f32)},
    [SAMESUM_F32_WIDE] = {REAL_CALLS(f32_wide)},
    [SAMESUM_F16] = {REAL_CALLS(f16)},
    [SAMESUM_BF16] = {REAL_CALLS(bf16)},
    [SAMESUM_C64] = {COMPLEX_CALLS(c64)},
    [SAMESUM_C128] = {COMPLEX_CALLS(c128)},
};

/* Calls it by name where it has one; false where it has none. */
static bool by_name(const struct cell *cell, const void *x, const void *y, size_t n, void *result,
                    samesum_status *status)
{
    const struct calls *calls = &all_calls[cell->type];
    if (cell_extreme(cell)) {
        min_call *call = calls->min[cell->op];
        *status = call ? call(x, n, cell->nan, result) : SAMESUM_OK;
        return call != NULL;
    }
    switch (cell->op) {
    case SAMESUM_DOT:
        *status = calls->dot(x, y, n, cell->level, result);
        return true;
    case SAMESUM_VAR:
        *status = calls->var(x, n, cell->ddof, cell->level, result);
        return true;
    case SAMESUM_STD:
        *status = calls->std(x, n, cell->ddof, cell->level, result);
        return true;
    default:
        *status = calls->sum[cell->op](x, n, cell->level, result);
        return true;
    }
}

START_TEST(calls_by_name)
{
    static const size_t lengths[] = {0, 1, 2, 37, 4099, 140001};
    int called = 0;
    for (int c = 0; c < CELLS; c++) {
        struct cell cell = cell_at(c);
        if (cell_refusal(&cell, NULL) != SAMESUM_OK || cell.conj || cell.weighted ||
            cell.result == SAMESUM_RESULT_INPUT) {
            continue;
        }
        for (size_t l = 0; l < by_depth(3, 5, 6); l++) {
            size_t bytes = result_bytes(&cell), n = lengths[l];
            char named[16], general[16];
            memset(named, 0x5a, 16);
            memset(general, 0x5a, 16);
            struct grid grid;
            cell.ddof = (unsigned)l % 3;
            cell.nan = (samesum_nan)(l % 2);
            grid_make(&grid, cell.type, 1, &n);
            grid_operands(&grid, &cell, LAYOUT_PLAIN, (enum style)((size_t)c / 4 % STYLES));
            samesum_data data = {.x = grid.array.x, .y = grid.array.y, .n = n, .type = cell.type};
            samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 0);
            samesum_status status = SAMESUM_OK;
            if (by_name(&cell, data.x, data.y, n, named, &status)) {
                ck_assert_int_eq(samesum_reduce(&data, &want, general, NULL), status);
                compare_values(&cell, named, general, bytes, n, SAMESUM_BACKEND_AUTO, 0, "by name");
                ck_assert(memcmp(named + bytes, general + bytes, 16 - bytes) == 0);
                called++;
            }
            grid_free(&grid);
        }
    }
    ck_assert_int_gt(called, 100);
    all_were_same();
}
END_TEST

/* ---- bad arguments ---- */

/* One call that works; each test spoils one thing of a copy. */
struct call {
    samesum_array array;
    samesum_want want;
    const int *axes;
    int axis_count;
    bool no_array, no_want, no_results;
};

static const double numbers[6] = {3, 1, 2, 6, 5, 4};
static const size_t shape23[2] = {2, 3};
static const unsigned char keep_all[6] = {1, 1, 1, 1, 1, 1};

static struct call good(void)
{
    static const int last = -1;
    return (struct call){.array = {.x = numbers, .type = SAMESUM_F64, .dims = 2, .shape = shape23},
                         .want = {.op = SAMESUM_SUM, .threads = 1},
                         .axes = &last,
                         .axis_count = 1};
}

static unsigned char results[64], untouched[sizeof(samesum_counts) * 4];
static samesum_counts counts[4];
static samesum_ran ran;

static void reset(void)
{
    memset(results, 0x5a, sizeof results);
    memset(counts, 0x5a, sizeof counts);
    memset(untouched, 0x5a, sizeof untouched);
    ran = (samesum_ran){SAMESUM_BACKEND_NEON, 77};
}

static void nothing_written(const char *what)
{
    ck_assert_msg(memcmp(results, untouched, sizeof results) == 0 &&
                      memcmp(counts, untouched, sizeof counts) == 0 &&
                      ran.backend == SAMESUM_BACKEND_NEON && ran.threads == 77,
                  "%s: something was written", what);
}

static samesum_status run(const struct call *call)
{
    reset();
    return samesum_reduce_array(call->no_array ? NULL : &call->array, call->axes, call->axis_count,
                                call->no_want ? NULL : &call->want,
                                call->no_results ? NULL : results, counts, &ran);
}

static void refused(const char *what, struct call call, samesum_status status)
{
    samesum_status got = run(&call);
    ck_assert_msg(got == status, "%s: %d (%s), not %d", what, got, samesum_strerror(got), status);
    nothing_written(what);
}

static void accepted(const char *what, struct call call)
{
    samesum_status got = run(&call);
    ck_assert_msg(got == SAMESUM_OK, "%s: %d (%s)", what, got, samesum_strerror(got));
}

/* refused(), with the call named c and spoilt by the statement at the end. */
#define SPOILT(c, what, status, ...)                                                               \
    do {                                                                                           \
        struct call c = good();                                                                    \
        __VA_ARGS__;                                                                               \
        refused(what, c, status);                                                                  \
    } while (0)

START_TEST(null_pointers)
{
    accepted("the call that is spoilt below", good());
    SPOILT(c, "no array", SAMESUM_ERR_NULL, c.no_array = true);
    SPOILT(c, "no want", SAMESUM_ERR_NULL, c.no_want = true);
    SPOILT(c, "no results", SAMESUM_ERR_NULL, c.no_results = true);
    SPOILT(c, "no x", SAMESUM_ERR_NULL, c.array.x = NULL);
    SPOILT(c, "no y", SAMESUM_ERR_NULL, c.want.op = SAMESUM_DOT);
    SPOILT(c, "no shape", SAMESUM_ERR_NULL, c.array.shape = NULL);
    SPOILT(c, "no mask", SAMESUM_ERR_NULL, c.array.mask_kind = SAMESUM_MASK_BYTES);
    SPOILT(c, "no bits", SAMESUM_ERR_NULL, c.array.mask_kind = SAMESUM_MASK_BITS);
    SPOILT(c, "no axes", SAMESUM_ERR_NULL, c.axes = NULL);
    struct call call = good();
    call.array.dims = 0;
    call.array.shape = NULL;
    call.axis_count = 0;
    accepted("one element without a shape", call);
    size_t count = 5;
    ck_assert_int_eq(samesum_array_results(NULL, NULL, 0, &count), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_array_results(&call.array, NULL, 0, NULL), SAMESUM_ERR_NULL);
    ck_assert_uint_eq(count, 5);
}
END_TEST

START_TEST(enumerators)
{
    static const int unknown[] = {-1, INT_MIN, INT_MAX, 1000};
    for (int i = 0; i < 4; i++) {
        int u = unknown[i];
        SPOILT(c, "op", SAMESUM_ERR_OP, c.want.op = (samesum_op)u);
        SPOILT(c, "type", SAMESUM_ERR_TYPE, c.array.type = (samesum_type)u);
        SPOILT(c, "level", SAMESUM_ERR_LEVEL, c.want.level = (samesum_level)u);
        SPOILT(c, "backend", SAMESUM_ERR_BACKEND, c.want.backend = (samesum_backend)u);
        SPOILT(c, "result", SAMESUM_ERR_OPTION, c.want.result = (samesum_result_type)u);
        SPOILT(c, "mask", SAMESUM_ERR_OPTION, c.array.mask = keep_all;
               c.array.mask_kind = (samesum_mask_kind)u);
        SPOILT(c, "missing", SAMESUM_ERR_OPTION, c.array.missing = (samesum_missing)u);
        SPOILT(c, "nan", SAMESUM_ERR_OPTION, c.want.op = SAMESUM_MIN; c.want.nan = (samesum_nan)u);
        struct call call = good();
        call.want.op = SAMESUM_MAX;
        call.want.level = (samesum_level)u;
        accepted("max does not look at the level", call);
        call = good();
        call.want.nan = (samesum_nan)u;
        accepted("sum does not look at the policy", call);
    }
    SPOILT(c, "op", SAMESUM_ERR_OP, c.want.op = (samesum_op)(SAMESUM_MINMAX + 1));
    SPOILT(c, "type", SAMESUM_ERR_TYPE, c.array.type = (samesum_type)(SAMESUM_C128 + 1));
    SPOILT(c, "level", SAMESUM_ERR_LEVEL, c.want.level = (samesum_level)(SAMESUM_EXACT + 1));
    SPOILT(c, "result", SAMESUM_ERR_OPTION, c.want.result = (samesum_result_type)2);
    SPOILT(c, "missing", SAMESUM_ERR_OPTION, c.array.missing = (samesum_missing)3);
    SPOILT(c, "threads", SAMESUM_ERR_THREADS, c.want.threads = -1);
#if defined(__x86_64__)
    SPOILT(c, "a backend not here", SAMESUM_ERR_UNAVAILABLE, c.want.backend = SAMESUM_BACKEND_NEON);
#endif
}
END_TEST

START_TEST(choices_that_do_not_go_together)
{
    for (int op = SAMESUM_SUM; op <= SAMESUM_MINMAX; op++) {
        bool weighs = op == SAMESUM_SUM || op == SAMESUM_MEAN;
        struct call call = good();
        call.array.y = call.array.weights = numbers;
        call.want.op = (samesum_op)op;
        if (weighs) {
            accepted("weights of a sum or a mean", call);
        } else {
            refused("weights of another operation", call, SAMESUM_ERR_OPTION);
        }
        SPOILT(c, "conj of real data", SAMESUM_ERR_OPTION, c.array.y = numbers;
               c.want.op = (samesum_op)op; c.want.conj = 1);
    }
    static const size_t two[1] = {2};
    SPOILT(c, "conj of a sum", SAMESUM_ERR_OPTION, c.array.type = SAMESUM_C128; c.array.dims = 1;
           c.array.shape = two; c.want.conj = 1);
    SPOILT(c, "weights of complex data", SAMESUM_ERR_OPTION, c.array.type = SAMESUM_C128;
           c.array.dims = 1; c.array.shape = two; c.array.weights = numbers);
    SPOILT(c, "wide in the input's type", SAMESUM_ERR_OPTION, c.array.type = SAMESUM_F32_WIDE;
           c.want.result = SAMESUM_RESULT_INPUT);
}
END_TEST

START_TEST(shapes_that_cannot_be)
{
    static const size_t many[SAMESUM_MAX_DIMS + 1] = {1}, huge[2] = {(size_t)1 << 31, SIZE_MAX},
                                                more[2] = {(size_t)1 << 31, ((size_t)1 << 31) + 1},
                                                wrap[2] = {(size_t)1 << 32, (size_t)1 << 32};
    static const int twice[] = {0, 0}, twice_from_end[] = {1, -1}, far[] = {2}, back[] = {-3},
                     three[] = {0, 1, 0};
    SPOILT(c, "-1 dimensions", SAMESUM_ERR_SHAPE, c.array.dims = -1);
    SPOILT(c, "33 dimensions", SAMESUM_ERR_SHAPE, c.array.dims = SAMESUM_MAX_DIMS + 1;
           c.array.shape = many);
    SPOILT(c, "2^62 + 2^31 elements", SAMESUM_ERR_SHAPE, c.array.shape = more);
    SPOILT(c, "2^95 elements", SAMESUM_ERR_SHAPE, c.array.shape = huge);
    SPOILT(c, "2^64 elements", SAMESUM_ERR_SHAPE, c.array.shape = wrap);
    SPOILT(c, "axis 2 of 2", SAMESUM_ERR_SHAPE, c.axes = far);
    SPOILT(c, "axis -3 of 2", SAMESUM_ERR_SHAPE, c.axes = back);
    SPOILT(c, "axis 0 twice", SAMESUM_ERR_SHAPE, c.axes = twice; c.axis_count = 2);
    SPOILT(c, "axes 1 and -1", SAMESUM_ERR_SHAPE, c.axes = twice_from_end; c.axis_count = 2);
    SPOILT(c, "three axes of two", SAMESUM_ERR_SHAPE, c.axes = three; c.axis_count = 3);
    SPOILT(c, "-1 axes", SAMESUM_ERR_SHAPE, c.axis_count = -1);
    struct call call = good();
    size_t count = 5;
    call.array.shape = wrap;
    ck_assert_int_eq(samesum_array_results(&call.array, NULL, 0, &count), SAMESUM_ERR_SHAPE);
    call = good();
    ck_assert_int_eq(samesum_array_results(&call.array, far, 1, &count), SAMESUM_ERR_SHAPE);
    ck_assert_int_eq(samesum_array_results(&call.array, twice, 2, &count), SAMESUM_ERR_SHAPE);
    ck_assert_uint_eq(count, 5);
}
END_TEST

static samesum_status segments(const samesum_array *array, const size_t *offsets, size_t n,
                               const samesum_want *want, void *to)
{
    reset();
    return samesum_reduce_segments(array, offsets, n, want, to, counts, &ran);
}

START_TEST(segments_that_cannot_be)
{
    static const size_t six[1] = {6}, fine[] = {0, 2, 6}, down[] = {0, 4, 3}, far[] = {0, 2, 7},
                        wrap[] = {5, SIZE_MAX, 6};
    samesum_array a = {.x = numbers, .type = SAMESUM_F64, .dims = 1, .shape = six}, b = a;
    samesum_want want = {.op = SAMESUM_SUM};
    ck_assert_int_eq(segments(&a, fine, 2, &want, results), SAMESUM_OK);
    const double sums[2] = {4, 17};
    ck_assert(memcmp(results, sums, sizeof sums) == 0 && results[sizeof sums] == 0x5a);
    const struct {
        const char *what;
        const size_t *offsets;
        samesum_status status;
    } wrong[] = {{"no offsets", NULL, SAMESUM_ERR_NULL},
                 {"descending offsets", down, SAMESUM_ERR_SHAPE},
                 {"an offset behind the end", far, SAMESUM_ERR_SHAPE},
                 {"an offset of 2^64 - 1", wrap, SAMESUM_ERR_SHAPE}};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(segments(&a, wrong[i].offsets, 2, &want, results), wrong[i].status);
        nothing_written(wrong[i].what);
    }
    b.dims = 2;
    b.shape = shape23;
    ck_assert_int_eq(segments(&b, fine, 2, &want, results), SAMESUM_ERR_SHAPE);
    nothing_written("two dimensions");
    b.dims = 0;
    ck_assert_int_eq(segments(&b, fine, 2, &want, results), SAMESUM_ERR_SHAPE);
    nothing_written("no dimension");
    ck_assert_int_eq(segments(NULL, fine, 2, &want, results), SAMESUM_ERR_NULL);
    nothing_written("no array");
    ck_assert_int_eq(segments(&a, fine, 2, NULL, results), SAMESUM_ERR_NULL);
    nothing_written("no want");
    ck_assert_int_eq(segments(&a, fine, 2, &want, NULL), SAMESUM_ERR_NULL);
    b = a;
    b.x = NULL;
    ck_assert_int_eq(segments(&b, fine, 2, &want, results), SAMESUM_ERR_NULL);
    nothing_written("no x");
    b = a;
    b.type = SAMESUM_C128;
    want.op = SAMESUM_VAR;
    ck_assert_int_eq(segments(&b, fine, 2, &want, results), SAMESUM_ERR_OP);
    nothing_written("var of complex data");
}
END_TEST

/* argmin and argmax of an empty row: an error that, unlike all others, writes. */
START_TEST(extremes_of_nothing)
{
    static const size_t six[1] = {6}, offsets[] = {0, 2, 2, 6};
    static const unsigned char keep[6] = {0, 0, 0, 1, 1, 1};
    samesum_array a = {.x = numbers, .type = SAMESUM_F64, .dims = 1, .shape = six};
    samesum_want want = {.op = SAMESUM_ARGMAX};
    uint64_t index[3];
    ck_assert_int_eq(segments(&a, offsets, 3, &want, results), SAMESUM_ERR_EMPTY);
    memcpy(index, results, sizeof index);
    ck_assert(index[0] == 0 && index[1] == UINT64_MAX && index[2] == 1);
    struct call call = good();
    call.want.op = SAMESUM_ARGMIN;
    call.array.mask_kind = SAMESUM_MASK_BYTES;
    call.array.mask = keep;
    ck_assert_int_eq(run(&call), SAMESUM_ERR_EMPTY);
    memcpy(index, results, 2 * sizeof *index);
    ck_assert(index[0] == UINT64_MAX && index[1] == 2);
    ck_assert(counts[0].present == 0 && counts[0].masked == 3 && counts[1].present == 3);
    call.want.op = SAMESUM_MIN;
    ck_assert_int_eq(run(&call), SAMESUM_NO_VALUE);
    double least[2];
    memcpy(least, results, sizeof least);
    ck_assert(bits_of_double(least[0]) == nan_bits(SAMESUM_F64) && least[1] == 4);
}
END_TEST

Suite *suite_calls(void)
{
    TCase *tests;
    Suite *suite = new_suite("calls", &tests);
    tcase_add_test(tests, calls_by_name);
    tcase_add_test(tests, null_pointers);
    tcase_add_test(tests, enumerators);
    tcase_add_test(tests, choices_that_do_not_go_together);
    tcase_add_test(tests, shapes_that_cannot_be);
    tcase_add_test(tests, segments_that_cannot_be);
    tcase_add_test(tests, extremes_of_nothing);
    return suite;
}
