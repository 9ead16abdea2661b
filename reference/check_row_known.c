/* check_row_known.c - ref_row() against known values; what it refuses; missing values. */
#include "ref_half.h"
#include "row_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
            in_type && ref_is_half(type) ? (void *)&half
            : is_f64                     ? (void *)&wide
                                         : (void *)&narrow);
    return in_type && ref_is_half(type) ? ref_half_value(type, half)
           : is_f64                     ? wide
                                        : (double)narrow;
}

static void expect(const char *what, double got, double want)
{
    const struct ref_request q = {.op = REF_SUM};
    row_check(isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want), what, &q,
              "known value", 0);
}

/* Values just above a tie of the half type, which binary32 rounds to that tie: exactly one rounding
 * goes up, two go down to the even number. */
static void test_one_rounding(void)
{
    static const struct {
        enum ref_op op;
        enum ref_type type;
        bool weighted;
        double once, twice, x[4];
        size_t n;
    } cases[] = {
        {REF_SUM, REF_BF16, false, 258.0, 256.0, {256.0, 1.0, 0x1p-24}, 3},
        {REF_MEAN, REF_F16, false, 1 + 0x1p-10, 1.0, {1.5, 1.5, 1 + 0x1p-9, 0x1p-23}, 4},
        {REF_MEAN, REF_F16, true, 1 + 0x1p-10, 1.0, {1.5, 1.5, 1 + 0x1p-9, 0x1p-23}, 4},
        {REF_NRM2, REF_F16, false, 2066.0, 2064.0, {1239.0, 1652.0, 0x1p-8}, 3},
        {REF_VAR, REF_F16, false, 0.25 + 0x1p-12, 0.25, {1.0, -0x1p-12}, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint16_t x[4], ones[4];
        for (size_t i = 0; i < 4; i++) {
            x[i] = ref_half_bits(cases[k].type, cases[k].x[i]);
            ones[i] = ref_half_bits(cases[k].type, 1.0);
        }
        const void *weights = cases[k].weighted ? ones : NULL;
        expect("one rounding",
               value_of(cases[k].op, cases[k].type, REF_EXACT, true, x, weights, cases[k].n),
               cases[k].once);
        expect("two roundings",
               value_of(cases[k].op, cases[k].type, REF_COMPENSATED, true, x, weights, cases[k].n),
               cases[k].twice);
    }
}

static void test_known_halves(uint16_t *x)
{
    uint16_t big[8];
    for (size_t i = 0; i < ROW_MOST; i++) {
        x[i] = 0x3c00; /* 1 */
    }
    for (size_t i = 0; i < 8; i++) {
        big[i] = ref_half_bits(REF_F16, i < 4 ? 32000.0 : -32000.0);
    }
    for (int level = REF_TREE; level <= REF_EXACT; level++) {
        expect("mean of 70000 ones", value_of(REF_MEAN, REF_F16, level, false, x, NULL, ROW_MOST),
               1.0);
        expect("mean of 70000 ones", value_of(REF_MEAN, REF_F16, level, true, x, NULL, ROW_MOST),
               1.0);
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
    test_one_rounding();
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
    /* A tie plus 2^-900: what the quotient leaves over decides. */
    const double above[] = {1.0, 1.0, 0.0, 0x1p-300, 0.0};
    const double cancel[] = {0x1p600, 0x1p547, -0x1p547, 1.0, -1.0};
    expect("above a tie", value_of(REF_MEAN, REF_F64, REF_EXACT, false, above, cancel, 5),
           1 + 0x1p-52);
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
    row_check(y != NULL, "memory", &q, "", N);
    if (y != NULL) {
        expect("mean", value_of(REF_MEAN, REF_F32, REF_EXACT, false, y, NULL, N), 13100.0);
        expect("std", value_of(REF_STD, REF_F32, REF_EXACT, false, y, NULL, N), 10.0);
    }
    free(y);
}

/* What a mask removes takes no part in nrm2's scaling, nor in its special cases. */
static void test_known_masked_norms(void)
{
    const double out[] = {0x1p1000, 1.0, HUGE_VAL, (double)NAN};
    for (int k = 0; k < 16; k++) {
        const double x[] = {3 * 0x1p-1060, out[k / 4], 4 * 0x1p-1060, out[k / 4]};
        const unsigned char keep[] = {1, 0, 1, 0};
        struct ref_request q = {.op = REF_NRM2, .level = (enum ref_level)(k % 4)};
        double r = 0.0;
        ref_row(&q, x, NULL, keep, 4, &r);
        row_check(r == 5 * 0x1p-1060, "masked norm", &q, "known value", 4);
    }
}

static void test_refusals(void)
{
    const double x[4] = {1.0, 2.0, 3.0, 4.0};
    for (int k = 0; k < ROW_OPS * ROW_TYPES * 4 * 8; k++) {
        int flags = k % 8;
        struct ref_request q = {.op = (enum ref_op)(k / 8 % ROW_OPS),
                                .type = (enum ref_type)(k / 8 / ROW_OPS % ROW_TYPES),
                                .level = (enum ref_level)(k / 8 / ROW_OPS / ROW_TYPES),
                                .result_in_input = (flags & 1) != 0,
                                .conj = (flags & 2) != 0,
                                .weighted = (flags & 4) != 0};
        unsigned char r[17], untouched[17];
        memset(r, 0xa5, sizeof r);
        memset(untouched, 0xa5, sizeof untouched);
        int status = ref_row(&q, x, x, NULL, 2, r);
        size_t size = row_is_refused(&q) ? 0 : row_result_size(&q);
        row_check(status == (row_is_refused(&q) ? -1 : 0) &&
                      memcmp(r + size, untouched + size, sizeof r - size) == 0,
                  "refusal", &q, "", (uint64_t)flags);
    }
    struct ref_request good = {.op = REF_DOT}, bad[3] = {{.op = (enum ref_op)ROW_OPS},
                                                         {.type = (enum ref_type)ROW_TYPES},
                                                         {.level = (enum ref_level)4}};
    double r = 42.0;
    for (int i = 0; i < 3; i++) {
        row_check(ref_row(&bad[i], x, x, NULL, 1, &r) == -1, "unknown", &bad[i], "", 1);
    }
    row_check(ref_row(&good, x, NULL, NULL, 1, &r) == -1, "no y", &good, "", 1);
    row_check(ref_row(&good, NULL, x, NULL, 1, &r) == -1, "no x", &good, "", 1);
    row_check(ref_row(&good, x, x, NULL, 1, NULL) == -1 && r == 42.0, "no result", &good, "", 1);
    row_check(ref_row(&good, NULL, NULL, NULL, 0, &r) == 0 && r == 0.0, "nothing", &good, "", 0);
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
        row_check(good, "missing", &q, "", k);
    }
}

void row_test_known(struct row_space *s)
{
    test_known_halves(s->x);
    test_known_weights();
    test_known_floats(s->x);
    test_known_masked_norms();
    test_refusals();
    test_missing();
}
