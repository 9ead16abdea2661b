/* check_row.c - tests ref_row(): against MPFR at level exact, against ref_reduce() and ref_derive()
 * where they compute the same, and against known values. Exit status 1 if anything differs. */
#include "../tests/vectors/recipes.h"
#include "oracle.h"
#include "ref.h"
#include "ref_half.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20, MOST = 70000, TYPES = 7, OPS = 13 };

static long passed, failed;

static void check(bool good, const char *what, const struct ref_request *q, const char *data,
                  uint64_t n)
{
    if (good) {
        passed++;
    } else if (++failed <= SHOWN) {
        printf("FAILED %s: op %d type %d level %d input %d ignore %d weighted %d data %s n %" PRIu64
               "\n",
               what, (int)q->op, (int)q->type, (int)q->level, q->result_in_input, q->ignore_nan,
               q->weighted, data, n);
    }
}

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* ---- data ---- */

static const enum recipe_type data_type[TYPES] = {RECIPE_F64,  RECIPE_F32, RECIPE_F32, RECIPE_F16,
                                                  RECIPE_BF16, RECIPE_F32, RECIPE_F64};

static bool is_complex(int type)
{
    return type >= REF_C64;
}

static bool is_half(int type)
{
    return type == REF_F16 || type == REF_BF16;
}

/* Bytes of one number. */
static size_t number_size(int type)
{
    return recipe_element_size(data_type[type]);
}

static void fill(int recipe, int type, uint64_t seed, size_t n, void *x, void *y)
{
    size_t numbers = is_complex(type) ? 2 * n : n;
    recipe_fill((enum recipe)recipe, data_type[type], seed, 0, numbers, x);
    recipe_fill_y((enum recipe)recipe, data_type[type], seed, 0, numbers, y);
}

/* Masks out about one element in `one_in`; returns how many are kept. */
static size_t fill_mask(uint64_t one_in, size_t n, unsigned char *keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        keep[i] = random_bits() % one_in != 0 ? (unsigned char)(1 + random_bits() % 255) : 0;
        kept += keep[i] != 0;
    }
    return kept;
}

static size_t result_size(const struct ref_request *q)
{
    bool wide = q->type == REF_F64 || q->type == REF_F32_WIDE || q->type == REF_C128;
    bool two = q->op == REF_MINMAX || (is_complex((int)q->type) &&
                                       (q->op == REF_SUM || q->op == REF_DOT || q->op == REF_MEAN));
    if (q->op == REF_ARGMIN || q->op == REF_ARGMAX) {
        return sizeof(uint64_t);
    }
    size_t size = q->result_in_input && is_half((int)q->type) ? 2 : wide ? 8 : 4;
    return two ? 2 * size : size;
}

static bool is_refused(const struct ref_request *q)
{
    bool cplx = is_complex((int)q->type), index = q->op == REF_ARGMIN || q->op == REF_ARGMAX;
    switch (q->op) {
    case REF_SUM:
    case REF_MEAN:
        return q->conj || (cplx && q->weighted) || (q->type == REF_F32_WIDE && q->result_in_input);
    case REF_DOT:
        return q->weighted || (q->conj && !cplx) || (q->type == REF_F32_WIDE && q->result_in_input);
    case REF_SUMSQ:
    case REF_NRM2:
        return q->weighted || q->conj || (q->type == REF_F32_WIDE && q->result_in_input);
    default:
        return q->weighted || q->conj || cplx ||
               (q->type == REF_F32_WIDE && q->result_in_input && !index);
    }
}

/* ---- the codec ---- */

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
                check(isnan(v) && isnan(negative) && ref_half_bits(t, -v) == canonical, "NaN code",
                      &q, "", code);
                continue;
            }
            uint16_t back = ref_half_bits(t, v), negative_back = ref_half_bits(t, -v);
            check(back == code && negative_back == (code | 0x8000) && negative == -v, "code", &q,
                  "", code);
            if (type == REF_BF16) {
                uint32_t bits = (uint32_t)code << 16;
                float narrow;
                memcpy(&narrow, &bits, sizeof narrow);
                check((double)narrow == v, "bfloat16 is the upper half of binary32", &q, "", code);
            }
            if (code == infinity) {
                continue;
            }
            double next = code + 1 == infinity ? limit : ref_half_value(t, (uint16_t)(code + 1));
            double middle = v / 2 + next / 2;
            check(next > v && ref_half_bits(t, middle) == code + code % 2, "tie", &q, "", code);
            check(ref_half_bits(t, nextafter(middle, 0.0)) == code &&
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
        check(isnan(v) ? isnan(w) : memcmp(&v, &w, sizeof v) == 0, "compiler's value", &q, "",
              code);
        uint32_t wide = (uint32_t)random_bits();
        float narrow;
        memcpy(&narrow, &wide, sizeof narrow);
        /* about binary16's range, or anything */
        narrow = code % 8 == 0 || isnan(narrow)
                     ? narrow
                     : ldexpf(frexpf(narrow, &(int){0}), (int)(random_bits() % 44) - 26);
        half rounded = (half)narrow;
        uint16_t expected;
        memcpy(&expected, &rounded, sizeof expected);
        check(isnan(narrow) || ref_half_bits(REF_F16, (double)narrow) == expected,
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
            recipe_fill((enum recipe)recipe, data_type[type], 9, 0, N, x);
            recipe_fill((enum recipe)recipe, data_type[type], 9, TAIL, N - TAIL, tail);
            for (size_t i = 0; i < N; i++) {
                double v = ref_half_value(t, x[i]);
                odd += !isfinite(v);
                low = isfinite(v) && fabs(v) < low ? fabs(v) : low;
                high = isfinite(v) && fabs(v) > high ? fabs(v) : high;
            }
            check(memcmp(x + TAIL, tail, (N - TAIL) * sizeof *x) == 0, "tail", &q, data, N);
            check((odd != 0) == special && odd <= 6, "what is not finite", &q, data, N);
            if (recipe == RECIPE_ONES || recipe == RECIPE_TENTH) {
                double value = recipe == RECIPE_ONES ? 1.0 : 0.1;
                check(x[0] == ref_half_bits(t, value) && low == high, "constant", &q, data, N);
            }
            if (recipe == RECIPE_SUBNORMAL || recipe == RECIPE_BRINK || recipe == RECIPE_TINYSQ) {
                check(high < 0.05, "small numbers", &q, data, N);
            }
            if (recipe == RECIPE_UNIFORM) {
                check(low >= 0.0 && high <= 1.0, "range", &q, data, N);
            }
            if (recipe == RECIPE_BIGSMALL || recipe == RECIPE_STALL || recipe == RECIPE_SPIKE) {
                check(high >= (type == REF_F16 ? 0x1p15 : 0x1p24), "big numbers", &q, data, N);
            }
        }
        int bits = type == REF_F16 ? 10 : 7; /* P4016R0's formula in floating point */
        uint64_t state = 9;
        recipe_fill(RECIPE_UNIFORM, data_type[type], 9, 0, 1000, x);
        for (int i = 0; i < 1000; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            double one = ldexp(1.0, bits), v = ((double)(state >> (63 - bits)) - one) / one;
            check(ref_half_value(t, x[i]) == v, "uniform", &q, "uniform", (uint64_t)i);
        }
    }
}

