/* check_exact.c - tests the reference's level exact and its derived operations: against MPFR over
 * hard_cases.h and the recipes, against the integer oracle of small_float.h, and, below exact,
 * against values known in advance. `check_exact N` takes every N-th case. Exit status 1 if
 * anything differs. */
#include "../tests/vectors/recipes.h"
#include "hard_cases.h"
#include "oracle.h"
#include "ref.h"
#include "small_float.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20, MOST = 8192 };

static long passed, failed;

static bool check(bool good, const char *what, const char *data, int op, int type, uint64_t ddof,
                  uint64_t index, size_t n)
{
    if (good) {
        passed++;
    } else if (++failed <= SHOWN) {
        printf("FAILED %s: %s number %" PRIu64 " op %d type %d ddof %" PRIu64 " n %zu\n", what,
               data, index, op, type, ddof, n);
    }
    return good;
}

static int reduce(int op, int type, int level, uint64_t ddof, const void *x, const void *y,
                  size_t n, void *result)
{
    enum ref_op o = (enum ref_op)op;
    enum ref_type t = (enum ref_type)type;
    enum ref_level l = (enum ref_level)level;
    return op <= REF_DOT ? ref_reduce(o, t, l, REF_LANES, x, y, 0, n, result)
                         : ref_derive(o, t, l, REF_LANES, ddof, x, 0, n, result);
}

/* ---- against MPFR ---- */

static void compare(const char *data, uint64_t index, int op, int type, uint64_t ddof,
                    const void *x, const void *y, size_t n)
{
    struct oracle *oracle = op <= REF_DOT
                                ? oracle_new((enum ref_op)op, (enum ref_type)type, x, y, n)
                                : oracle_derive((enum ref_op)op, (enum ref_type)type, ddof, x, n);
    if (!check(oracle != NULL, "oracle is exact", data, op, type, ddof, index, n)) {
        return;
    }
    size_t size = type == REF_F32 ? sizeof(float) : sizeof(double);
    unsigned char got[sizeof(double)], want[sizeof(double)];
    int ternary;
    bool proved = oracle_result(oracle, want, &ternary) == 0;
    bool no_value = (op == REF_MEAN && n == 0) || (op >= REF_VAR && n <= ddof);
    int status = reduce(op, type, REF_EXACT, ddof, x, y, n, got);
    double ulps = oracle_ulps(oracle, want);
    oracle_free(oracle);
    check(proved, "oracle rounds", data, op, type, ddof, index, n);
    check(status == (no_value ? REF_NO_VALUE : 0), "status", data, op, type, ddof, index, n);
    check(memcmp(got, want, size) == 0, "exact", data, op, type, ddof, index, n);
    check(fabs(ulps) <= 0.5 || isinf(ulps), "half an ulp", data, op, type, ddof, index, n);
}

/* Every operation, from first to last, with ddof 0 and 1 where there is one. */
static void compare_ops(const char *data, uint64_t index, int first, int last, int type,
                        const void *x, const void *y, size_t n)
{
    for (int op = first; op <= last; op++) {
        for (uint64_t ddof = 0; ddof <= (op >= REF_VAR ? 1 : 0); ddof++) {
            compare(data, index, op, type, ddof, x, y, n);
        }
    }
}

static void test_hard_cases(uint64_t step)
{
    double x[HARD_MOST], y[HARD_MOST];
    static const int own_op[HARD_KINDS][2] = {
        {REF_SUM, REF_ASUM}, {REF_DOT, REF_DOT},   {REF_SUM, REF_ASUM},  {REF_DOT, REF_DOT},
        {REF_SUM, REF_DOT},  {REF_MEAN, REF_MEAN}, {REF_NRM2, REF_NRM2}, {REF_VAR, REF_STD}};
    for (int k = 0; k < HARD_KINDS; k++) {
        enum hard_kind kind = (enum hard_kind)k;
        for (int type = REF_F64; type <= REF_F32_WIDE; type++) {
            uint64_t count = hard_case_count(kind, (enum ref_type)type);
            for (uint64_t i = (uint64_t)type; i < count; i += step) {
                size_t n = hard_case_fill(kind, (enum ref_type)type, i, x, y);
                bool every_op = i / step % 20 == 0;
                compare_ops(hard_case_name(kind), i, every_op ? REF_SUM : own_op[k][0],
                            every_op ? REF_STD : own_op[k][1], type, x, y, n);
            }
        }
    }
}

/* How many hard cases really are ties of their operation; a generator that misses them is useless.
 */
