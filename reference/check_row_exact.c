/* check_row_exact.c - ref_row() of real data at level exact, with masks, against MPFR. */
#include "oracle.h"
#include "ref_half.h"
#include "row_tests.h"

#include <math.h>
#include <string.h>

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
    row_fill(recipe, type, seed, n, x, y);
    row_fill_mask(seed % 3 == 0 ? UINT64_MAX : 3, n, keep);
    for (int k = 0; k < 40; k++) {
        int op = k % 10 <= REF_STD ? k % 10 : k % 10 == 8 ? REF_SUM : REF_MEAN;
        struct ref_request q = {.op = (enum ref_op)op,
                                .type = (enum ref_type)type,
                                .level = REF_EXACT,
                                .weighted = k % 10 > REF_STD,
                                .ddof = (uint64_t)(k / 10 % 2),
                                .result_in_input = k >= 20};
        if (!row_is_refused(&q) && (ref_is_half((enum ref_type)type) || !q.result_in_input)) {
            got[count].q = q;
            got[count].status = ref_row(&q, x, y, keep, n, got[count].bits);
            count++;
        }
    }
    n = compress(row_number_size(type), keep, n, x, y);
    for (int k = 0; k < count; k++) {
        const struct ref_request *q = &got[k].q;
        unsigned char want[8];
        struct oracle *oracle = oracle_of(q, x, y, n);
        if (oracle == NULL) {
            row_check(false, "oracle is exact", q, data, n);
            continue;
        }
        if (q->result_in_input) {
            oracle_round_to(oracle, q->type);
        }
        bool proved = oracle_result(oracle, want, NULL) == 0;
        double ulps = oracle_ulps(oracle, want);
        bool none = (q->op == REF_MEAN && n == 0) || (q->op >= REF_VAR && n <= q->ddof);
        row_check(proved, "oracle rounds", q, data, n);
        row_check(got[k].status == (none ? REF_NO_VALUE : 0), "status", q, data, n);
        row_check(memcmp(got[k].bits, want, row_result_size(q)) == 0, "exact", q, data, n);
        row_check(fabs(ulps) <= 0.5 || isinf(ulps), "half an ulp", q, data, n);
        oracle_free(oracle);
    }
}

static void test_exact(void *x, void *y, unsigned char *keep, uint64_t step)
{
    for (int recipe = 0; recipe < RECIPE_COUNT; recipe++) {
        for (int type = REF_F64; type <= REF_BF16; type++) {
            for (uint64_t i = 0; i < 40; i += i < 6 ? 1 : step) {
                size_t n = i < 20 ? (size_t)i : (size_t)(row_random() % 3000);
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
        size_t n = (size_t)(1 + row_random() % 5);
        for (size_t k = 0; k < n; k++) {
            bool any_code = i % 6 == 0;
            double v = (double)(row_random() % 64) - 16, w = (double)(row_random() % 16) - 4;
            int shift = (int)(row_random() % 3) * (type == REF_F16 ? 5 : 4);
            x[k] = any_code ? (uint16_t)row_random() : ref_half_bits(type, ldexp(v, shift));
            y[k] = any_code ? (uint16_t)row_random() : ref_half_bits(type, ldexp(w, shift / 2));
        }
        int k = (int)(row_random() % 10);
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
        row_check(proved && status == 0 && memcmp(got, want, row_result_size(&q)) == 0,
                  "short halves", &q, "", n);
        oracle_free(oracle);
    }
}

void row_test_exact(struct row_space *s, uint64_t step)
{
    test_exact(s->x, s->y, s->keep, step);
    test_exact_halfway(s->x, s->y, step);
}