/* ---- against ref_reduce() and ref_derive() ---- */

static int old(const struct ref_request *q, const void *x, const void *y, uint64_t begin,
               uint64_t end, void *result)
{
    return q->op <= REF_DOT
               ? ref_reduce(q->op, q->type, q->level, REF_LANES, x, y, begin, end, result)
               : ref_derive(q->op, q->type, q->level, REF_LANES, q->ddof, x, begin, end, result);
}

/* The same bytes and status, with a result that each of both has to write. */
static bool same_as_old(const struct ref_request *q, const void *x, const void *y,
                        const unsigned char *keep, uint64_t n, const void *old_x, const void *old_y,
                        uint64_t begin)
{
    unsigned char a[16], b[16];
    memset(a, 0xa5, sizeof a);
    memset(b, 0x5a, sizeof b);
    int status = ref_row(q, x, y, keep, n, a);
    return status >= 0 && status == old(q, old_x, old_y, begin, n, b) &&
           memcmp(a, b, result_size(q)) == 0 && a[result_size(q)] == 0xa5;
}

static void test_without_mask(void *x, void *y, unsigned char *keep)
{
    memset(keep, 1, MOST);
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (int type = REF_F64; type <= REF_F32_WIDE; type++) {
            for (size_t i = 0; i < 40; i++) {
                size_t n = i < 34                  ? i
                           : i == 39 && recipe < 6 ? MOST
                                                   : (size_t)(random_bits() % 9000);
                fill(recipe, type, i, n, x, y);
                for (int op = REF_SUM; op <= REF_STD; op++) {
                    struct ref_request q = {.op = (enum ref_op)op,
                                            .type = (enum ref_type)type,
                                            .level = (enum ref_level)((i + (size_t)op) % 4),
                                            .ddof = i % 3};
                    check(same_as_old(&q, x, y, i % 2 == 0 ? NULL : keep, n, x, y, 0), "no mask",
                          &q, recipe_name((enum recipe)recipe), n);
                }
            }
        }
    }
}

/* What is masked out at either end is what lies outside of a range (SPEC.md 1.5): the elements keep
 * their indices. */
static void test_mask_at_ends(void *x, void *y, unsigned char *keep)
{
    for (int i = 0; i < 3000; i++) {
        int type = i % 3, recipe = i / 3 % RECIPE_COUNT;
        size_t n = (size_t)(random_bits() % (i % 20 == 0 ? 20000 : 600)), size = number_size(type);
        size_t begin = n == 0 ? 0 : (size_t)(random_bits() % n);
        size_t end = begin + (n == begin ? 0 : (size_t)(random_bits() % (n - begin)));
        fill(recipe, type, (uint64_t)i, n, x, y);
        for (size_t k = 0; k < n; k++) {
            keep[k] = k >= begin && k < end;
        }
        for (int op = REF_SUM; op <= REF_MEAN; op++) {
            struct ref_request q = {.op = (enum ref_op)op,
                                    .type = (enum ref_type)type,
                                    .level = (enum ref_level)(i / 7 % 4)};
            unsigned char a[16] = {0}, b[16] = {0};
            if (op == REF_NRM2) {
                continue;
            }
            int status = ref_row(&q, x, y, keep, n, a);
            int old_status =
                old(&q, (char *)x + begin * size, (char *)y + begin * size, begin, end, b);
            check(status == old_status && memcmp(a, b, result_size(&q)) == 0, "masked ends", &q,
                  recipe_name((enum recipe)recipe), n);
        }
    }
}

