/* check_row.c - tests ref_row(): here against ref_reduce() and ref_derive(), which compute the same
 * without masks; check_row_*.c against MPFR, other formulations and known values. `check_row N`
 * takes every N-th of the long lists. Exit status 1 if anything differs. */
#include "row_tests.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };

static long passed, failed;

void row_check(bool good, const char *what, const struct ref_request *q, const char *data,
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

uint64_t row_random(void)
{
    uint64_t z = random_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* ---- data ---- */

const enum recipe_type row_data_type[ROW_TYPES] = {RECIPE_F64,  RECIPE_F32, RECIPE_F32, RECIPE_F16,
                                                   RECIPE_BF16, RECIPE_F32, RECIPE_F64};

size_t row_number_size(int type)
{
    return recipe_element_size(row_data_type[type]);
}

void row_fill(int recipe, int type, uint64_t seed, size_t n, void *x, void *y)
{
    size_t numbers = ref_is_complex((enum ref_type)type) ? 2 * n : n;
    recipe_fill((enum recipe)recipe, row_data_type[type], seed, 0, numbers, x);
    recipe_fill_y((enum recipe)recipe, row_data_type[type], seed, 0, numbers, y);
}

size_t row_fill_mask(uint64_t one_in, size_t n, unsigned char *keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        keep[i] = row_random() % one_in != 0 ? (unsigned char)(1 + row_random() % 255) : 0;
        kept += keep[i] != 0;
    }
    return kept;
}

size_t row_result_size(const struct ref_request *q)
{
    bool wide = q->type == REF_F64 || q->type == REF_F32_WIDE || q->type == REF_C128;
    bool two = q->op == REF_MINMAX || (ref_is_complex(q->type) &&
                                       (q->op == REF_SUM || q->op == REF_DOT || q->op == REF_MEAN));
    if (q->op == REF_ARGMIN || q->op == REF_ARGMAX) {
        return sizeof(uint64_t);
    }
    size_t size = q->result_in_input && ref_is_half(q->type) ? 2 : wide ? 8 : 4;
    return two ? 2 * size : size;
}

bool row_is_refused(const struct ref_request *q)
{
    bool complex_type = ref_is_complex(q->type);
    bool index = q->op == REF_ARGMIN || q->op == REF_ARGMAX;
    if (q->type == REF_F32_WIDE && q->result_in_input && !index) {
        return true;
    }
    switch (q->op) {
    case REF_SUM:
    case REF_MEAN:
        return q->conj || (complex_type && q->weighted);
    case REF_DOT:
        return q->weighted || (q->conj && !complex_type);
    case REF_SUMSQ:
    case REF_NRM2:
        return q->weighted || q->conj;
    default:
        return q->weighted || q->conj || complex_type;
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
           memcmp(a, b, row_result_size(q)) == 0 && a[row_result_size(q)] == 0xa5;
}

static void test_without_mask(void *x, void *y, unsigned char *keep)
{
    memset(keep, 1, ROW_MOST);
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (int type = REF_F64; type <= REF_F32_WIDE; type++) {
            for (size_t i = 0; i < 40; i++) {
                size_t n = i < 34                  ? i
                           : i == 39 && recipe < 6 ? ROW_MOST
                                                   : (size_t)(row_random() % 9000);
                row_fill(recipe, type, i, n, x, y);
                for (int op = REF_SUM; op <= REF_STD; op++) {
                    struct ref_request q = {.op = (enum ref_op)op,
                                            .type = (enum ref_type)type,
                                            .level = (enum ref_level)((i + (size_t)op) % 4),
                                            .ddof = i % 3};
                    row_check(same_as_old(&q, x, y, i % 2 == 0 ? NULL : keep, n, x, y, 0),
                              "no mask", &q, recipe_name((enum recipe)recipe), n);
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
        size_t n = (size_t)(row_random() % (i % 20 == 0 ? 20000 : 600)),
               size = row_number_size(type);
        size_t begin = n == 0 ? 0 : (size_t)(row_random() % n);
        size_t end = begin + (n == begin ? 0 : (size_t)(row_random() % (n - begin)));
        row_fill(recipe, type, (uint64_t)i, n, x, y);
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
            row_check(status == old_status && memcmp(a, b, row_result_size(&q)) == 0, "masked ends",
                      &q, recipe_name((enum recipe)recipe), n);
        }
    }
}

/* An absent leaf may be stored as -0.0 where something is present (SPEC.md 1.5). */
static void test_mask_as_padding(void *x, void *y, void *z, unsigned char *keep)
{
    for (int i = 0; i < 3000; i++) {
        int type = i % 3, recipe = i / 3 % RECIPE_COUNT;
        size_t n = 1 + (size_t)(row_random() % (i % 20 == 0 ? 20000 : 600));
        row_fill(recipe, type, (uint64_t)i, n, x, y);
        if (row_fill_mask(1 + row_random() % 5, n, keep) == 0) {
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
            row_check(same_as_old(&q, x, y, keep, n, z, y, 0), "mask as padding", &q,
                      recipe_name((enum recipe)recipe), n);
        }
    }
}

/* SPEC.md 6.2 and 6.3 step 2 in other words, for binary64 with a mask: from sums by ref_row(). */
static void test_masked_statistics(double *x, double *d, unsigned char *keep)
{
    for (int i = 0; i < 600; i++) {
        int recipe = i % RECIPE_COUNT;
        size_t n = (size_t)(row_random() % 3000);
        recipe_fill((enum recipe)recipe, RECIPE_F64, (uint64_t)i, 0, n, x);
        size_t kept = row_fill_mask(2 + row_random() % 3, n, keep);
        struct ref_request q = {.type = REF_F64, .level = (enum ref_level)(i % 3)};
        double sum, squares, mean, var, expected, std;
        ref_row(&q, x, NULL, keep, n, &sum);
        q.op = REF_MEAN;
        int status = ref_row(&q, x, NULL, keep, n, &mean);
        row_check(kept == 0 ? status == REF_NO_VALUE && isnan(mean)
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
        row_check(good, "masked variance", &q, recipe_name((enum recipe)recipe), n);
    }
}

/* SPEC.md 6.7 below exact. */
static void test_weighted_below_exact(void *x, void *y, unsigned char *keep)
{
    for (int i = 0; i < 1000; i++) {
        int type = i % 3, recipe = i / 3 % RECIPE_COUNT;
        size_t n = (size_t)(row_random() % 600);
        row_fill(recipe, type, (uint64_t)i, n, x, y);
        size_t kept = row_fill_mask(4, n, keep);
        struct ref_request q = {
            .op = REF_DOT, .type = (enum ref_type)type, .level = (enum ref_level)(i / 7 % 3)};
        unsigned char dot[8] = {0}, sum[8] = {0}, weights[8] = {0}, mean[8] = {0};
        ref_row(&q, y, x, keep, n, dot);
        q.op = REF_SUM;
        ref_row(&q, y, NULL, keep, n, weights);
        q.weighted = true;
        ref_row(&q, x, y, keep, n, sum);
        row_check(memcmp(dot, sum, 8) == 0, "weighted sum", &q, recipe_name((enum recipe)recipe),
                  n);
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
        row_check(good && status == (kept == 0 ? REF_NO_VALUE : 0), "weighted mean", &q,
                  recipe_name((enum recipe)recipe), n);
    }
}

int main(int argc, char **argv)
{
    uint64_t step = argc > 1 ? strtoull(argv[1], NULL, 10) : 7;
    const size_t numbers = 2 * ROW_MOST;
    struct row_space s = {malloc(numbers * sizeof(double)),
                          malloc(numbers * sizeof(double)),
                          malloc(numbers * sizeof(double)),
                          malloc(numbers * sizeof(double)),
                          malloc(numbers),
                          malloc(numbers)};
    bool memory = s.x != NULL && s.y != NULL && s.a != NULL && s.b != NULL && s.keep != NULL &&
                  s.keep2 != NULL;
    if (step == 0 || !memory) {
        fprintf(stderr, step == 0 ? "usage: check_row [N]\n" : "check_row: out of memory\n");
        return 2;
    }
    test_without_mask(s.x, s.y, s.keep);
    test_mask_at_ends(s.x, s.y, s.keep);
    test_mask_as_padding(s.x, s.y, s.a, s.keep);
    test_masked_statistics(s.x, s.y, s.keep);
    test_weighted_below_exact(s.x, s.y, s.keep);
    row_test_halves(&s);
    row_test_complex(&s);
    row_test_exact(&s, step);
    row_test_extremes(&s);
    row_test_known(&s);
    free(s.x);
    free(s.y);
    free(s.a);
    free(s.b);
    free(s.keep);
    free(s.keep2);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
