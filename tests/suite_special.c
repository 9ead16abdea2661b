/* suite_special.c - infinities, NaN, signed zeros, overflow (reference/SPEC.md section 5). */
#include "suites.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a handful of values gives: every backend, thread count and type, whole and streamed. */
static void gives(const char *name, samesum_op op, samesum_level level, const double *values,
                  const double *others, size_t n, double expected)
{
    double x[64], y[64];
    for (int type = 0; type < TYPES; type++) {
        struct what what = {.op = op, .type = (samesum_type)type, .level = level, .data = name};
        what.n = n;
        for (size_t i = 0; i < n; i++) {
            set_element(what.type, x, i, values[i]);
            set_element(what.type, y, i, others ? others[i] : 1.0);
        }
        uint64_t bits = isnan(expected) ? nan_bits(what.type) : result_bits(what.type, expected);
        same(&what, reference(&what, x, y), bits);
        for (int b = 0; b < backend_count(); b++) {
            what.backend = backend_at(b);
            for (what.threads = 0; what.threads < 3; what.threads++) {
                same(&what, library(&what, x, y, NULL), bits);
                same(&what, streamed(&what, x, y, 1), bits);
            }
        }
    }
}

static const double inf = HUGE_VAL;

START_TEST(infinities_stay)
{
    double nan = (double)NAN;
    const struct {
        double x[3];
        size_t n;
        double sum, asum;
    } cases[] = {
        {{inf, 1}, 2, inf, inf},    {{1, inf}, 2, inf, inf},       {{-inf, 1}, 2, -inf, inf},
        {{inf, inf}, 2, inf, inf},  {{-inf, -inf}, 2, -inf, inf},  {{-inf, 5, -inf}, 3, -inf, inf},
        {{inf, -inf}, 2, nan, inf}, {{-inf, 1, inf}, 3, nan, inf}, {{nan, inf}, 2, nan, nan},
        {{inf, nan}, 2, nan, nan},  {{nan}, 1, nan, nan},          {{inf}, 1, inf, inf},
        {{-inf}, 1, -inf, inf},
    };
    for (int level = 0; level < LEVELS; level++) {
        samesum_level l = (samesum_level)level;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            gives("infinities", SAMESUM_SUM, l, cases[i].x, NULL, cases[i].n, cases[i].sum);
            gives("infinities", SAMESUM_DOT, l, cases[i].x, NULL, cases[i].n, cases[i].sum);
            gives("infinities", SAMESUM_ASUM, l, cases[i].x, NULL, cases[i].n, cases[i].asum);
            gives("infinities", SAMESUM_SUMSQ, l, cases[i].x, NULL, cases[i].n, cases[i].asum);
        }
        const double x[] = {1, inf, 1}, zero[] = {1, 0, 1};
        gives("inf * 0", SAMESUM_DOT, l, x, zero, 3, nan);
    }
    all_were_same();
}
END_TEST

/* One infinity, or two of either sign, at every place of a few rows and segments. */
START_TEST(infinities_anywhere)
{
    size_t n = by_depth(40, 70, 8300), step = depth == DEPTH_FULL ? 61 : 1;
    double *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (int k = 0; k < KINDS; k++) {
        struct what what = kind(k);
        for (size_t at = 0; at < n; at += step) {
            for (size_t i = 0; i < n; i++) {
                set_element(what.type, x, i, i % 3 ? 1.5 : -0.75);
            }
            set_element(what.type, x, at, inf);
            what.n = n;
            what.data = "one infinity";
            for (int b = 0; b < backend_count(); b++) {
                what.backend = backend_at(b);
                same(&what, library(&what, x, x, NULL), result_bits(what.type, inf));
            }
            if (n - 1 - at != at && what.op == SAMESUM_SUM) {
                set_element(what.type, x, n - 1 - at, -inf);
                what.data = "two infinities";
                same(&what, library(&what, x, x, NULL), nan_bits(what.type));
            }
        }
    }
    free(x);
    all_were_same();
}
END_TEST