/* An absent leaf may be stored as -0.0 where something is present (SPEC.md 1.5). */
static void test_mask_as_padding(void *x, void *y, void *z, unsigned char *keep)
{
    for (int i = 0; i < 3000; i++) {
        int type = i % 3, recipe = i / 3 % RECIPE_COUNT;
        size_t n = 1 + (size_t)(random_bits() % (i % 20 == 0 ? 20000 : 600));
        fill(recipe, type, (uint64_t)i, n, x, y);
        if (fill_mask(1 + random_bits() % 5, n, keep) == 0) {
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            bool kept = keep[k] != 0;
            if (type == REF_F64) {
                ((double *)z)[k] = kept ? ((double *)x)[k] : -0.0;
                ((double *)y)[k] = kept ? ((double *)y)[k] : 1.0;
            } else {
                ((float *)z)[k] = kept ? ((float *)x)[k] : -0.0F;
                ((float *)y)[k] = kept ? ((float *)y)[k] : 1.0F;
            }
        }
        for (int op = REF_SUM; op <= REF_NRM2; op++) {
            struct ref_request q = {.op = (enum ref_op)op,
                                    .type = (enum ref_type)type,
                                    .level = (enum ref_level)(i / 7 % 4)};
            check(same_as_old(&q, x, y, keep, n, z, y, 0), "mask as padding", &q,
                  recipe_name((enum recipe)recipe), n);
        }
    }
}

/* SPEC.md 6.2 and 6.3 step 2 in other words, for binary64 with a mask: from sums by ref_row(). */
static void test_masked_statistics(double *x, double *d, unsigned char *keep)
{
    for (int i = 0; i < 600; i++) {
        int recipe = i % RECIPE_COUNT;
        size_t n = (size_t)(random_bits() % 3000);
        recipe_fill((enum recipe)recipe, RECIPE_F64, (uint64_t)i, 0, n, x);
        size_t kept = fill_mask(2 + random_bits() % 3, n, keep);
        struct ref_request q = {.type = REF_F64, .level = (enum ref_level)(i % 3)};
        double sum, squares, mean, var, expected, std;
        ref_row(&q, x, NULL, keep, n, &sum);
        q.op = REF_MEAN;
        int status = ref_row(&q, x, NULL, keep, n, &mean);
        check(kept == 0 ? status == REF_NO_VALUE && isnan(mean)
                        : status == 0 && (mean == sum / (double)kept || isnan(sum)),
              "masked mean", &q, recipe_name((enum recipe)recipe), n);
        for (size_t k = 0; k < n; k++) {
            d[k] = x[k] - mean;
        }
        q.op = REF_SUM;
        ref_row(&q, d, NULL, keep, n, &sum);
        q.op = REF_SUMSQ;
        ref_row(&q, d, NULL, keep, n, &squares);
        q.op = REF_VAR;
        q.ddof = 1;
        status = ref_row(&q, x, NULL, keep, n, &var);
        q.op = REF_STD;
        ref_row(&q, x, NULL, keep, n, &std);
        expected = (squares - sum * sum / (double)kept) / (double)(kept - 1);
        expected = expected <= 0.0 ? 0.0 : expected;
        bool good =
            kept < 2 ? status == REF_NO_VALUE && isnan(var) && isnan(std)
                     : status == 0 && (isnan(expected) ? isnan(var) && isnan(std)
                                                       : var == expected && std == sqrt(expected));
        check(good, "masked variance", &q, recipe_name((enum recipe)recipe), n);
    }
}

/* A half's row is the row of its values in binary32, rounded once more; MPFR rounds. */
static void test_halves_below_exact(uint16_t *x, uint16_t *y, float *a, float *b,
                                    unsigned char *keep)
{
    for (int i = 0; i < 2000; i++) {
        int type = i % 2 == 0 ? REF_F16 : REF_BF16, recipe = i / 2 % RECIPE_COUNT;
        size_t n = (size_t)(random_bits() % (i % 20 == 0 ? 9000 : 300));
        fill(recipe, type, (uint64_t)i, n, x, y);
        fill_mask(3, n, keep);
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
                check(st_r == st_s && st_r == st_h && memcmp(&r, &s, sizeof r) == 0,
                      "half in binary32", &q, recipe_name((enum recipe)recipe), n);
                check(proved == 0 && h == expected, "half rounded once more", &in_type,
                      recipe_name((enum recipe)recipe), n);
            }
        }
    }
}

/* SPEC.md 6.7 below exact. */
static void test_weighted_below_exact(void *x, void *y, unsigned char *keep)
{
    for (int i = 0; i < 1000; i++) {
        int type = i % 3, recipe = i / 3 % RECIPE_COUNT;
        size_t n = (size_t)(random_bits() % 600);
        fill(recipe, type, (uint64_t)i, n, x, y);
        size_t kept = fill_mask(4, n, keep);
        struct ref_request q = {
            .op = REF_DOT, .type = (enum ref_type)type, .level = (enum ref_level)(i / 7 % 3)};
        unsigned char dot[8] = {0}, sum[8] = {0}, weights[8] = {0}, mean[8] = {0};
        ref_row(&q, y, x, keep, n, dot);
        q.op = REF_SUM;
        ref_row(&q, y, NULL, keep, n, weights);
        q.weighted = true;
        ref_row(&q, x, y, keep, n, sum);
        check(memcmp(dot, sum, 8) == 0, "weighted sum", &q, recipe_name((enum recipe)recipe), n);
        q.op = REF_MEAN;
        int status = ref_row(&q, x, y, keep, n, mean);
        bool good;
        if (type == REF_F32) {
            float d, w, m;
            memcpy(&d, dot, sizeof d);
            memcpy(&w, weights, sizeof w);
            memcpy(&m, mean, sizeof m);
            float quotient = d / w;
            good = w == 0.0F || isnan(quotient) ? isnan(m) : memcmp(&quotient, &m, sizeof m) == 0;
        } else {
            double d, w, m;
            memcpy(&d, dot, sizeof d);
            memcpy(&w, weights, sizeof w);
            memcpy(&m, mean, sizeof m);
            double quotient = d / w;
            good = w == 0.0 || isnan(quotient) ? isnan(m) : memcmp(&quotient, &m, sizeof m) == 0;
        }
        check(good && status == (kept == 0 ? REF_NO_VALUE : 0), "weighted mean", &q,
              recipe_name((enum recipe)recipe), n);
    }
}

