/* suite_cases.c - cases of people who were hurt, each with its right value: sums that stall, means
 * outside of the data, half precision, NaN in minima, non-finite values in large data. */
#include "elements.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double inf = HUGE_VAL;

/* One result of one call on a vector, on every backend and with one and two threads. */
static void gives(const char *name, samesum_want want, samesum_array array, uint64_t expected)
{
    struct what what = {.op = want.op, .type = array.type, .level = want.level, .data = name};
    size_t bytes = samesum_result_bytes(&want, array.type);
    what.n = array.shape[0];
    for (int b = 0; b < backend_count(); b++) {
        for (what.threads = 1; what.threads < 3; what.threads++) {
            uint64_t got = 0;
            want.backend = what.backend = backend_at(b);
            want.threads = what.threads;
            ck_assert_uint_le(bytes, sizeof got);
            ck_assert_int_eq(samesum_reduce_array(&array, NULL, 0, &want, &got, NULL, NULL),
                             SAMESUM_OK);
            same(&what, got, expected);
        }
    }
}

/* A binary32 sum that stalls at 2^24: 16777216, then 1000 ones; also as a column of two. */
START_TEST(stalled_sum)
{
    enum { N = 1001 };
    float alone[N], pairs[N][2];
    static const size_t shape[2] = {N, 2};
    static const ptrdiff_t pair[1] = {2 * sizeof(float)};
    for (int i = 0; i < N; i++) {
        alone[i] = pairs[i][0] = i == 0 ? 16777216.0f : 1.0f;
        pairs[i][1] = (float)NAN;
    }
    for (int level = SAMESUM_COMPENSATED; level <= SAMESUM_EXACT; level++) {
        samesum_want want = {.op = SAMESUM_SUM, .level = (samesum_level)level};
        samesum_array a = {.x = alone, .type = SAMESUM_F32, .dims = 1, .shape = shape};
        gives("stall", want, a, bits_of_float(16778216.0f));
        a.x = pairs;
        a.strides = pair;
        gives("stall, column 0 of 2", want, a, bits_of_float(16778216.0f));
        a.strides = NULL;
        a.dims = 2;
        int axis = 0;
        float columns[2];
        ck_assert_int_eq(samesum_reduce_array(&a, &axis, 1, &want, columns, NULL, NULL),
                         SAMESUM_OK);
        ck_assert(columns[0] == 16778216.0f && isnan(columns[1]));
    }
    all_were_same();
}
END_TEST

/* 4,000,000 binary32 numbers, 13090 and 13110 in turns. */
START_TEST(mean_outside_of_the_data)
{
    size_t n = by_depth(4000, 400000, 4000000);
    float *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) {
        x[i] = i % 2 ? 13110.0f : 13090.0f;
    }
    samesum_array a = {.x = x, .type = SAMESUM_F32, .dims = 1, .shape = &n};
    for (int level = SAMESUM_COMPENSATED; level <= SAMESUM_EXACT; level++) {
        samesum_want want = {.op = SAMESUM_MEAN, .level = (samesum_level)level};
        gives("13090, 13110", want, a, bits_of_float(13100.0f));
    }
    samesum_want want = {.op = SAMESUM_STD, .level = SAMESUM_EXACT};
    gives("13090, 13110", want, a, bits_of_float(10.0f));
    free(x);
    all_were_same();
}
END_TEST

/* n copies of one half, in a vector whose stride is zero and in one that is contiguous. */
static void copies(samesum_type type, double value, size_t n, samesum_want want, uint64_t expected)
{
    static const ptrdiff_t repeat[1] = {0};
    uint16_t *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) {
        x[i] = half_bits(type, value);
    }
    samesum_array a = {.x = x, .type = type, .dims = 1, .shape = &n};
    gives("copies", want, a, expected);
    a.strides = repeat;
    gives("one element repeated", want, a, expected);
    free(x);
}