START_TEST(infinities_two_million_apart)
{
    size_t n = 2000002;
    double *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (int k = 0; k < KINDS; k++) {
        struct what what = kind(k);
        if (what.op != SAMESUM_SUM && what.op != SAMESUM_ASUM) {
            continue;
        }
        what.n = n;
        what.data = "infinities far apart";
        for (size_t i = 0; i < n; i++) {
            set_element(what.type, x, i, 1.0);
        }
        for (int signs = 0; signs < 4; signs++) {
            double first = signs & 1 ? -inf : inf, last = signs & 2 ? -inf : inf;
            set_element(what.type, x, 1, first);
            set_element(what.type, x, n - 1, last);
            bool differ = signs == 1 || signs == 2;
            uint64_t expected = what.op == SAMESUM_ASUM ? result_bits(what.type, inf)
                                : differ                ? nan_bits(what.type)
                                                        : result_bits(what.type, first);
            for (what.threads = 1; what.threads <= 4; what.threads++) {
                same(&what, library(&what, x, NULL, NULL), expected);
            }
        }
    }
    free(x);
    all_were_same();
}
END_TEST

/* Quiet, signalling, negative and odd NaNs give the one canonical NaN. */
START_TEST(nan_is_canonical)
{
    static const uint64_t wide[] = {UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000),
                                    UINT64_C(0x7ff0000000000001), UINT64_C(0xfff0000000000001),
                                    UINT64_C(0x7fffffffffffffff), UINT64_C(0xfff8deadbeef1234)};
    static const uint32_t narrow[] = {0x7fc00000, 0xffc00000, 0x7f800001,
                                      0xff800001, 0x7fffffff, 0xffc1beef};
    for (int k = 0; k < ALL_KINDS; k++) {
        for (size_t n = 1; n <= by_depth(18, 34, 70); n++) {
            for (size_t at = 0; at < n; at++) {
                double x[70], y[70];
                struct what what = kind(k);
                what.n = n;
                what.data = "one NaN";
                for (size_t i = 0; i < n; i++) {
                    set_element(what.type, x, i, 1.0 + (double)i);
                    set_element(what.type, y, i, 2.0);
                }
                size_t which = (n + at) % 6;
                void *array = what.op == SAMESUM_DOT && at % 2 ? y : x;
                memcpy((char *)array + at * samesum_element_size(what.type),
                       what.type == SAMESUM_F64 ? (const void *)&wide[which]
                                                : (const void *)&narrow[which],
                       samesum_element_size(what.type));
                for (int b = 0; b < backend_count(); b++) {
                    what.backend = backend_at(b);
                    same(&what, library(&what, x, y, NULL), nan_bits(what.type));
                    if (has_states(&what)) {
                        same(&what, streamed(&what, x, y, 5), nan_bits(what.type));
                    }
                }
            }
        }
    }
    all_were_same();
}
END_TEST

START_TEST(signed_zeros)
{
    double minus[70], plus[70];
    for (int i = 0; i < 70; i++) {
        minus[i] = -0.0;
        plus[i] = 0.0;
    }
    for (int level = 0; level < LEVELS; level++) {
        samesum_level l = (samesum_level)level;
        for (size_t n = 0; n <= 64; n++) {
            double sum = n == 0 ? 0.0 : -0.0; /* of nothing: +0 */
            gives("all -0", SAMESUM_SUM, l, minus, NULL, n, sum);
            gives("all -0", SAMESUM_DOT, l, minus, NULL, n, sum);
            gives("all -0", SAMESUM_ASUM, l, minus, NULL, n, 0.0);
            gives("all -0", SAMESUM_SUMSQ, l, minus, NULL, n, 0.0);
            gives("all +0", SAMESUM_SUM, l, plus, NULL, n, 0.0);
            gives("-0 * -0", SAMESUM_DOT, l, minus, minus, n, 0.0);
            if (n > 0) {
                minus[n - 1] = 0.0;
                gives("one +0", SAMESUM_SUM, l, minus, NULL, n, 0.0);
                minus[n - 1] = -0.0;
            }
        }
        const double cancel[] = {1, -1};
        gives("1 - 1", SAMESUM_SUM, l, cancel, NULL, 2, 0.0);
    }
    all_were_same();
}
END_TEST