/* ---- complex data, every level: rows of reals made as SPEC.md 6.8 says ---- */

static double part_of(int type, const void *array, size_t i)
{
    return type == REF_C128 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

static void set_part(int type, void *array, size_t i, double value)
{
    if (type == REF_C128) {
        ((double *)array)[i] = value;
    } else {
        ((float *)array)[i] = (float)value;
    }
}

/* Compares number `part` of a result with a row of reals. */
static void compare_part(const struct ref_request *q, const unsigned char *got, int part,
                         const void *a, const void *b, const unsigned char *keep, size_t n,
                         const char *data)
{
    struct ref_request real = {.op = q->op, .level = q->level};
    real.type = q->type == REF_C128 ? REF_F64 : REF_F32;
    unsigned char want[8];
    ref_row(&real, a, b, keep, n, want);
    size_t size = real.type == REF_F64 ? 8 : 4;
    check(memcmp(got + (size_t)part * size, want, size) == 0, "complex", q, data, n);
    if (q->level == REF_EXACT && q->op <= REF_DOT) { /* and without a mask by MPFR */
        size_t kept = 0;
        void *c = malloc((n + 1) * size), *d = malloc((n + 1) * size);
        for (size_t i = 0; i < n && c != NULL && d != NULL; i++) {
            if (keep[i] != 0) {
                memcpy((char *)c + kept * size, (const char *)a + i * size, size);
                memcpy((char *)d + kept++ * size, (const char *)b + i * size, size);
            }
        }
        struct oracle *oracle = oracle_new(q->op, real.type, c, d, kept);
        bool proved = oracle != NULL && oracle_result(oracle, want, NULL) == 0;
        check(proved && memcmp(got + (size_t)part * size, want, size) == 0, "complex, by MPFR", q,
              data, n);
        oracle_free(oracle);
        free(c);
        free(d);
    }
}

static void test_complex(void *x, void *y, void *a, void *b, unsigned char *keep,
                         unsigned char *keep2)
{
    for (int i = 0; i < 1600; i++) {
        int type = i % 2 == 0 ? REF_C64 : REF_C128, recipe = i / 2 % RECIPE_COUNT;
        const char *data = recipe_name((enum recipe)recipe);
        size_t n = (size_t)(random_bits() % (i % 40 == 0 ? 9000 : 200));
        fill(recipe, type, (uint64_t)i, n, x, y);
        fill_mask(i % 3 == 0 ? UINT64_MAX : 4, n, keep);
        for (size_t k = 0; k < 2 * n; k++) {
            keep2[k] = keep[k / 2];
        }
        struct ref_request q = {.type = (enum ref_type)type, .level = (enum ref_level)(i / 3 % 4)};
        unsigned char got[16];
        for (int op = REF_SUMSQ; op <= REF_NRM2; op += REF_NRM2 - REF_SUMSQ) {
            q.op = (enum ref_op)op;
            ref_row(&q, x, NULL, keep, n, got);
            compare_part(&q, got, 0, x, x, keep2, 2 * n, data);
        }
        for (int op = REF_SUM; op <= REF_MEAN; op += REF_MEAN - REF_SUM) {
            q.op = (enum ref_op)op;
            int status = ref_row(&q, x, NULL, keep, n, got);
            check(status >= 0, "status", &q, data, n);
            for (int part = 0; part < 2; part++) {
                for (size_t k = 0; k < n; k++) {
                    set_part(type, a, k, part_of(type, x, 2 * k + (size_t)part));
                }
                compare_part(&q, got, part, a, a, keep, n, data);
            }
        }
        q.op = REF_DOT;
        for (int conj = 0; conj < 2; conj++) {
            double sign = conj ? -1.0 : 1.0; /* of the imaginary part of x */
            q.conj = conj != 0;
            ref_row(&q, x, y, keep, n, got);
            for (size_t k = 0; k < n; k++) {
                double xr = part_of(type, x, 2 * k), xi = sign * part_of(type, x, 2 * k + 1);
                set_part(type, a, 2 * k, xr);
                set_part(type, a, 2 * k + 1, -xi);
                set_part(type, b, 2 * k, part_of(type, y, 2 * k));
                set_part(type, b, 2 * k + 1, part_of(type, y, 2 * k + 1));
            }
            compare_part(&q, got, 0, a, b, keep2, 2 * n, data);
            for (size_t k = 0; k < n; k++) {
                double xi = sign * part_of(type, x, 2 * k + 1);
                set_part(type, a, 2 * k + 1, xi);
                set_part(type, b, 2 * k, part_of(type, y, 2 * k + 1));
                set_part(type, b, 2 * k + 1, part_of(type, y, 2 * k));
            }
            compare_part(&q, got, 1, a, b, keep2, 2 * n, data);
        }
        q.conj = false;
    }
}

/* ---- level exact of real data, against MPFR ---- */

/* Moves what is kept to the front; returns how many. Exact results depend on no index. */
static size_t compress(size_t size, const unsigned char *keep, size_t n, void *x, void *y)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (keep[i] != 0) {
            memmove((char *)x + kept * size, (char *)x + i * size, size);
            memmove((char *)y + kept++ * size, (char *)y + i * size, size);
        }
    }
    return kept;
}

