/* check_row_halves.c - ref_row() of halves: their numbers, their data, and results below exact. */
#include "oracle.h"
#include "ref_half.h"
#include "row_tests.h"

#include <math.h>
#include <string.h>

/* Every code of both formats, the middles between neighbours and what lies beside them. */
static void test_half_codes(void)
{
    for (int type = REF_F16; type <= REF_BF16; type++) {
        struct ref_request q = {.type = (enum ref_type)type};
        enum ref_type t = (enum ref_type)type;
        unsigned infinity = type == REF_F16 ? 0x7c00 : 0x7f80;
        double limit = type == REF_F16 ? 65536.0 : 0x1p128;
        for (unsigned code = 0; code <= 0x7fff; code++) {
            double v = ref_half_value(t, (uint16_t)code);
            double negative = ref_half_value(t, (uint16_t)(code | 0x8000));
            if (code > infinity) {
                unsigned canonical = type == REF_F16 ? 0x7e00 : 0x7fc0;
                row_check(isnan(v) && isnan(negative) && ref_half_bits(t, -v) == canonical,
                          "NaN code", &q, "", code);
                continue;
            }
            uint16_t back = ref_half_bits(t, v), negative_back = ref_half_bits(t, -v);
            row_check(back == code && negative_back == (code | 0x8000) && negative == -v, "code",
                      &q, "", code);
            if (type == REF_BF16) {
                uint32_t bits = (uint32_t)code << 16;
                float narrow;
                memcpy(&narrow, &bits, sizeof narrow);
                row_check((double)narrow == v, "bfloat16 is the upper half of binary32", &q, "",
                          code);
            }
            if (code == infinity) {
                continue;
            }
            double next = code + 1 == infinity ? limit : ref_half_value(t, (uint16_t)(code + 1));
            double middle = v / 2 + next / 2;
            row_check(next > v && ref_half_bits(t, middle) == code + code % 2, "tie", &q, "", code);
            row_check(ref_half_bits(t, nextafter(middle, 0.0)) == code &&
                          ref_half_bits(t, nextafter(middle, HUGE_VAL)) == code + 1,
                      "beside a tie", &q, "", code);
        }
    }
}

/* The compiler's own conversions, where it has the type. */
static void test_half_codes_by_compiler(void)
{
#if defined(__GNUC__) && !defined(__clang__) && defined(__FLT16_MANT_DIG__)
    __extension__ typedef _Float16 half;
    const struct ref_request q = {.type = REF_F16};
    for (unsigned code = 0; code <= 0xffff; code++) {
        uint16_t bits = (uint16_t)code;
        half h;
        memcpy(&h, &bits, sizeof h);
        double v = (double)h, w = ref_half_value(REF_F16, bits);
        row_check(isnan(v) ? isnan(w) : memcmp(&v, &w, sizeof v) == 0, "compiler's value", &q, "",
                  code);
        uint32_t wide = (uint32_t)row_random();
        float narrow;
        memcpy(&narrow, &wide, sizeof narrow);
        /* about binary16's range, or anything */
        narrow = code % 8 == 0 || isnan(narrow)
                     ? narrow
                     : ldexpf(frexpf(narrow, &(int){0}), (int)(row_random() % 44) - 26);
        half rounded = (half)narrow;
        uint16_t expected;
        memcpy(&expected, &rounded, sizeof expected);
        row_check(isnan(narrow) || ref_half_bits(REF_F16, (double)narrow) == expected,
                  "compiler's rounding", &q, "", code);
    }
#endif
}

/* The halves' recipes: known elements, none infinite by accident, and none that depends on where a
 * fill begins. */
