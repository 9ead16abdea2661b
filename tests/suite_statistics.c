/* suite_statistics.c - nrm2, mean, variance and standard deviation (reference/SPEC.md section 6) at
 * all levels, and cases from users at level exact. */
#include "suites.h"
#include "truth.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_every_backend(struct what *what, const void *x, const void *y, uint64_t expected)
{
    for (int b = 0; b < backend_count(); b++) {
        what->backend = backend_at(b);
        same(what, library(what, x, y, NULL), expected);
    }
}

/* ---- against the reference and MPFR ---- */

/* ddof around what leads to no value, and beyond it. */
static unsigned ddof_at(int i, size_t n)
{
    const unsigned m = (unsigned)n, values[] = {0, 1, 2, m - 1, m, m + 1, UINT_MAX};
    return values[i];
}
enum { DDOFS = 7 };

static void compare(int k, enum recipe recipe, size_t n, int ddof)
{
    struct what what = kind(k);
    what.n = n;
    what.data = recipe_name(recipe);
    what.ddof = what.op >= SAMESUM_VAR ? ddof_at(ddof, n) : 0;
    const void *x = data_x(recipe, what.type, n);
    uint64_t expected = reference(&what, x, NULL);
    if (status_of(&what) == SAMESUM_NO_VALUE) {
        same(&what, expected, nan_bits(what.type));
    }
    on_every_backend(&what, x, NULL, expected);
}