static struct oracle *oracle_of(const struct ref_request *q, const void *x, const void *y, size_t n)
{
    if (q->weighted) {
        return q->op == REF_MEAN ? oracle_weighted_mean(q->type, x, y, n)
                                 : oracle_new(REF_DOT, q->type, x, y, n);
    }
    return q->op <= REF_DOT ? oracle_new(q->op, q->type, x, y, n)
                            : oracle_derive(q->op, q->type, q->ddof, x, n);
}

static void compare_exact(int recipe, int type, uint64_t seed, size_t n, void *x, void *y,
                          unsigned char *keep)
{
    struct {
        struct ref_request q;
        unsigned char bits[8];
        int status;
    } got[40];
    int count = 0;
    const char *data = recipe_name((enum recipe)recipe);
    fill(recipe, type, seed, n, x, y);
    fill_mask(seed % 3 == 0 ? UINT64_MAX : 3, n, keep);
    for (int k = 0; k < 40; k++) {
        int op = k % 10 <= REF_STD ? k % 10 : k % 10 == 8 ? REF_SUM : REF_MEAN;
        struct ref_request q = {.op = (enum ref_op)op,
                                .type = (enum ref_type)type,
                                .level = REF_EXACT,
                                .weighted = k % 10 > REF_STD,
                                .ddof = (uint64_t)(k / 10 % 2),
                                .result_in_input = k >= 20};
        if (!is_refused(&q) && (is_half(type) || !q.result_in_input)) {
            got[count].q = q;
            got[count].status = ref_row(&q, x, y, keep, n, got[count].bits);
            count++;
        }
    }
    n = compress(number_size(type), keep, n, x, y);
    for (int k = 0; k < count; k++) {
        const struct ref_request *q = &got[k].q;
        unsigned char want[8];
        struct oracle *oracle = oracle_of(q, x, y, n);
        if (oracle == NULL) {
            check(false, "oracle is exact", q, data, n);
            continue;
        }
        if (q->result_in_input) {
            oracle_round_to(oracle, q->type);
        }
        bool proved = oracle_result(oracle, want, NULL) == 0;
        double ulps = oracle_ulps(oracle, want);
        bool none = (q->op == REF_MEAN && n == 0) || (q->op >= REF_VAR && n <= q->ddof);
        check(proved, "oracle rounds", q, data, n);
        check(got[k].status == (none ? REF_NO_VALUE : 0), "status", q, data, n);
        check(memcmp(got[k].bits, want, result_size(q)) == 0, "exact", q, data, n);
        check(fabs(ulps) <= 0.5 || isinf(ulps), "half an ulp", q, data, n);
        oracle_free(oracle);
    }
}

static void test_exact(void *x, void *y, unsigned char *keep, uint64_t step)
{
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (int type = REF_F64; type <= REF_BF16; type++) {
            for (uint64_t i = 0; i < 40; i += i < 6 ? 1 : step) {
                size_t n = i < 20 ? (size_t)i : (size_t)(random_bits() % 3000);
                compare_exact(recipe, type, i, n, x, y, keep);
            }
        }
    }
}

/* Halves with few bits, so that sums, quotients and roots meet the halfway points of the half type
 * and of binary32: short rows of small integers and of any codes. */
static void test_exact_halfway(uint16_t *x, uint16_t *y, uint64_t step)
{
    for (uint64_t i = 0; i < 60000; i += step) {
        enum ref_type type = i % 2 == 0 ? REF_F16 : REF_BF16;
        size_t n = (size_t)(1 + random_bits() % 5);
        for (size_t k = 0; k < n; k++) {
            bool any_code = i % 6 == 0;
            double v = (double)(random_bits() % 64) - 16, w = (double)(random_bits() % 16) - 4;
            int shift = (int)(random_bits() % 3) * (type == REF_F16 ? 5 : 4);
            x[k] = any_code ? (uint16_t)random_bits() : ref_half_bits(type, ldexp(v, shift));
            y[k] = any_code ? (uint16_t)random_bits() : ref_half_bits(type, ldexp(w, shift / 2));
        }
        int k = (int)(random_bits() % 10);
        struct ref_request q = {.op = k <= REF_STD ? (enum ref_op)k
                                      : k == 8     ? REF_SUM
                                                   : REF_MEAN,
                                .type = type,
                                .level = REF_EXACT,
                                .weighted = k > REF_STD,
                                .result_in_input = i % 3 != 0};
        unsigned char got[8] = {0}, want[8] = {0};
        int status = ref_row(&q, x, y, NULL, n, got);
        struct oracle *oracle = oracle_of(&q, x, y, n);
        if (q.result_in_input) {
            oracle_round_to(oracle, type);
        }
        bool proved = oracle != NULL && oracle_result(oracle, want, NULL) == 0;
        check(proved && status == 0 && memcmp(got, want, result_size(&q)) == 0, "short halves", &q,
              "", n);
        oracle_free(oracle);
    }
}