START_TEST(half_precision)
{
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        samesum_want want = {.op = SAMESUM_MEAN, .level = (samesum_level)level};
        copies(SAMESUM_F16, 1.0, 70000, want, bits_of_float(1.0f));
        want.result = SAMESUM_RESULT_INPUT;
        copies(SAMESUM_F16, 1.0, 70000, want, 0x3c00);
        want.op = SAMESUM_SUM;
        static const size_t ones[] = {1001, 1002, 1003, 65519, 65520};
        static const double sums[] = {1000, 1000, 1004};
        for (int i = 0; i < 3; i++) {
            copies(SAMESUM_BF16, 1.0, ones[i], want, half_bits(SAMESUM_BF16, sums[i]));
        }
        copies(SAMESUM_F16, 1.0, ones[3], want, 0x7bff); /* 65504 */
        copies(SAMESUM_F16, 1.0, ones[4], want, 0x7c00); /* +inf */
        want.result = SAMESUM_RESULT_ACCUMULATOR;
        copies(SAMESUM_F16, 1.0, ones[4], want, bits_of_float(65520.0f));
        /* 4 * 32000, then 4 * -32000: no partial sum overflows in binary32 */
        uint16_t x[8];
        size_t eight = 8;
        for (int i = 0; i < 8; i++) {
            x[i] = half_bits(SAMESUM_F16, i < 4 ? 32000.0 : -32000.0);
        }
        samesum_array a = {.x = x, .type = SAMESUM_F16, .dims = 1, .shape = &eight};
        gives("4 * 32000, 4 * -32000", want, a, 0);
        want.result = SAMESUM_RESULT_INPUT;
        gives("4 * 32000, 4 * -32000", want, a, 0);
    }
    all_were_same();
}
END_TEST

/* The extremes of n real elements by a plain loop. index: where the first winner is. */
static double extreme(const double *x, size_t n, bool max, samesum_nan nan, uint64_t *index)
{
    double best = (double)NAN;
    *index = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        bool first = *index == UINT64_MAX || (nan == SAMESUM_NAN_IGNORE && isnan(best));
        double a = max ? -x[i] : x[i], b = max ? -best : best;
        bool below = a < b || (a == b && signbit(a) && !signbit(b));
        if (isnan(x[i]) ? *index == UINT64_MAX || (nan == SAMESUM_NAN_PROPAGATE && !isnan(best))
                        : (first || below) && !(nan == SAMESUM_NAN_PROPAGATE && isnan(best) &&
                                                *index != UINT64_MAX)) {
            best = x[i];
            *index = i;
        }
    }
    return best;
}

static uint64_t part_bits(samesum_type type, double value)
{
    return type == SAMESUM_F64 || type == SAMESUM_F32_WIDE
               ? (isnan(value) ? nan_bits(SAMESUM_F64) : bits_of_double(value))
           : isnan(value) ? nan_bits(SAMESUM_F32)
                          : bits_of_float((float)value);
}

/* All five operations, both policies, on elements that every type holds. */
static void extremes(const char *name, const double *values, size_t n)
{
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        char *x = malloc(n * 8);
        ck_assert_ptr_nonnull(x);
        samesum_array a = {.x = x, .type = (samesum_type)type, .dims = 1, .shape = &n};
        for (size_t i = 0; i < n; i++) {
            store_part(a.type, x + i * element_bytes(a.type), 0, values[i]);
        }
        for (int nan = SAMESUM_NAN_PROPAGATE; nan <= SAMESUM_NAN_IGNORE; nan++) {
            samesum_want want = {.nan = (samesum_nan)nan};
            uint64_t index[2], bits[2];
            for (int max = 0; max < 2; max++) {
                double best = extreme(values, n, max, want.nan, &index[max]);
                bits[max] = part_bits(a.type, best);
                want.op = max ? SAMESUM_MAX : SAMESUM_MIN;
                gives(name, want, a, bits[max]);
                want.op = max ? SAMESUM_ARGMAX : SAMESUM_ARGMIN;
                gives(name, want, a, index[max]);
            }
            want.op = SAMESUM_MINMAX;
            for (int b = 0; b < backend_count(); b++) {
                uint64_t both[2] = {0, 0};
                size_t bytes = samesum_result_bytes(&want, a.type) / 2;
                struct what what = {.op = want.op, .type = a.type, .n = n, .data = name};
                want.backend = what.backend = backend_at(b);
                char result[16] = {0};
                ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, result, NULL, NULL),
                                 SAMESUM_OK);
                memcpy(&both[0], result, bytes);
                memcpy(&both[1], result + bytes, bytes);
                same(&what, both[0], bits[0]);
                same(&what, both[1], bits[1]);
            }
        }
        free(x);
    }
}

START_TEST(nan_in_extremes)
{
    double x[70];
    for (size_t n = 1; n <= by_depth(3, 34, 70); n++) {
        for (size_t at = 0; at < n; at++) {
            for (size_t i = 0; i < n; i++) {
                x[i] = (double)(i * 7 % 5) - 2;
            }
            x[at] = at % 2 ? (double)NAN : -(double)NAN;
            extremes("one NaN", x, n);
        }
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)NAN;
        }
        extremes("all NaN", x, n);
        for (size_t i = 0; i < n; i++) {
            x[i] = i % 3 == n % 3 ? -0.0 : 0.0;
        }
        extremes("zeros", x, n);
        x[n / 2] = inf;
        x[n / 3] = -inf;
        extremes("infinities", x, n);
    }
    const double zeros[] = {0.0, -0.0, 0.0};
    extremes("+0, -0", zeros, 2);
    extremes("-0, +0", zeros + 1, 2);
    all_were_same();
}
END_TEST