/* Finite data whose partial sums overflow: what the arithmetic gives, and no NaN from e. */
START_TEST(partial_sums_overflow)
{
    for (int type = 0; type < TYPES; type++) {
        double top = type == SAMESUM_F64 ? DBL_MAX : (double)FLT_MAX;
        for (int level = 0; level < LEVELS; level++) {
            struct what what = {.type = (samesum_type)type, .level = (samesum_level)level};
            what.threads = 1;
            what.data = "overflow";
            double x[40], y[40];
            for (unsigned signs = 0; signs < 256; signs += (unsigned)by_depth(17, 17, 1)) {
                for (size_t i = 0; i < 40; i++) {
                    double value = signs >> i % 8 & 1 ? -top : top;
                    set_element(what.type, x, i, i % 5 ? value : value / 2);
                    set_element(what.type, y, i, i % 3 ? 1.0 : 2.0);
                }
                for (what.n = 1; what.n <= 40; what.n += 3) {
                    for (int op = 0; op < OPS; op++) {
                        what.op = (samesum_op)op;
                        uint64_t expected = reference(&what, x, y);
                        for (int b = 0; b < backend_count(); b++) {
                            what.backend = backend_at(b);
                            same(&what, library(&what, x, y, NULL), expected);
                        }
                    }
                }
            }
        }
    }
    const double four[] = {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX};
    double result;
    struct what what = {.n = 4, .data = "overflow"};
    ck_assert_int_eq(samesum_sum_f64(four, 4, SAMESUM_COMPENSATED, &result), SAMESUM_OK);
    same(&what, bits_of_double(result), nan_bits(SAMESUM_F64)); /* inf + -inf across lanes */
    ck_assert_int_eq(samesum_asum_f64(four, 4, SAMESUM_COMPENSATED, &result), SAMESUM_OK);
    same(&what, bits_of_double(result), bits_of_double(inf));
    all_were_same();
}
END_TEST

/* A user's case: a float sum that stalls at 2^24. */
START_TEST(sum_that_stalls)
{
    float x[1001], result;
    x[0] = 16777216;
    for (int i = 1; i <= 1000; i++) {
        x[i] = 1;
    }
    struct what what = {.type = SAMESUM_F32, .level = SAMESUM_COMPENSATED, .n = 1001};
    what.data = "2^24 and ones";
    ck_assert_int_eq(samesum_sum_f32(x, 1001, SAMESUM_COMPENSATED, &result), SAMESUM_OK);
    same(&what, bits_of_float(result), bits_of_float(16778216));
    for (int b = 0; b < backend_count(); b++) {
        what.backend = backend_at(b);
        same(&what, library(&what, x, NULL, NULL), bits_of_float(16778216));
        same(&what, streamed(&what, x, NULL, 7), bits_of_float(16778216));
    }
    all_were_same();
}
END_TEST

/* The typed calls are the general one. */
#define TYPED(suffix, name, elem, acc)                                                             \
    do {                                                                                           \
        const elem *x = data_x(RECIPE_CANCEL, name, 9000), *y = data_y(RECIPE_CANCEL, name, 9000); \
        for (int level = 0; level < LEVELS; level++) {                                             \
            struct what what = {.type = name, .level = (samesum_level)level, .n = 9000};           \
            samesum_level l = what.level;                                                          \
            acc r = 0;                                                                             \
            what.data = "typed call";                                                              \
            ck_assert_int_eq(samesum_sum_##suffix(x, 9000, l, &r), SAMESUM_OK);                    \
            same(&what, bits_of(name, &r), reference(&what, x, y));                                \
            what.op = SAMESUM_ASUM;                                                                \
            ck_assert_int_eq(samesum_asum_##suffix(x, 9000, l, &r), SAMESUM_OK);                   \
            same(&what, bits_of(name, &r), reference(&what, x, y));                                \
            what.op = SAMESUM_SUMSQ;                                                               \
            ck_assert_int_eq(samesum_sumsq_##suffix(x, 9000, l, &r), SAMESUM_OK);                  \
            same(&what, bits_of(name, &r), reference(&what, x, y));                                \
            what.op = SAMESUM_DOT;                                                                 \
            ck_assert_int_eq(samesum_dot_##suffix(x, y, 9000, l, &r), SAMESUM_OK);                 \
            same(&what, bits_of(name, &r), reference(&what, x, y));                                \
        }                                                                                          \
    } while (0)

START_TEST(typed_calls)
{
    TYPED(f64, SAMESUM_F64, double, double);
    TYPED(f32, SAMESUM_F32, float, float);
    TYPED(f32_wide, SAMESUM_F32_WIDE, float, double);
    all_were_same();
}
END_TEST

Suite *suite_special(void)
{
    TCase *tests;
    Suite *suite = new_suite("special", &tests);
    tcase_add_test(tests, infinities_stay);
    tcase_add_test(tests, infinities_anywhere);
    if (depth != DEPTH_SHORT) {
        tcase_add_test(tests, infinities_two_million_apart);
        tcase_add_test(tests, partial_sums_overflow);
    }
    tcase_add_test(tests, nan_is_canonical);
    tcase_add_test(tests, signed_zeros);
    tcase_add_test(tests, sum_that_stalls);
    tcase_add_test(tests, typed_calls);
    return suite;
}
