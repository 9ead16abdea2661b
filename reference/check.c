/* check.c - tests the reference against published values, against a second formulation of the tree
 * that works from the bottom up with padding, and against MPFR. Exit status 1 if anything differs.
 */
#include "../tests/vectors/recipes.h"
#include "oracle.h"
#include "ref.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000, SHOWN = 20 };

static long passed, failed;

static void check(bool good, const char *what, int op, int type, int level, const char *data,
                  uint64_t begin, uint64_t n)
{
    if (good) {
        passed++;
    } else if (++failed <= SHOWN) {
        printf("FAILED %s: op %d type %d level %d data %s begin %" PRIu64 " n %" PRIu64 "\n", what,
               op, type, level, data, begin, n);
    }
}

/* The result's bits, 32 or 64 of them. */
static uint64_t reference_bits(int op, int type, int level, int lanes, const void *x, const void *y,
                               uint64_t begin, uint64_t end)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    int status = ref_reduce((enum ref_op)op, (enum ref_type)type, (enum ref_level)level, lanes, x,
                            y, begin, end, type == REF_F32 ? (void *)&narrow : (void *)&wide);
    check(status == 0, "status", op, type, level, "", begin, end - begin);
    return type == REF_F32 ? narrow : wide;
}

/* ---- a second formulation ----
 *
 * A grid of rows of L pairs, padded with (-0.0, 0), is halved until one row is left, and that row
 * until one pair is left. Arithmetic is that of the C types themselves. */
