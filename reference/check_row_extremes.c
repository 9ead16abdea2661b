/* check_row_extremes.c - min, max, argmin, argmax and minmax of ref_row(). */
#include "ref_half.h"
#include "row_tests.h"

#include <math.h>
#include <string.h>

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
            size_t size = row_number_size(type);
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
                size_t size = row_number_size(type), into = type == REF_F32_WIDE ? 8 : size;
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
            row_check(status == want_status && memcmp(got, want, row_result_size(&q)) == 0,
                      "extreme", &q, data, n);
        }
    }
}

static void put(int type, void *x, size_t i, double value)
{
    if (ref_is_half((enum ref_type)type)) {
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
                size_t n = i < 20 ? i : (size_t)(row_random() % 5000);
                row_fill(recipe, type, i, n, x, y);
                row_fill_mask(i % 3 == 0 ? UINT64_MAX : 1 + i % 4, n, keep);
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
            row_check(at == (k == 0 ? 1 : 0), "-0.0 is less", &q, "zeros", 2);
        }
    }
}

void row_test_extremes(struct row_space *s)
{
    test_extremes(s->x, s->y, s->keep);
}