/* ---- the extremes ---- */

/* SPEC.md 6.5 by integers that are ordered as the numbers are, NaNs apart. */
static void compare_extremes(int type, const void *x, const unsigned char *keep, size_t n,
                             const char *data)
{
    for (int ignore = 0; ignore < 2; ignore++) {
        int64_t low = 0, high = 0;
        uint64_t at_low = UINT64_MAX, at_high = UINT64_MAX, first = UINT64_MAX, nan = UINT64_MAX;
        for (size_t i = 0; i < n; i++) {
            if (keep[i] == 0) {
                continue;
            }
            size_t size = number_size(type);
            uint64_t bits = 0, sign = UINT64_C(1) << (8 * size - 1);
            memcpy(&bits, (const char *)x + i * size, size); /* little-endian */
            int exponent_bits = type == REF_F64 ? 11 : type == REF_F16 ? 5 : 8;
            int fraction_bits = (int)(8 * size) - 1 - exponent_bits;
            uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << fraction_bits;
            first = first == UINT64_MAX ? i : first;
            if ((bits & (sign - 1)) > infinity) {
                nan = nan == UINT64_MAX ? i : nan;
                continue;
            }
            int64_t key = bits & sign ? -1 - (int64_t)(bits & (sign - 1)) : (int64_t)bits;
            if (at_low == UINT64_MAX || key < low) {
                low = key;
                at_low = i;
            }
            if (at_high == UINT64_MAX || key > high) {
                high = key;
                at_high = i;
            }
        }
        bool is_nan = (!ignore && nan != UINT64_MAX) || at_low == UINT64_MAX;
        if (is_nan) {
            at_low = at_high = ignore ? first : nan;
        }
        for (int op = REF_MIN; op <= REF_MINMAX; op++) {
            struct ref_request q = {.op = (enum ref_op)op,
                                    .type = (enum ref_type)type,
                                    .level = (enum ref_level)(n % 4),
                                    .ignore_nan = ignore != 0,
                                    .result_in_input = type != REF_F32_WIDE};
            unsigned char got[16], want[16] = {0};
            int status = ref_row(&q, x, NULL, keep, n, got), want_status = 0;
            uint64_t at = op == REF_MIN || op == REF_ARGMIN || op == REF_MINMAX ? at_low : at_high;
            if (op == REF_ARGMIN || op == REF_ARGMAX) {
                memcpy(want, &at, sizeof at);
                want_status = first == UINT64_MAX ? REF_EMPTY : 0;
            } else {
                want_status = first == UINT64_MAX ? REF_NO_VALUE : 0;
                size_t size = number_size(type), into = type == REF_F32_WIDE ? 8 : size;
                for (int part = 0; part < (op == REF_MINMAX ? 2 : 1); part++) {
                    uint64_t from = part == 0 ? at : at_high;
                    uint64_t canonical = into == 8          ? UINT64_C(0x7ff8000000000000)
                                         : into == 4        ? 0x7fc00000
                                         : type == REF_BF16 ? 0x7fc0
                                                            : 0x7e00;
                    unsigned char *to = want + (size_t)part * into;
                    if (is_nan) {
                        memcpy(to, &canonical, into);
                    } else if (type == REF_F32_WIDE) {
                        double wide = (double)((const float *)x)[from];
                        memcpy(to, &wide, sizeof wide);
                    } else {
                        memcpy(to, (const char *)x + from * size, size);
                    }
                }
            }
            check(status == want_status && memcmp(got, want, result_size(&q)) == 0, "extreme", &q,
                  data, n);
        }
    }
}

static void put(int type, void *x, size_t i, double value)
{
    if (is_half(type)) {
        ((uint16_t *)x)[i] = ref_half_bits((enum ref_type)type, value);
    } else if (type == REF_F64) {
        ((double *)x)[i] = value;
    } else {
        ((float *)x)[i] = (float)value;
    }
}

static void test_extremes(void *x, void *y, unsigned char *keep)
{
    for (int type = REF_F64; type <= REF_BF16; type++) {
        for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
            for (size_t i = 0; i < 60; i++) {
                size_t n = i < 20 ? i : (size_t)(random_bits() % 5000);
                fill(recipe, type, i, n, x, y);
                fill_mask(i % 3 == 0 ? UINT64_MAX : 1 + i % 4, n, keep);
                compare_extremes(type, x, keep, n, recipe_name((enum recipe)recipe));
            }
        }
        memset(keep, 1, 128);
        for (size_t n = 1; n <= 70; n++) { /* one NaN, at every index; then NaNs alone */
            for (size_t at = 0; at <= n; at++) {
                for (size_t i = 0; i < n; i++) {
                    put(type, x, i, i == at || at == n ? (double)NAN : (double)(i * 7 % 13) - 6);
                }
                compare_extremes(type, x, keep, n, "one NaN");
            }
        }
        for (int k = 0; k < 2; k++) { /* both zeros, in both orders */
            put(type, x, 0, k == 0 ? 0.0 : -0.0);
            put(type, x, 1, k == 0 ? -0.0 : 0.0);
            compare_extremes(type, x, keep, 2, "zeros");
            uint64_t at = 9;
            struct ref_request q = {.op = REF_ARGMIN, .type = (enum ref_type)type};
            ref_row(&q, x, NULL, NULL, 2, &at);
            check(at == (k == 0 ? 1 : 0), "-0.0 is less", &q, "zeros", 2);
        }
    }
}