static void test_hard_cases_are_hard(void)
{
    static const struct {
        enum hard_kind kind;
        enum ref_op op;
        enum ref_type type;
    } lists[] = {{HARD_HALFWAY, REF_SUM, REF_F64},      {HARD_HALFWAY, REF_SUM, REF_F32},
                 {HARD_HALFWAY, REF_SUM, REF_F32_WIDE}, {HARD_HALFWAY_DOT, REF_DOT, REF_F64},
                 {HARD_HALFWAY_DOT, REF_DOT, REF_F32},  {HARD_MEAN, REF_MEAN, REF_F64},
                 {HARD_MEAN, REF_MEAN, REF_F32},        {HARD_NRM2, REF_NRM2, REF_F64},
                 {HARD_NRM2, REF_NRM2, REF_F32},        {HARD_VAR, REF_VAR, REF_F64},
                 {HARD_VAR, REF_VAR, REF_F32}};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        double x[HARD_MOST], y[HARD_MOST], result;
        long ties = 0, cases = 2000;
        uint64_t stride = hard_case_count(lists[k].kind, lists[k].type) / (uint64_t)cases;
        for (long i = 0; i < cases; i++) {
            size_t n = hard_case_fill(lists[k].kind, lists[k].type, (uint64_t)i * stride, x, y);
            struct oracle *oracle = lists[k].op <= REF_DOT
                                        ? oracle_new(lists[k].op, lists[k].type, x, y, n)
                                        : oracle_derive(lists[k].op, lists[k].type, 0, x, n);
            bool rounds = oracle != NULL && oracle_result(oracle, &result, NULL) == 0;
            ties += rounds && fabs(oracle_ulps(oracle, &result)) == 0.5;
            oracle_free(oracle);
        }
        check(ties >= 20, "ties among the cases", hard_case_name(lists[k].kind), (int)lists[k].op,
              (int)lists[k].type, 0, (uint64_t)ties, 0);
    }
}

static void test_recipes(uint64_t step)
{
    static double x[MOST], y[MOST];
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (int type = REF_F64; type <= REF_F32_WIDE; type++) {
            enum recipe_type of = type == REF_F64 ? RECIPE_F64 : RECIPE_F32;
            for (uint64_t i = 0; i < 40; i += i < 4 ? 1 : step) {
                size_t n = i < 20 ? (size_t)i : (size_t)(i * i * i) % MOST;
                recipe_fill((enum recipe)recipe, of, i, 0, n, x);
                recipe_fill_y((enum recipe)recipe, of, i, 0, n, y);
                compare_ops(recipe_name((enum recipe)recipe), i, REF_SUM, REF_STD, type, x, y, n);
            }
        }
    }
}

/* The order of the elements does not matter. */
static void test_permutations(void)
{
    double x[HARD_MOST], y[HARD_MOST], first, again;
    for (uint64_t i = 0; i < 300; i++) {
        enum hard_kind kind = i % 2 == 0 ? HARD_CANCEL : HARD_VAR;
        size_t n = hard_case_fill(kind, REF_F64, i, x, y);
        for (int op = REF_SUM; op <= REF_STD; op++) {
            reduce(op, REF_F64, REF_EXACT, 0, x, y, n, &first);
            for (uint64_t seed = 0; seed < 3; seed++) {
                hard_case_permute(REF_F64, seed, n, x, y);
                reduce(op, REF_F64, REF_EXACT, 0, x, y, n, &again);
                check(memcmp(&first, &again, sizeof first) == 0, "order", hard_case_name(kind), op,
                      REF_F64, 0, i, n);
            }
        }
    }
}

/* ---- against integers ---- */

static void test_small_float(uint64_t step)
{
    for (int op = REF_SUM; op <= REF_STD; op++) {
        for (int type = REF_F64; type <= REF_F32_WIDE; type++) {
            struct small_float_report report = {0};
            uint32_t stride = (uint32_t)(step * 401); /* prime to 2^24 for an odd step */
            small_float_check(reduce, op, type, (uint32_t)op, stride, &report);
            passed += (long)(report.compared - report.wrong);
            failed += (long)report.wrong;
            if (report.wrong != 0) {
                printf("FAILED 8-bit float: %s\n", report.first_wrong);
            }
        }
    }
}

/* ---- below exact ---- */

/* ldexp() has to round once where its result is subnormal: compared with the integer quotient. */
static void test_ldexp(void)
{
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t m = (i * UINT64_C(0x9E3779B97F4A7C15)) >> 11 | UINT64_C(1) << 52;
        if (i % 4 == 0) { /* near a tie */
            m = (m >> 30 << 30) + (UINT64_C(1) << 29) + i % 3 - 1;
        }
        int drop = i % 4 == 0 ? 30 : (int)(1 + i / 4 % 60);
        uint64_t kept = drop < 64 ? m >> drop : 0, half = UINT64_C(1) << (drop - 1);
        uint64_t rest = m - (kept << drop);
        kept += rest > half || (rest == half && kept % 2 != 0);
        double x = ldexp((double)m, -500), r = ldexp(x, -574 - drop);
        check(r == (double)kept * 0x1p-1074, "ldexp rounds once", "", 0, 0, 0, i, 1);
    }
}