#define DEFINE_SECOND(NAME, IN, T, FMA)                                                            \
    struct NAME##_pair {                                                                           \
        T s, e;                                                                                    \
    };                                                                                             \
    static struct NAME##_pair NAME##_combine(bool pairs, struct NAME##_pair a,                     \
                                             struct NAME##_pair b)                                 \
    {                                                                                              \
        T s = a.s + b.s, z = s - a.s;                                                              \
        T t = (a.s - (s - z)) + (b.s - z);                                                         \
        return (struct NAME##_pair){s, pairs ? a.e + b.e + t : 0};                                 \
    }                                                                                              \
    static T NAME(int op, int level, size_t lanes, const IN *x, const IN *y, size_t begin,         \
                  size_t end)                                                                      \
    {                                                                                              \
        const struct NAME##_pair pad = {(T)-0.0, 0};                                               \
        size_t rows = (end + lanes - 1) / lanes;                                                   \
        struct NAME##_pair *grid = malloc((rows + 1) * (lanes + 1) * sizeof *grid);                \
        if (grid == NULL || begin == end) {                                                        \
            free(grid);                                                                            \
            return 0;                                                                              \
        }                                                                                          \
        for (size_t i = 0; i < rows * lanes; i++) {                                                \
            grid[i] = pad;                                                                         \
            if (i >= begin && i < end) {                                                           \
                T a = x[i - begin], b = op == REF_DOT ? y[i - begin] : x[i - begin];               \
                grid[i].s = op == REF_SUM ? a : op == REF_ASUM ? (a < 0 ? -a : a + 0) : a * b;     \
                if (op >= REF_SUMSQ && level == REF_COMPENSATED) {                                 \
                    grid[i].e = FMA(a, b, -grid[i].s);                                             \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (int node = 1; rows > 1; node++, rows = (rows + 1) / 2) {                              \
            bool pairs = level == REF_COMPENSATED || (level == REF_KAHAN && node > 8);             \
            for (size_t i = 0; i < (rows + 1) / 2 * lanes; i++) {                                  \
                size_t a = i / lanes * 2 * lanes + i % lanes;                                      \
                bool odd = a + lanes >= rows * lanes;                                              \
                grid[i] = NAME##_combine(pairs, grid[a], odd ? pad : grid[a + lanes]);             \
            }                                                                                      \
        }                                                                                          \
        for (; lanes > 1; lanes = (lanes + 1) / 2) {                                               \
            for (size_t i = 0; i < (lanes + 1) / 2; i++) {                                         \
                struct NAME##_pair b = 2 * i + 1 < lanes ? grid[2 * i + 1] : pad;                  \
                grid[i] = NAME##_combine(level != REF_TREE, grid[2 * i], b);                       \
            }                                                                                      \
        }                                                                                          \
        T s = grid[0].s, e = grid[0].e;                                                            \
        free(grid);                                                                                \
        return isfinite(s) && isfinite(e) && e != 0 ? s + e : s;                                   \
    }

DEFINE_SECOND(second_f64, double, double, fma)
DEFINE_SECOND(second_f32, float, float, fmaf)
DEFINE_SECOND(second_f32_wide, float, double, fma)

static uint64_t second_bits(int op, int type, int level, int lanes, const void *x, const void *y,
                            uint64_t begin, uint64_t end)
{
    size_t count = (size_t)lanes, b = (size_t)begin, e = (size_t)end;
    if (type == REF_F32) {
        float r = second_f32(op, level, count, x, y, b, e);
        uint32_t bits;
        memcpy(&bits, &r, sizeof bits);
        return isnan(r) ? 0x7fc00000 : bits;
    }
    double r = type == REF_F64 ? second_f64(op, level, count, x, y, b, e)
                               : second_f32_wide(op, level, count, x, y, b, e);
    uint64_t bits;
    memcpy(&bits, &r, sizeof bits);
    return isnan(r) ? UINT64_C(0x7ff8000000000000) : bits;
}

/* ---- random numbers for the tests ---- */

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int random_int(int low, int high)
{
    return low + (int)(random_bits() % (uint64_t)(high - low + 1));
}

/* ---- the tests ---- */

static void test_published(void *x)
{
    recipe_fill(RECIPE_UNIFORM, RECIPE_F64, RECIPE_P4016_SEED, 0, MOST, x);
    uint64_t bits16 = reference_bits(REF_SUM, REF_F64, REF_TREE, 16, x, NULL, 0, MOST);
    uint64_t bits128 = reference_bits(REF_SUM, REF_F64, REF_TREE, 128, x, NULL, 0, MOST);
    check(bits16 == UINT64_C(0x40618f71f6379380), "P4016R0, L = 16", 0, 0, 0, "", 0, MOST);
    check(bits128 == UINT64_C(0x40618f71f6379397), "P4016R0, L = 128", 0, 0, 0, "", 0, MOST);
}

static void fill(int recipe, int type, uint64_t seed, size_t n, void *x, void *y)
{
    enum recipe_type of = type == REF_F64 ? RECIPE_F64 : RECIPE_F32;
    recipe_fill((enum recipe)recipe, of, seed, 0, n, x);
    recipe_fill_y((enum recipe)recipe, of, seed, 0, n, y);
}

/* P4016R0's formula in floating point, and elements that do not depend on where a fill begins. */
static void test_recipes(double *x, float *tail)
{
    uint64_t state = RECIPE_P4016_SEED;
    recipe_fill(RECIPE_UNIFORM, RECIPE_F64, RECIPE_P4016_SEED, 0, 1000, x);
    for (int i = 0; i < 1000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double expected = ((double)(state >> 11) - 0x1p52) / 0x1p52;
        check(x[i] == expected, "uniform", 0, 0, 0, "uniform", (uint64_t)i, 1);
    }
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        float *whole = (float *)x;
        recipe_fill((enum recipe)recipe, RECIPE_F32, 9, 0, 9000, whole);
        recipe_fill((enum recipe)recipe, RECIPE_F32, 9, 4000, 5000, tail);
        const char *name = recipe_name((enum recipe)recipe);
        check(memcmp(whole + 4000, tail, 5000 * sizeof *tail) == 0, "tail", 0, 1, 0, name, 4000,
              5000);
        enum recipe found = RECIPE_COUNT;
        check(recipe_find(name, &found) == 0 && (int)found == recipe, "name", 0, 1, 0, name, 0, 0);
    }
}

static void compare_second(int recipe, int type, int lanes, const void *x, const void *y,
                           uint64_t begin, uint64_t n)
{
    for (int op = REF_SUM; op <= REF_DOT; op++) {
        for (int level = REF_TREE; level <= REF_COMPENSATED; level++) {
            uint64_t a = reference_bits(op, type, level, lanes, x, y, begin, begin + n);
            uint64_t b = second_bits(op, type, level, lanes, x, y, begin, begin + n);
            check(a == b, "second formulation", op, type, level, recipe_name((enum recipe)recipe),
                  begin, n);
        }
    }
}

static void test_second(void *x, void *y)
{
    static const int lanes[] = {16, 16, 16, 1, 2, 3, 8, 128};
    for (int type = REF_F64; type <= REF_F32_WIDE; type++) {
        for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
            fill(recipe, type, 3, 40000, x, y);
            for (int i = 0; i < 80; i++) {
                uint64_t n = (uint64_t)(i < 20 ? i : random_int(0, i < 70 ? 700 : 20000));
                uint64_t begin = i % 2 == 0 ? 0 : (uint64_t)random_int(0, i < 60 ? 70 : 9000);
                compare_second(recipe, type, lanes[i % 8], x, y, begin, n);
            }
        }
    }
}

/* Shifting a range by a multiple of an aligned block that holds it changes nothing (SPEC.md 9,
 * note 1), up to the end of the index range. */
static void test_far_ranges(void *x, void *y)
{
    static const uint64_t shifts[] = {UINT64_C(1) << 20, UINT64_C(3) << 40,
                                      UINT64_MAX - (UINT64_C(1) << 20) + 1};
    fill(RECIPE_CANCEL, REF_F32, 4, 70000, x, y);
    for (int i = 0; i < 200; i++) {
        uint64_t n = (uint64_t)random_int(0, i % 10 == 0 ? 65536 : 600);
        uint64_t begin = i % 3 == 0 ? (1 << 20) - 1 - n : (uint64_t)random_int(0, 900000);
        for (int level = REF_TREE; level <= REF_EXACT; level++) {
            uint64_t at = begin + shifts[i % 3 == 0 ? 2 : i % 2];
            uint64_t a = reference_bits(REF_SUM, REF_F32, level, 16, x, y, begin, begin + n);
            uint64_t b = reference_bits(REF_SUM, REF_F32, level, 16, x, y, at, at + n);
            check(a == b, "far range", 0, REF_F32, level, "cancel", at, n);
        }
    }
}

static void compare_exact(const char *data, int op, int type, const void *x, const void *y,
                          size_t n)
{
    uint64_t got = reference_bits(op, type, REF_EXACT, 16, x, y, 0, n);
    struct oracle *oracle = oracle_new((enum ref_op)op, (enum ref_type)type, x, y, n);
    check(oracle != NULL, "oracle is exact", op, type, REF_EXACT, data, 0, n);
    if (oracle == NULL) {
        return;
    }
    uint64_t wide = 0;
    uint32_t narrow = 0;
    void *result = type == REF_F32 ? (void *)&narrow : (void *)&wide;
    int ternary;
    int status = oracle_result(oracle, result, &ternary);
    check(status == 0, "oracle rounds", op, type, REF_EXACT, data, 0, n);
    check(got == (type == REF_F32 ? narrow : wide), "exact", op, type, REF_EXACT, data, 0, n);
    double ulps = oracle_ulps(oracle, result);
    /* an error of less than 2^-1075 ulp is written as 0; infinities may come of an overflow */
    bool side = ulps == 0 || (ulps > 0) - (ulps < 0) == ternary;
    check((fabs(ulps) <= 0.5 && side) || isinf(ulps), "half an ulp", op, type, REF_EXACT, data, 0,
          n);
    oracle_free(oracle);
}

static void test_exact_recipes(void *x, void *y)
{
    for (int type = REF_F64; type <= REF_F32_WIDE; type++) {
        for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
            for (int i = 0; i < 60; i++) {
                size_t n = (size_t)(i < 20 ? i : random_int(20, i < 50 ? 200 : 5000));
                fill(recipe, type, (uint64_t)i, n, x, y);
                for (int op = REF_SUM; op <= REF_DOT; op++) {
                    compare_exact(recipe_name((enum recipe)recipe), op, type, x, y, n);
                }
            }
        }
    }
}

/* A number with a few bits, so that sums meet halfway points, at about 2^exponent. */
static double short_number(int exponent)
{
    double m = ldexp((double)random_int(1, 1 << random_int(0, 8)), -random_int(0, 8));
    return ldexp(random_bits() & 1 ? -m : m, exponent);
}

static void store(int type, void *array, size_t i, double value)
{
    if (type == REF_F64) {
        ((double *)array)[i] = value;
    } else {
        ((float *)array)[i] = (float)value;
    }
}

/* Sums of up to six terms around each other's half units, from below the subnormal numbers (in
 * products) to beyond the largest number. */
static void test_exact_halfway(void *x, void *y)
{
    for (int i = 0; i < 60000; i++) {
        int type = i % 3, op = i / 3 % 4;
        bool narrow = type != REF_F64;
        int low = narrow ? -149 : -1074, high = narrow ? 127 : 1023, bits = narrow ? 24 : 53;
        int base = i % 5 == 0   ? random_int(low, low + 2 * bits)
                   : i % 5 == 1 ? random_int(high - 4, high)
                                : random_int(low, high);
        size_t n = (size_t)random_int(1, 6);
        for (size_t k = 0; k < n; k++) {
            int step = random_int(0, 3) * bits + random_int(-1, 1);
            int split = op >= REF_SUMSQ ? random_int(0, 1) * base / 2 : 0;
            int exponent = base - (random_bits() % 4 == 0 ? random_int(0, 200) : step) - split;
            store(type, x, k, short_number(op == REF_SUMSQ ? exponent / 2 : exponent));
            store(type, y, k, short_number(split));
        }
        compare_exact("halfway", op, type, x, y, n);
    }
}

/* The overflow threshold: the largest number plus half a unit, and a little less or more. */
static void test_exact_threshold(void *x, void *y)
{
    for (int i = 0; i < 3 * 2 * 3 * 2; i++) {
        int type = i % 3, little = i / 3 % 3 - 1, op = i / 9 % 2 == 0 ? REF_SUM : REF_DOT;
        double sign = i / 18 == 0 ? 1.0 : -1.0;
        double largest = type == REF_F64 ? DBL_MAX : (double)FLT_MAX;
        double half = type == REF_F64 ? 0x1p970 : 0x1p103;
        double tiny = type == REF_F64 ? 0x1p-1074 : 0x1p-149;
        const double terms[3] = {sign * largest, sign * half, sign * (double)little * tiny};
        for (size_t k = 0; k < 3; k++) {
            store(type, x, k, terms[k]);
            store(type, y, k, 1.0);
        }
        compare_exact("threshold", op, type, x, y, 3);
        uint64_t got = reference_bits(op, type, REF_EXACT, 16, x, y, 0, 3) & INT64_MAX;
        if (type == REF_F64) {
            check((got == UINT64_C(0x7ff0000000000000)) == (little >= 0), "threshold", op, type,
                  REF_EXACT, "threshold", 0, 3);
        }
    }
}

/* Sums that cancel to zero or to their last bits: a list, its negation, and a remainder. */
static void test_exact_cancel(void *x, void *y)
{
    for (int i = 0; i < 3000; i++) {
        int type = i % 3, op = i / 3 % 2 == 0 ? REF_SUM : REF_DOT;
        bool narrow = type != REF_F64;
        size_t n = (size_t)random_int(1, 40);
        for (size_t k = 0; k < n; k++) {
            double a = ldexp((double)(random_bits() >> (narrow ? 40 : 11)), random_int(-60, 60));
            double b = op == REF_SUM ? 1.0 : ldexp((double)(random_bits() >> 40), -24);
            store(type, x, k, a);
            store(type, x, 2 * n - 1 - k, -a);
            store(type, y, k, b);
            store(type, y, 2 * n - 1 - k, b);
        }
        store(type, x, 2 * n, i % 2 == 0 ? -0.0 : ldexp(-1.0, random_int(-149, 0)));
        store(type, y, 2 * n, 1.0);
        compare_exact("cancelled", op, type, x, y, 2 * n + 1);
    }
}

static void test_oracle_measures(void)
{
    const double x[] = {1e300, 1.0, -1e300};
    struct oracle *oracle = oracle_new(REF_SUM, REF_F64, x, NULL, 3);
    char text[64] = "";
    const double zero = 0.0, next = 0x1.0000000000001p0;
    bool made = oracle != NULL;
    check(made, "oracle", 0, 0, 3, "measures", 0, 3);
    if (!made) {
        return;
    }
    oracle_decimal(oracle, 17, text, sizeof text);
    check(strcmp(text, "1.0000000000000000e+00") == 0, "decimal", 0, 0, 3, text, 0, 3);
    check(oracle_ulps(oracle, &next) == 1.0, "ulps", 0, 0, 3, "measures", 0, 3);
    check(oracle_ulps(oracle, &zero) == -0x1p52, "ulps", 0, 0, 3, "measures", 0, 3);
    check(oracle_relative(oracle, &zero) == -1.0, "relative", 0, 0, 3, "measures", 0, 3);
    check(oracle_condition(oracle) == 2e300, "condition", 0, 0, 3, "measures", 0, 3);
    oracle_free(oracle);
}

/* SPEC.md section 9, note 3: the order of operands matters where TwoSum overflows inside. */
static void test_operand_order(void)
{
    const double unit = 0x1p971, top = DBL_MAX;
    const double low_first[] = {-1.5 * unit, top, -0.25 * unit};
    const double high_first[] = {top, -1.5 * unit, -0.25 * unit};
    double r[2];
    ref_reduce(REF_SUM, REF_F64, REF_COMPENSATED, 16, low_first, NULL, 0, 3, &r[0]);
    ref_reduce(REF_SUM, REF_F64, REF_COMPENSATED, 16, high_first, NULL, 0, 3, &r[1]);
    check(r[0] == top - unit, "e is NaN", 0, 0, 2, "operand order", 0, 3);
    check(r[1] == top - 2 * unit, "e is used", 0, 0, 2, "operand order", 0, 3);
}

static void test_arguments(const void *x)
{
    uint64_t r = 42;
    int bad = 0;
    bad += ref_reduce((enum ref_op)4, REF_F64, REF_TREE, 16, x, x, 0, 1, &r) == -1;
    bad += ref_reduce(REF_SUM, (enum ref_type)3, REF_TREE, 16, x, x, 0, 1, &r) == -1;
    bad += ref_reduce(REF_SUM, REF_F64, (enum ref_level)4, 16, x, x, 0, 1, &r) == -1;
    bad += ref_reduce(REF_SUM, REF_F64, REF_TREE, 0, x, x, 0, 1, &r) == -1;
    bad += ref_reduce(REF_SUM, REF_F64, REF_TREE, 16, x, x, 2, 1, &r) == -1;
    bad += ref_reduce(REF_SUM, REF_F64, REF_TREE, 16, NULL, x, 0, 1, &r) == -1;
    bad += ref_reduce(REF_DOT, REF_F64, REF_TREE, 16, x, NULL, 0, 1, &r) == -1;
    bad += ref_reduce(REF_SUM, REF_F64, REF_TREE, 16, x, x, 0, 1, NULL) == -1;
    check(bad == 8 && r == 42, "bad arguments", 0, 0, 0, "", 0, 0);
    check(ref_reduce(REF_DOT, REF_F64, REF_TREE, 16, NULL, NULL, 7, 7, &r) == 0 && r == 0,
          "empty range", 0, 0, 0, "", 7, 0);
}

int main(void)
{
    void *x = malloc(MOST * sizeof(double)), *y = malloc(MOST * sizeof(double));
    if (x == NULL || y == NULL) {
        printf("out of memory\n");
        free(x);
        free(y);
        return 1;
    }
    test_published(x);
    test_recipes(x, y);
    test_second(x, y);
    test_far_ranges(x, y);
    test_exact_recipes(x, y);
    test_exact_halfway(x, y);
    test_exact_threshold(x, y);
    test_exact_cancel(x, y);
    test_oracle_measures();
    test_operand_order();
    test_arguments(x);
    free(x);
    free(y);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