/* ---- known values and refusals ---- */

static double value_of(enum ref_op op, enum ref_type type, int level, bool in_type, const void *x,
                       const void *weights, size_t n)
{
    struct ref_request q = {.op = op,
                            .type = type,
                            .level = (enum ref_level)level,
                            .result_in_input = in_type,
                            .weighted = weights != NULL};
    uint16_t half;
    float narrow;
    double wide;
    bool is_f64 = type == REF_F64 || type == REF_F32_WIDE;
    ref_row(&q, x, weights, NULL, n,
            in_type && is_half((int)type) ? (void *)&half
            : is_f64                      ? (void *)&wide
                                          : (void *)&narrow);
    return in_type && is_half((int)type) ? ref_half_value(type, half)
           : is_f64                      ? wide
                                         : (double)narrow;
}

static void expect(const char *what, double got, double want)
{
    const struct ref_request q = {.op = REF_SUM};
    check(isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want), what, &q,
          "known value", 0);
}

static void test_known_halves(uint16_t *x)
{
    uint16_t big[8];
    for (size_t i = 0; i < MOST; i++) {
        x[i] = 0x3c00; /* 1 */
    }
    for (size_t i = 0; i < 8; i++) {
        big[i] = ref_half_bits(REF_F16, i < 4 ? 32000.0 : -32000.0);
    }
    for (int level = REF_TREE; level <= REF_EXACT; level++) {
        expect("mean of 70000 ones", value_of(REF_MEAN, REF_F16, level, false, x, NULL, MOST), 1.0);
        expect("mean of 70000 ones", value_of(REF_MEAN, REF_F16, level, true, x, NULL, MOST), 1.0);
        expect("4 and -4 times 32000", value_of(REF_SUM, REF_F16, level, true, big, NULL, 8), 0.0);
        expect("65519 ones", value_of(REF_SUM, REF_F16, level, true, x, NULL, 65519), 65504.0);
        expect("65520 ones", value_of(REF_SUM, REF_F16, level, true, x, NULL, 65520), HUGE_VAL);
    }
    for (size_t i = 0; i < 1003; i++) {
        x[i] = 0x3f80;
    }
    for (int level = REF_TREE; level <= REF_EXACT; level++) {
        for (size_t n = 1001; n <= 1003; n++) {
            expect("1001 to 1003 ones in bfloat16",
                   value_of(REF_SUM, REF_BF16, level, true, x, NULL, n),
                   n < 1003 ? 1000.0 : 1004.0);
        }
    }
    /* 256 + 1 + 2^-24 is above a tie of bfloat16 and rounds to that tie in binary32: exactly one
     * rounding goes up, two go to the even 256. */
    const uint16_t twice[3] = {0x4380, 0x3f80, 0x3380};
    expect("two roundings", value_of(REF_SUM, REF_BF16, REF_TREE, true, twice, NULL, 3), 256.0);
    expect("one rounding", value_of(REF_SUM, REF_BF16, REF_EXACT, true, twice, NULL, 3), 258.0);
}

static void test_known_weights(void)
{
    const double x[] = {1.0, 2.0, 4.0}, w[] = {1.0, 1.0, 2.0}, zero[] = {1.0, -1.0, 0.0};
    const double infinite[] = {HUGE_VAL, 1.0, 1.0}, huge[] = {0x1p1023, 0x1p1023, 0x1p1023};
    const double minus[] = {-0.0, -0.0, -0.0}, nan[] = {(double)NAN, 1.0, 1.0};
    for (int level = REF_TREE; level <= REF_EXACT; level++) {
        expect("weighted mean", value_of(REF_MEAN, REF_F64, level, false, x, w, 3), 2.75);
        expect("weighted sum", value_of(REF_SUM, REF_F64, level, false, x, w, 3), 11.0);
        expect("no weight", value_of(REF_MEAN, REF_F64, level, false, x, zero, 3), (double)NAN);
        expect("no weight", value_of(REF_MEAN, REF_F64, level, false, infinite, minus, 3),
               (double)NAN);
        expect("NaN", value_of(REF_MEAN, REF_F64, level, false, nan, w, 3), (double)NAN);
        expect("an infinite weight", value_of(REF_MEAN, REF_F64, level, false, x, infinite, 3),
               (double)NAN);
        expect("an infinite element", value_of(REF_MEAN, REF_F64, level, false, infinite, w, 3),
               HUGE_VAL);
        expect("zeros", value_of(REF_MEAN, REF_F64, level, false, minus, w, 3), -0.0);
        expect("nothing", value_of(REF_MEAN, REF_F64, level, false, x, w, 0), (double)NAN);
        expect("nothing", value_of(REF_SUM, REF_F64, level, false, x, w, 0), 0.0);
    }
    expect("beyond the range", value_of(REF_MEAN, REF_F64, REF_EXACT, false, x, huge, 3),
           7.0 / 3.0);
}