static void expect(const char *what, int op, uint64_t ddof, const double *x, size_t n, double value,
                   int want_status)
{
    for (int level = REF_TREE; level <= REF_EXACT; level++) {
        double r = 0.0;
        int status = reduce(op, REF_F64, level, ddof, x, x, n, &r);
        bool same = isnan(value) ? isnan(r) : r == value && !signbit(r) == !signbit(value);
        check(same && status == want_status, what, "known value", op, level, ddof, 0, n);
    }
}

static void test_known_values(void)
{
    const double large[] = {3 * 0x1p1020, 4 * 0x1p1020};
    const double small[] = {3 * 0x1p-1060, 4 * 0x1p-1060};
    const double offset[] = {0x1p40 + 1, 0x1p40 + 2, 0x1p40 + 4, 0x1p40 + 9};
    const double specials[] = {(double)NAN, 1.0, -HUGE_VAL};
    const double zeros[] = {-0.0, -0.0, -0.0}, tenths[] = {0.1, 0.1, 0.1, 0.1};
    expect("nrm2", REF_NRM2, 0, large, 2, 5 * 0x1p1020, 0);
    expect("nrm2", REF_NRM2, 0, small, 2, 5 * 0x1p-1060, 0);
    expect("nrm2 of nothing", REF_NRM2, 0, NULL, 0, 0.0, 0);
    expect("nrm2 of zeros", REF_NRM2, 0, zeros, 3, 0.0, 0);
    expect("nrm2, infinity beside NaN", REF_NRM2, 0, specials, 3, HUGE_VAL, 0);
    expect("nrm2, NaN", REF_NRM2, 0, specials, 2, (double)NAN, 0);
    expect("mean", REF_MEAN, 0, offset, 4, 0x1p40 + 4, 0);
    expect("mean of zeros", REF_MEAN, 0, zeros, 3, -0.0, 0);
    expect("mean of nothing", REF_MEAN, 0, NULL, 0, (double)NAN, REF_NO_VALUE);
    expect("var", REF_VAR, 0, offset, 4, 9.5, 0);
    expect("var", REF_VAR, 1, offset, 4, 12.666666666666666, 0);
    expect("var of constants", REF_VAR, 1, tenths, 4, 0.0, 0);
    expect("var of one", REF_VAR, 0, tenths, 1, 0.0, 0);
    expect("var of too few", REF_VAR, 1, tenths, 1, (double)NAN, REF_NO_VALUE);
    expect("std of too few", REF_STD, UINT64_MAX, tenths, 4, (double)NAN, REF_NO_VALUE);
    expect("std, infinity", REF_STD, 0, specials + 1, 2, (double)NAN, 0);
}

/* f32: 4,000,000 numbers that alternate between 13090 and 13110. */
static void test_alternating(void)
{
    enum { N = 4000000 };
    float *x = malloc(N * sizeof *x), r[2] = {0};
    for (size_t i = 0; x != NULL && i < N; i++) {
        x[i] = i % 2 == 0 ? 13090.0F : 13110.0F;
    }
    bool made = x != NULL && reduce(REF_MEAN, REF_F32, REF_EXACT, 0, x, x, N, &r[0]) == 0 &&
                reduce(REF_STD, REF_F32, REF_EXACT, 0, x, x, N, &r[1]) == 0;
    check(made && r[0] == 13100.0F && r[1] == 10.0F, "alternating", "", REF_STD, REF_F32, 0, 0, N);
    free(x);
}

/* Norms of every size have a small error at every level, for none is formed of squares that
 * overflow or underflow. */
static void test_norm_errors(void)
{
    static const enum recipe recipes[] = {RECIPE_WIDE,   RECIPE_HUGE,  RECIPE_BIGSQ,
                                          RECIPE_TINYSQ, RECIPE_BRINK, RECIPE_UNIFORM};
    double x[100];
    for (int i = 0; i < 6 * 300; i++) {
        int type = i / 6 % 3;
        size_t n = (size_t)(1 + i % 100);
        recipe_fill(recipes[i % 6], type == REF_F64 ? RECIPE_F64 : RECIPE_F32, (uint64_t)i, 0, n,
                    x);
        struct oracle *oracle = oracle_derive(REF_NRM2, (enum ref_type)type, 0, x, n);
        for (int level = REF_TREE; oracle != NULL && level <= REF_COMPENSATED; level++) {
            double r;
            reduce(REF_NRM2, type, level, 0, x, x, n, &r);
            double ulps = oracle_ulps(oracle, &r); /* infinite: both overflow, or nearly */
            check(fabs(ulps) <= 6.0 || (isinf(ulps) && recipes[i % 6] == RECIPE_HUGE),
                  "error of a norm", recipe_name(recipes[i % 6]), REF_NRM2, type, 0, (uint64_t)i,
                  n);
        }
        oracle_free(oracle);
    }
}