/* One zero of the other sign, one NaN or one least number among zeros, segments apart. */
START_TEST(alone_in_large_data)
{
    static const double others[] = {-0.0, (double)NAN, -1.0};
    size_t n = 13000, places[] = {0, 1, 4095, 4096, 8191, 9000, 12999};
    double *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (int negative = 0; negative < 2; negative++) {
        for (size_t p = 0; p < by_depth(1, 7, 7); p++) {
            for (int other = 0; other < 3; other++) {
                for (size_t i = 0; i < n; i++) {
                    x[i] = negative ? -0.0 : 0.0;
                }
                x[places[p]] = negative ? -others[other] : others[other];
                extremes("alone in large data", x, n);
            }
        }
    }
    free(x);
    all_were_same();
}
END_TEST

/* A million numbers with a NaN at 777777 and an infinity at 5. */
START_TEST(nonfinite_values_are_counted)
{
    size_t n = by_depth(0, 1000000, 1000000);
    for (int type = 0; n > 0 && type <= SAMESUM_C128; type++) {
        samesum_type t = (samesum_type)type;
        size_t bytes = element_bytes(t);
        char *x = malloc(n * bytes);
        ck_assert_ptr_nonnull(x);
        fill_elements(t, STYLE_NEAR, n, x);
        store_part(t, x + 777777 * bytes, 0, (double)NAN);
        store_part(t, x + 5 * bytes, type >= SAMESUM_C64, inf); /* complex: the imaginary part */
        samesum_array a = {.x = x, .type = t, .dims = 1, .shape = &n};
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            for (int threads = 1; threads < 4; threads++) {
                samesum_want want = {.level = (samesum_level)level, .threads = threads};
                want.backend = backend_at((level + threads) % backend_count());
                samesum_counts counts;
                double sum[2];
                ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, sum, &counts, NULL),
                                 SAMESUM_OK);
                ck_assert(counts.present == n && counts.masked == 0);
                ck_assert(counts.nonfinite[0] == 2 && counts.first[0] == 5);
                ck_assert(counts.nonfinite[1] == 0 && counts.first[1] == UINT64_MAX);
            }
        }
        a.missing = SAMESUM_MISSING_NAN;
        samesum_want want = {.op = SAMESUM_MEAN};
        samesum_counts counts;
        double mean[2];
        ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, mean, &counts, NULL), SAMESUM_OK);
        ck_assert(counts.present == n - 1 && counts.masked == 1 && counts.nonfinite[0] == 1 &&
                  counts.first[0] == 5);
        free(x);
    }
}
END_TEST

/* A fill value that the elements' type rounds: binary32's -1e34. */
START_TEST(fill_value)
{
    float x[] = {1, -1e34f, 2, 3, -1e34f};
    size_t five = 5;
    samesum_array a = {.x = x,
                       .type = SAMESUM_F32,
                       .dims = 1,
                       .shape = &five,
                       .missing = SAMESUM_MISSING_VALUE,
                       .missing_value = -1e34};
    samesum_want want = {.op = SAMESUM_MEAN, .level = SAMESUM_COMPENSATED};
    samesum_counts counts;
    float mean;
    gives("-1e34 is missing", want, a, bits_of_float(2));
    ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, &mean, &counts, NULL), SAMESUM_OK);
    ck_assert(counts.present == 3 && counts.masked == 2);
    want.op = SAMESUM_ARGMIN;
    gives("-1e34 is missing", want, a, 0);
    want.op = SAMESUM_ARGMAX;
    gives("-1e34 is missing", want, a, 3); /* the index counts what is missing */
    all_were_same();
}
END_TEST

Suite *suite_cases(void)
{
    TCase *tests;
    Suite *suite = new_suite("cases", &tests);
    tcase_add_test(tests, stalled_sum);
    tcase_add_test(tests, mean_outside_of_the_data);
    tcase_add_test(tests, half_precision);
    tcase_add_test(tests, nan_in_extremes);
    tcase_add_test(tests, alone_in_large_data);
    tcase_add_test(tests, nonfinite_values_are_counted);
    tcase_add_test(tests, fill_value);
    return suite;
}