/* A binary32 sum that stalls at 2^24, and a mean outside of the data. */
static void test_known_floats(float *x)
{
    struct ref_request q = {.type = REF_F32};
    x[0] = 0x1p24F;
    for (size_t i = 1; i <= 1000; i++) {
        x[i] = 1.0F;
    }
    for (int level = REF_COMPENSATED; level <= REF_EXACT; level++) {
        expect("stall", value_of(REF_SUM, REF_F32, level, false, x, NULL, 1001), 16778216.0);
    }
    enum { N = 4000000 };
    float *y = malloc(N * sizeof *y);
    for (size_t i = 0; y != NULL && i < N; i++) {
        y[i] = i % 2 == 0 ? 13090.0F : 13110.0F;
    }
    check(y != NULL, "memory", &q, "", N);
    if (y != NULL) {
        expect("mean", value_of(REF_MEAN, REF_F32, REF_EXACT, false, y, NULL, N), 13100.0);
        expect("std", value_of(REF_STD, REF_F32, REF_EXACT, false, y, NULL, N), 10.0);
    }
    free(y);
}

static void test_refusals(void)
{
    const double x[4] = {1.0, 2.0, 3.0, 4.0};
    for (int k = 0; k < OPS * TYPES * 4 * 8; k++) {
        int flags = k % 8;
        struct ref_request q = {.op = (enum ref_op)(k / 8 % OPS),
                                .type = (enum ref_type)(k / 8 / OPS % TYPES),
                                .level = (enum ref_level)(k / 8 / OPS / TYPES),
                                .result_in_input = (flags & 1) != 0,
                                .conj = (flags & 2) != 0,
                                .weighted = (flags & 4) != 0};
        unsigned char r[17], untouched[17];
        memset(r, 0xa5, sizeof r);
        memset(untouched, 0xa5, sizeof untouched);
        int status = ref_row(&q, x, x, NULL, 2, r);
        size_t size = is_refused(&q) ? 0 : result_size(&q);
        check(status == (is_refused(&q) ? -1 : 0) &&
                  memcmp(r + size, untouched + size, sizeof r - size) == 0,
              "refusal", &q, "", (uint64_t)flags);
    }
    struct ref_request good = {.op = REF_DOT}, bad[3] = {{.op = (enum ref_op)OPS},
                                                         {.type = (enum ref_type)TYPES},
                                                         {.level = (enum ref_level)4}};
    double r = 42.0;
    for (int i = 0; i < 3; i++) {
        check(ref_row(&bad[i], x, x, NULL, 1, &r) == -1, "unknown", &bad[i], "", 1);
    }
    check(ref_row(&good, x, NULL, NULL, 1, &r) == -1, "no y", &good, "", 1);
    check(ref_row(&good, NULL, x, NULL, 1, &r) == -1, "no x", &good, "", 1);
    check(ref_row(&good, x, x, NULL, 1, NULL) == -1 && r == 42.0, "no result", &good, "", 1);
    check(ref_row(&good, NULL, NULL, NULL, 0, &r) == 0 && r == 0.0, "nothing", &good, "", 0);
}

static void test_missing(void)
{
    const float a[] = {-1e34F, 0.0F, -0.0F, NAN, 1.0F};
    const float c[] = {2.0F, 0.0F, 2.0F, -0.0F, 2.0F, 1.0F, 0.0F, 2.0F, 2.0F, NAN};
    const uint16_t h[] = {0x7c00, 0x2e66, 0x0000, 0x7e01, 0x3c00};
    const struct {
        enum ref_type type;
        double value;
        const void *x;
        const char *kept;
    } cases[] = {{REF_F32, -1e34, a, "01111"},       {REF_F32, -0.0, a, "10011"},
                 {REF_F32, (double)NAN, a, "11101"}, {REF_C64, 2.0, c, "00111"},
                 {REF_C64, (double)NAN, c, "11110"}, {REF_F16, 0.1, h, "10111"},
                 {REF_F16, 70000.0, h, "01111"},     {REF_F16, (double)NAN, h, "11101"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        unsigned char keep[5] = {1, 1, 1, 1, 1};
        bool good = true;
        ref_mark_missing(cases[k].type, cases[k].value, cases[k].x, 5, keep);
        for (int i = 0; i < 5; i++) {
            good = good && keep[i] == cases[k].kept[i] - '0';
        }
        const struct ref_request q = {.type = cases[k].type};
        check(good, "missing", &q, "", k);
    }
}

int main(int argc, char **argv)
{
    uint64_t step = argc > 1 ? strtoull(argv[1], NULL, 10) : 7;
    void *x = malloc(2 * MOST * sizeof(double)), *y = malloc(2 * MOST * sizeof(double));
    void *a = malloc(2 * MOST * sizeof(double)), *b = malloc(2 * MOST * sizeof(double));
    unsigned char *keep = malloc(2 * MOST), *keep2 = malloc(2 * MOST);
    if (step == 0 || x == NULL || y == NULL || a == NULL || b == NULL || keep == NULL ||
        keep2 == NULL) {
        fprintf(stderr, step == 0 ? "usage: check_row [N]\n" : "check_row: out of memory\n");
        return 2;
    }
    test_half_codes();
    test_half_codes_by_compiler();
    test_half_recipes(x, y);
    test_without_mask(x, y, keep);
    test_mask_at_ends(x, y, keep);
    test_mask_as_padding(x, y, a, keep);
    test_masked_statistics(x, y, keep);
    test_halves_below_exact(x, y, a, b, keep);
    test_weighted_below_exact(x, y, keep);
    test_complex(x, y, a, b, keep, keep2);
    test_exact(x, y, keep, step);
    test_exact_halfway(x, y, step);
    test_extremes(x, y, keep);
    test_known_halves(x);
    test_known_weights();
    test_known_floats(x);
    test_refusals();
    test_missing();
    free(x);
    free(y);
    free(a);
    free(b);
    free(keep);
    free(keep2);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