/* SPEC.md 6.1 steps 3 and 4 in other words, for binary64: both values, and the threshold chooses.
 * Below it they sometimes differ. */
static void test_norm_threshold(void)
{
    int differ = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        double x[40], scaled[40], q, s, r, largest = 0.0;
        size_t n = 3 + (size_t)i % 37;
        recipe_fill(RECIPE_UNIFORM, RECIPE_F64, i, 0, n, x);
        /* squares from above the threshold to the smallest numbers */
        for (size_t k = 0; k < n; k++) {
            x[k] = ldexp(x[k], -470 - (int)(i % 67));
            largest = fmax(largest, fabs(x[k]));
        }
        double power = ldexp(1.0, -ilogb(largest)); /* a number of T, so one rounding, here none */
        for (size_t k = 0; k < n; k++) {
            scaled[k] = x[k] * power;
        }
        reduce(REF_SUMSQ, REF_F64, REF_COMPENSATED, 0, x, x, n, &q);
        reduce(REF_SUMSQ, REF_F64, REF_COMPENSATED, 0, scaled, scaled, n, &s);
        reduce(REF_NRM2, REF_F64, REF_COMPENSATED, 0, x, x, n, &r);
        double plain = sqrt(q), rescaled = sqrt(s) / power;
        check(r == (q >= 0x1p-960 ? plain : rescaled), "threshold of nrm2", "", REF_NRM2, REF_F64,
              0, i, n);
        differ += q < 0x1p-960 && plain != rescaled;
    }
    check(differ > 0, "both ways differ", "", REF_NRM2, REF_F64, 0, (uint64_t)differ, 0);
}

/* mean over a range far out has the bits of ref_reduce's sum over it; others refuse below exact. */
static void test_ranges_and_arguments(void)
{
    const double x[] = {1.5, 2.5, 1e300};
    const uint64_t far = UINT64_C(1) << 50;
    double r[3] = {42, 42, 42};
    int good = 0;
    for (int level = REF_TREE; level <= REF_EXACT; level++) {
        enum ref_level l = (enum ref_level)level;
        good += ref_derive(REF_MEAN, REF_F64, l, 16, 0, x, far, far + 2, &r[0]) == 0 && r[0] == 2.0;
        int refused = level == REF_EXACT ? 0 : -1;
        good += ref_derive(REF_VAR, REF_F64, l, 16, 0, x, far, far + 2, &r[1]) == refused;
    }
    good += r[1] == 0.25;
    good += ref_derive(REF_DOT, REF_F64, REF_TREE, 16, 0, x, 0, 1, &r[2]) == -1;
    good += ref_derive((enum ref_op)8, REF_F64, REF_TREE, 16, 0, x, 0, 1, &r[2]) == -1;
    good += ref_derive(REF_MEAN, (enum ref_type)3, REF_TREE, 16, 0, x, 0, 1, &r[2]) == -1;
    good += ref_derive(REF_MEAN, REF_F64, (enum ref_level)4, 16, 0, x, 0, 1, &r[2]) == -1;
    good += ref_derive(REF_MEAN, REF_F64, REF_TREE, 0, 0, x, 0, 1, &r[2]) == -1;
    good += ref_derive(REF_MEAN, REF_F64, REF_TREE, 16, 0, x, 2, 1, &r[2]) == -1;
    good += ref_derive(REF_MEAN, REF_F64, REF_TREE, 16, 0, NULL, 0, 1, &r[2]) == -1;
    good += ref_derive(REF_MEAN, REF_F64, REF_TREE, 16, 0, x, 0, 1, NULL) == -1;
    check(good == 17 && r[2] == 42.0, "ranges and arguments", "", 0, 0, 0, (uint64_t)good, 0);
}

int main(int argc, char **argv)
{
    uint64_t step = argc > 1 ? strtoull(argv[1], NULL, 10) : 7;
    if (step == 0) {
        fprintf(stderr, "usage: check_exact [N]\n");
        return 2;
    }
    test_known_values();
    test_alternating();
    test_ldexp();
    test_norm_errors();
    test_norm_threshold();
    test_ranges_and_arguments();
    test_permutations();
    test_recipes(step);
    test_hard_cases_are_hard();
    test_hard_cases(step);
    test_small_float(step);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