START_TEST(every_recipe)
{
    static const size_t lengths[] = {0,  1,  2,  3,  4,   5,   7,    15,   16,   17,   23,
                                     24, 25, 31, 33, 100, 257, 1000, 4096, 4099, 9000, 8190};
    size_t most = by_depth(14, 16, 22);
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (size_t l = 0; l < most; l++) {
            for (int k = KINDS; k < ALL_KINDS; k++) {
                int ddofs = kind(k).op >= SAMESUM_VAR ? (l < 9 ? DDOFS : 2) : 1;
                for (int d = 0; d < ddofs; d++) {
                    if (depth == DEPTH_FULL || (recipe + (int)l + k + d) % 23 == 0) {
                        compare(k, (enum recipe)recipe, lengths[l], d);
                    }
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* The default call on long data, by several threads. */
START_TEST(long_data)
{
    static const enum recipe recipes[] = {RECIPE_UNIFORM, RECIPE_OFFSET, RECIPE_NOISE,
                                          RECIPE_SPIKE,   RECIPE_BRINK,  RECIPE_TINYSQ,
                                          RECIPE_BIGSQ,   RECIPE_WIDE,   RECIPE_TENTH};
    for (int r = 0; r < 9; r++) {
        for (int k = KINDS + r % 4; k < ALL_KINDS; k += (int)by_depth(1, 31, 4)) {
            struct what what = kind(k);
            what.n = 200003;
            what.data = recipe_name(recipes[r]);
            const void *x = data_x(recipes[r], what.type, what.n);
            uint64_t expected = reference(&what, x, NULL);
            for (what.threads = 0; what.threads <= 64; what.threads += what.threads < 4 ? 1 : 15) {
                same(&what, library(&what, x, NULL, NULL), expected);
            }
        }
    }
    all_were_same();
}
END_TEST

/* Level exact of the recipes, the ones for statistics among them, against MPFR. */
START_TEST(correctly_rounded)
{
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (size_t n = 0; n <= by_depth(12, 30, 200); n += 1 + n / 8) {
            for (int k = ALL_KINDS - DERIVED * TYPES; k < ALL_KINDS; k++) {
                struct what what = kind(k);
                what.n = n;
                what.data = recipe_name((enum recipe)recipe);
                const void *x = data_x((enum recipe)recipe, what.type, n);
                on_every_backend(&what, x, NULL, truth(&what, x, NULL));
            }
        }
    }
    all_were_same();
}
END_TEST

/* No variance is below zero, and at level exact that of constants is +0.0. */
START_TEST(never_negative)
{
    double x[500];
    for (size_t i = 0; i < by_depth(100, 2000, 20000); i++) {
        double value = ldexp((double)(random_bits() >> 11) + 1, (int)random_below(1900) - 1074);
        int type = (int)(i % TYPES);
        size_t n = 1 + random_below(i % 10 ? 30 : 500);
        value = type == SAMESUM_F64 ? value : fmod(value, 1e38);
        for (size_t j = 0; j < n; j++) {
            double step = i % 3 ? 0 : value * (type == SAMESUM_F64 ? DBL_EPSILON : FLT_EPSILON);
            set_element((samesum_type)type, x, j, value + (random_below(2) ? step : 0));
        }
        for (int level = 0; level < LEVELS; level++) {
            struct what what = {.op = i % 2 ? SAMESUM_VAR : SAMESUM_STD,
                                .type = (samesum_type)type};
            what.level = (samesum_level)level;
            what.n = n;
            what.data = i % 3 ? "constant" : "nearly constant";
            uint64_t bits = library(&what, x, NULL, NULL);
            bool nan = bits == nan_bits(what.type);
            same(&what, bits >> (type == SAMESUM_F32 ? 31 : 63), 0);
            if (level == SAMESUM_EXACT) {
                same(&what, nan, false);
                if (i % 3) {
                    same(&what, bits, 0);
                }
            }
        }
    }
    all_were_same();
}
END_TEST

/* ---- values known in advance ---- */

static void gives(const char *data, samesum_op op, unsigned ddof, samesum_level level,
                  const double *x, size_t n, double expected)
{
    struct what what = {.op = op, .ddof = ddof, .level = level, .n = n, .data = data};
    uint64_t bits = isnan(expected) ? nan_bits(SAMESUM_F64) : bits_of_double(expected);
    on_every_backend(&what, x, x, bits);
    if (has_states(&what)) {
        same(&what, streamed(&what, x, x, 1), bits);
    }
}

static void gives_at_all_levels(const char *data, samesum_op op, unsigned ddof, const double *x,
                                size_t n, double expected)
{
    for (int level = 0; level < LEVELS; level++) {
        gives(data, op, ddof, (samesum_level)level, x, n, expected);
    }
}

/* A user's case: a serial formula gives a negative variance. */
START_TEST(large_offset)
{
    const double x[] = {0x1p40 + 1, 0x1p40 + 2, 0x1p40 + 4, 0x1p40 + 9};
    gives_at_all_levels("2^40 + ...", SAMESUM_MEAN, 0, x, 4, 0x1p40 + 4);
    gives_at_all_levels("2^40 + ...", SAMESUM_VAR, 0, x, 4, 9.5);
    gives_at_all_levels("2^40 + ...", SAMESUM_VAR, 1, x, 4, 12.666666666666666);
    gives_at_all_levels("one element", SAMESUM_VAR, 1, x, 1, (double)NAN);
    gives_at_all_levels("one element", SAMESUM_STD, 1, x, 1, (double)NAN);
    gives_at_all_levels("one element", SAMESUM_VAR, 0, x, 1, 0.0);
    gives_at_all_levels("ddof 5", SAMESUM_VAR, 5, x, 4, (double)NAN);
    all_were_same();
}
END_TEST

/* A user's case: all orders of four numbers whose partial sums overflow. */
START_TEST(overflow_by_order)
{
    const double values[] = {1.5e308, 1.2e308, -1.4e308, -1.1e308};
    int orders = 0;
    for (int code = 0; code < 256; code++) {
        int at[] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        if ((1 << at[0] | 1 << at[1] | 1 << at[2] | 1 << at[3]) != 15) {
            continue;
        }
        double x[4];
        for (int i = 0; i < 4; i++) {
            x[i] = values[at[i]];
        }
        orders++;
        gives("overflow by order", SAMESUM_SUM, 0, SAMESUM_EXACT, x, 4, 0x1.c7b1f3cac7430p+1020);
        gives("overflow by order", SAMESUM_MEAN, 0, SAMESUM_EXACT, x, 4, 0x1.c7b1f3cac7430p+1018);
    }
    ck_assert_int_eq(orders, 24);
    all_were_same();
}
END_TEST

START_TEST(full_exponent_range)
{
    const double sums[][4] = {{1e300, 1, 1e-300, -1e300}, {1e300, -1e300, 1e-300, 0}};
    const double norms[][2] = {{3 * 0x1p1020, 4 * 0x1p1020}, {3 * 0x1p-1060, 4 * 0x1p-1060}};
    gives("1e300", SAMESUM_SUM, 0, SAMESUM_EXACT, sums[0], 4, 1.0);
    gives("1e300", SAMESUM_SUM, 0, SAMESUM_EXACT, sums[1], 3, 1e-300);
    gives_at_all_levels("3, 4", SAMESUM_NRM2, 0, norms[0], 2, 5 * 0x1p1020);
    gives_at_all_levels("3, 4", SAMESUM_NRM2, 0, norms[1], 2, 5 * 0x1p-1060);
    const double tops[] = {DBL_MAX, DBL_MAX, DBL_MAX};
    gives("largest", SAMESUM_MEAN, 0, SAMESUM_EXACT, tops, 3, DBL_MAX);
    gives("largest", SAMESUM_MEAN, 0, SAMESUM_TREE, tops, 3, HUGE_VAL);
    gives("largest", SAMESUM_VAR, 0, SAMESUM_EXACT, tops, 3, 0.0);
    gives("largest", SAMESUM_STD, 1, SAMESUM_EXACT, tops, 3, 0.0);
    gives_at_all_levels("largest", SAMESUM_NRM2, 0, tops, 1, DBL_MAX);
    gives_at_all_levels("largest", SAMESUM_NRM2, 0, tops, 2, HUGE_VAL);
    /* sums of squares overflow, the variance does not */
    const double apart[] = {-0x1.4p511, 0x1.4p511, -0x1.4p511, 0x1.4p511};
    gives("far apart", SAMESUM_VAR, 0, SAMESUM_EXACT, apart, 4, 0x1.9p1022);
    gives("far apart", SAMESUM_STD, 0, SAMESUM_EXACT, apart, 4, 0x1.4p511);
    gives("far apart", SAMESUM_VAR, 0, SAMESUM_TREE, apart, 4, HUGE_VAL);
    gives("far apart", SAMESUM_VAR, 0, SAMESUM_COMPENSATED, apart, 4, HUGE_VAL);
    double tenths[10], roots[1000];
    for (int i = 0; i < 1000; i++) {
        roots[i] = i % 2 ? -sqrt(i + 1.0) : sqrt(i + 1.0);
        tenths[i % 10] = 0.1;
    }
    gives("ten tenths", SAMESUM_SUM, 0, SAMESUM_EXACT, tenths, 10, 1.0);
    gives("roots", SAMESUM_SUM, 0, SAMESUM_EXACT, roots, 1000, -15.435236335060337);
    all_were_same();
}
END_TEST

START_TEST(special_values)
{
    const double inf = HUGE_VAL, nan = (double)NAN;
    const double x[] = {1, inf, nan, -inf, 2}, zeros[] = {-0.0, -0.0, 0.0};
    gives_at_all_levels("inf", SAMESUM_NRM2, 0, x, 2, inf);
    gives_at_all_levels("inf, NaN", SAMESUM_NRM2, 0, x, 5, inf);
    gives_at_all_levels("NaN, -inf", SAMESUM_NRM2, 0, x + 2, 2, inf);
    gives_at_all_levels("NaN", SAMESUM_NRM2, 0, x + 2, 1, nan);
    gives_at_all_levels("-0", SAMESUM_NRM2, 0, zeros, 3, 0.0);
    gives_at_all_levels("nothing", SAMESUM_NRM2, 0, x, 0, 0.0);
    gives_at_all_levels("inf", SAMESUM_MEAN, 0, x, 2, inf);
    gives_at_all_levels("-inf", SAMESUM_MEAN, 0, x + 3, 2, -inf);
    gives_at_all_levels("both", SAMESUM_MEAN, 0, x, 5, nan);
    gives_at_all_levels("-0", SAMESUM_MEAN, 0, zeros, 2, -0.0);
    gives_at_all_levels("-0, 0", SAMESUM_MEAN, 0, zeros, 3, 0.0);
    gives_at_all_levels("nothing", SAMESUM_MEAN, 0, x, 0, nan);
    for (int op = SAMESUM_VAR; op <= SAMESUM_STD; op++) {
        gives_at_all_levels("inf", (samesum_op)op, 0, x, 2, nan);
        gives_at_all_levels("one inf", (samesum_op)op, 0, x + 1, 1, nan);
        gives_at_all_levels("NaN", (samesum_op)op, 1, x + 2, 3, nan);
        gives_at_all_levels("-0", (samesum_op)op, 0, zeros, 3, 0.0);
        gives_at_all_levels("nothing", (samesum_op)op, 0, x, 0, nan);
    }
    all_were_same();
}
END_TEST

/* A user's case: 4,000,000 binary32 numbers, 13090 and 13110 in turn; a float loop gives a mean
 * that lies outside of the data. */
START_TEST(mean_outside_of_the_data)
{
    size_t n = by_depth(40000, 400000, 4000000);
    float *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) {
        x[i] = i % 2 ? 13110 : 13090;
    }
    for (int type = SAMESUM_F32; type <= SAMESUM_F32_WIDE; type++) {
        struct what what = {.type = (samesum_type)type, .level = SAMESUM_EXACT, .n = n};
        what.data = "13090, 13110";
        for (what.threads = 0; what.threads < 4; what.threads++) {
            what.op = SAMESUM_MEAN;
            on_every_backend(&what, x, NULL, result_bits(what.type, 13100));
            what.op = SAMESUM_STD;
            on_every_backend(&what, x, NULL, result_bits(what.type, 10));
        }
    }
    free(x);
    all_were_same();
}
END_TEST

/* Users' cases: a sum that is zero by symmetry, and one that stalls at 2^24 in a float loop. */
START_TEST(exact_float_sums)
{
    size_t n = by_depth(10000, 200000, 2000000);
    float *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) {
        x[i] = (float)((double)i - ((double)n - 1) / 2);
    }
    struct what what = {.type = SAMESUM_F32, .level = SAMESUM_EXACT, .n = n, .data = "zero"};
    for (what.threads = 1; what.threads <= 64; what.threads += (int)by_depth(63, 9, 1)) {
        on_every_backend(&what, x, NULL, bits_of_float(0.0F));
    }
    x[0] = 16777216;
    for (size_t i = 1; i <= 1000; i++) {
        x[i] = 1;
    }
    what.data = "2^24 and ones";
    what.n = 1001;
    on_every_backend(&what, x, NULL, bits_of_float(16778216));
    free(x);
    all_were_same();
}
END_TEST

/* ---- typed calls ---- */

#define TYPED(suffix, name, elem, acc)                                                             \
    do {                                                                                           \
        const elem *x = data_x(RECIPE_NOISE, name, 9000);                                          \
        for (int k = 0; k < LEVELS * 60; k++) {                                                    \
            static const size_t lengths[] = {0, 1, 2, 3, 9000};                                    \
            struct what what = {.type = name, .level = (samesum_level)(k / 60), .threads = 0};     \
            acc r = 42;                                                                            \
            what.n = lengths[k % 5];                                                               \
            what.ddof = (unsigned)(k / 5 % 3);                                                     \
            what.data = "typed call";                                                              \
            samesum_level l = what.level;                                                          \
            samesum_status status = SAMESUM_OK;                                                    \
            switch (k / 15 % 4) {                                                                  \
            case 0:                                                                                \
                what.op = SAMESUM_NRM2;                                                            \
                status = samesum_nrm2_##suffix(x, what.n, l, &r);                                  \
                break;                                                                             \
            case 1:                                                                                \
                what.op = SAMESUM_MEAN;                                                            \
                status = samesum_mean_##suffix(x, what.n, l, &r);                                  \
                break;                                                                             \
            case 2:                                                                                \
                what.op = SAMESUM_VAR;                                                             \
                status = samesum_var_##suffix(x, what.n, what.ddof, l, &r);                        \
                break;                                                                             \
            default:                                                                               \
                what.op = SAMESUM_STD;                                                             \
                status = samesum_std_##suffix(x, what.n, what.ddof, l, &r);                        \
            }                                                                                      \
            ck_assert_int_eq(status, status_of(&what));                                            \
            same(&what, bits_of(name, &r), library(&what, x, NULL, NULL));                         \
            same(&what, bits_of(name, &r), reference(&what, x, NULL));                             \
        }                                                                                          \
    } while (0)

START_TEST(typed_calls)
{
    TYPED(f64, SAMESUM_F64, double, double);
    TYPED(f32, SAMESUM_F32, float, float);
    TYPED(f32_wide, SAMESUM_F32_WIDE, float, double);
    double r = 42;
    ck_assert_int_eq(samesum_var_f64(NULL, 3, 0, SAMESUM_EXACT, &r), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_mean_f64(NULL, 3, SAMESUM_TREE, &r), SAMESUM_ERR_NULL);
    ck_assert_int_eq(samesum_std_f64(&r, 1, 0, (samesum_level)4, &r), SAMESUM_ERR_LEVEL);
    ck_assert_int_eq(samesum_nrm2_f64(&r, 1, SAMESUM_TREE, NULL), SAMESUM_ERR_NULL);
    ck_assert(bits_of_double(r) == bits_of_double(42));
    all_were_same();
}
END_TEST

/* States of nrm2, var and std need level exact; their merging heeds ddof. */
START_TEST(states)
{
    for (int k = 0; k < ALL_KINDS; k++) {
        struct what what = kind(k);
        samesum_want want = {.op = what.op, .level = what.level, .ddof = what.ddof};
        samesum_state *state = NULL;
        samesum_status status = samesum_state_create(&state, &want, what.type, 0);
        ck_assert_int_eq(status, has_states(&what) ? SAMESUM_OK : SAMESUM_ERR_TWO_PASSES);
        ck_assert((state != NULL) == has_states(&what));
        samesum_state_destroy(state);
    }
    struct what what = {.op = SAMESUM_VAR, .level = SAMESUM_EXACT, .data = "ddof"};
    samesum_state *a = new_state(&what, 0), *c = NULL;
    what.ddof = 1;
    samesum_state *b = new_state(&what, 0);
    ck_assert_int_eq(samesum_state_merge(a, b), SAMESUM_ERR_MISMATCH);
    samesum_want want = {.op = SAMESUM_NRM2, .level = SAMESUM_EXACT, .ddof = 7};
    ck_assert_int_eq(samesum_state_create(&c, &want, SAMESUM_F64, 0), SAMESUM_OK);
    what.op = SAMESUM_NRM2; /* which does not look at it */
    samesum_state *d = new_state(&what, 0);
    ck_assert_int_eq(samesum_state_merge(c, d), SAMESUM_OK);
    samesum_state_destroy(a);
    samesum_state_destroy(b);
    samesum_state_destroy(c);
    samesum_state_destroy(d);
}
END_TEST

/* ---- data of the NIST Statistical Reference Datasets ---- */

static bool shows(double value, double certified)
{
    char got[40], expected[40];
    snprintf(got, sizeof got, "%.15g", value);
    snprintf(expected, sizeof expected, "%.15g", certified);
    return strcmp(got, expected) == 0;
}

/* The numbers of a file, one a line; -1 where there is no such file. */
static int read_numbers(const char *name, double *x, int most)
{
    char path[100];
    snprintf(path, sizeof path, "examples/data/nist/%s.txt", name);
    FILE *file = fopen(path, "r");
    int n = file == NULL ? -1 : 0;
    while (file != NULL && n < most && fscanf(file, "%lf", &x[n]) == 1) {
        n++;
    }
    if (file != NULL) {
        fclose(file);
    }
    return n;
}

START_TEST(nist_datasets)
{
    /* certified for the decimal data; rounding these to binary64 moves some deviations */
    static const struct {
        const char *name;
        int n;
        double mean, deviation;
        bool keeps;
    } sets[] = {{"lew", 200, -177.435000000000, 277.332168044316, true},
                {"lottery", 218, 518.958715596330, 291.699727470969, true},
                {"mavro", 50, 2.00185600000000, 0.000429123454003053, false},
                {"numacc1", 3, 10000002, 1, true},
                {"numacc3", 1001, 1000000.2, 0.1, false},
                {"michelso", 100, 299.852400000000, 0.0790105478190518, false}};
    for (int i = 0; i < 6; i++) {
        double x[1100], mean = 0, deviation = 0;
        int n = read_numbers(sets[i].name, x, 1100);
        if (n < 0) {
            skipped("statistics", "examples/data/nist is not there: no certified values compared");
            break;
        }
        ck_assert_int_eq(n, sets[i].n);
        struct what what = {.op = SAMESUM_STD, .ddof = 1, .level = SAMESUM_EXACT};
        what.n = (size_t)n;
        what.data = sets[i].name;
        on_every_backend(&what, x, NULL, truth(&what, x, NULL));
        samesum_mean_f64(x, what.n, SAMESUM_EXACT, &mean);
        samesum_std_f64(x, what.n, 1, SAMESUM_EXACT, &deviation);
        ck_assert_msg(shows(mean, sets[i].mean), "%s: mean %.17g", sets[i].name, mean);
        ck_assert_msg(!sets[i].keeps || shows(deviation, sets[i].deviation), "%s: std %.17g",
                      sets[i].name, deviation);
    }
    all_were_same();
}
END_TEST

Suite *suite_statistics(void)
{
    TCase *tests;
    Suite *suite = new_suite("statistics", &tests);
    tcase_add_test(tests, every_recipe);
    if (depth != DEPTH_SHORT) {
        tcase_add_test(tests, long_data);
    }
    tcase_add_test(tests, correctly_rounded);
    tcase_add_test(tests, never_negative);
    tcase_add_test(tests, large_offset);
    tcase_add_test(tests, overflow_by_order);
    tcase_add_test(tests, full_exponent_range);
    tcase_add_test(tests, special_values);
    tcase_add_test(tests, mean_outside_of_the_data);
    tcase_add_test(tests, exact_float_sums);
    tcase_add_test(tests, typed_calls);
    tcase_add_test(tests, states);
    tcase_add_test(tests, nist_datasets);
    return suite;
}