static void test_half_recipes(uint16_t *x, uint16_t *tail)
{
    enum { N = 9000, TAIL = 4100 };
    for (int type = REF_F16; type <= REF_BF16; type++) {
        enum ref_type t = (enum ref_type)type;
        struct ref_request q = {.type = t};
        for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
            const char *data = recipe_name((enum recipe)recipe);
            bool special = recipe >= RECIPE_INF && recipe <= RECIPE_NAN;
            double low = HUGE_VAL, high = -HUGE_VAL;
            long odd = 0; /* elements that are not finite */
            recipe_fill((enum recipe)recipe, row_data_type[type], 9, 0, N, x);
            recipe_fill((enum recipe)recipe, row_data_type[type], 9, TAIL, N - TAIL, tail);
            for (size_t i = 0; i < N; i++) {
                double v = ref_half_value(t, x[i]);
                odd += !isfinite(v);
                low = isfinite(v) && fabs(v) < low ? fabs(v) : low;
                high = isfinite(v) && fabs(v) > high ? fabs(v) : high;
            }
            row_check(memcmp(x + TAIL, tail, (N - TAIL) * sizeof *x) == 0, "tail", &q, data, N);
            row_check((odd != 0) == special && odd <= 6, "what is not finite", &q, data, N);
            if (recipe == RECIPE_ONES || recipe == RECIPE_TENTH) {
                double value = recipe == RECIPE_ONES ? 1.0 : 0.1;
                row_check(x[0] == ref_half_bits(t, value) && low == high, "constant", &q, data, N);
            }
            if (recipe == RECIPE_SUBNORMAL || recipe == RECIPE_BRINK || recipe == RECIPE_TINYSQ) {
                row_check(high < 0.05, "small numbers", &q, data, N);
            }
            if (recipe == RECIPE_UNIFORM) {
                row_check(low >= 0.0 && high <= 1.0, "range", &q, data, N);
            }
            if (recipe == RECIPE_BIGSMALL || recipe == RECIPE_STALL || recipe == RECIPE_SPIKE) {
                row_check(high >= (type == REF_F16 ? 0x1p15 : 0x1p24), "big numbers", &q, data, N);
            }
        }
        int bits = type == REF_F16 ? 10 : 7; /* P4016R0's formula in floating point */
        uint64_t state = 9;
        recipe_fill(RECIPE_UNIFORM, row_data_type[type], 9, 0, 1000, x);
        for (int i = 0; i < 1000; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            double one = ldexp(1.0, bits), v = ((double)(state >> (63 - bits)) - one) / one;
            row_check(ref_half_value(t, x[i]) == v, "uniform", &q, "uniform", (uint64_t)i);
        }
    }
}

/* A half's row is the row of its values in binary32, rounded once more; MPFR rounds. */
static void test_halves_below_exact(uint16_t *x, uint16_t *y, float *a, float *b,
                                    unsigned char *keep)
{
    for (int i = 0; i < 2000; i++) {
        int type = i % 2 == 0 ? REF_F16 : REF_BF16, recipe = i / 2 % RECIPE_COUNT;
        size_t n = (size_t)(row_random() % (i % 20 == 0 ? 9000 : 300));
        row_fill(recipe, type, (uint64_t)i, n, x, y);
        row_fill_mask(3, n, keep);
        for (size_t k = 0; k < n; k++) {
            a[k] = (float)ref_half_value((enum ref_type)type, x[k]);
            b[k] = (float)ref_half_value((enum ref_type)type, y[k]);
        }
        for (int op = REF_SUM; op <= REF_STD; op++) {
            for (int weighted = 0; weighted < (op == REF_SUM || op == REF_MEAN ? 2 : 1);
                 weighted++) {
                struct ref_request q = {.op = (enum ref_op)op,
                                        .type = (enum ref_type)type,
                                        .level = (enum ref_level)(i / 3 % 3),
                                        .ddof = 1,
                                        .weighted = weighted != 0};
                struct ref_request narrow = q, in_type = q;
                narrow.type = REF_F32;
                in_type.result_in_input = true;
                float r, s;
                uint16_t h, expected = 0;
                int st_r = ref_row(&narrow, a, b, keep, n, &r);
                int st_s = ref_row(&q, x, y, keep, n, &s);
                int st_h = ref_row(&in_type, x, y, keep, n, &h);
                struct oracle *oracle = oracle_new(REF_SUM, REF_F32, &r, NULL, 1);
                oracle_round_to(oracle, (enum ref_type)type);
                int proved = oracle_result(oracle, &expected, NULL);
                oracle_free(oracle);
                row_check(st_r == st_s && st_r == st_h && memcmp(&r, &s, sizeof r) == 0,
                          "half in binary32", &q, recipe_name((enum recipe)recipe), n);
                row_check(proved == 0 && h == expected, "half rounded once more", &in_type,
                          recipe_name((enum recipe)recipe), n);
            }
        }
    }
}

void row_test_halves(struct row_space *s)
{
    test_half_codes();
    test_half_codes_by_compiler();
    test_half_recipes(s->x, s->y);
    test_halves_below_exact(s->x, s->y, s->a, s->b, s->keep);
}
