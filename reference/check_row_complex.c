/* check_row_complex.c - ref_row() of complex data at every level: the rows of reals of SPEC.md 6.8.
 */
#include "oracle.h"
#include "row_tests.h"

#include <stdlib.h>
#include <string.h>

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
    row_check(memcmp(got + (size_t)part * size, want, size) == 0, "complex", q, data, n);
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
        row_check(proved && memcmp(got + (size_t)part * size, want, size) == 0, "complex, by MPFR",
                  q, data, n);
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
        size_t n = (size_t)(row_random() % (i % 40 == 0 ? 9000 : 200));
        row_fill(recipe, type, (uint64_t)i, n, x, y);
        row_fill_mask(i % 3 == 0 ? UINT64_MAX : 4, n, keep);
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
            row_check(status >= 0, "status", &q, data, n);
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

void row_test_complex(struct row_space *s)
{
    test_complex(s->x, s->y, s->a, s->b, s->keep, s->keep2);
}
