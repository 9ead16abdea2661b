/* suite_repetition.c - the same call many times, and with the device set in many ways. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"
#include "tune.h"

#include <stdlib.h>

static void repeat_sum_of(const struct cell *cell, const void *x, size_t n, size_t times)
{
    size_t bytes = n * element_bytes(cell->type);
    char expected[16] = {0};
    samesum_data data = {.x = x, .n = n, .type = cell->type};
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 0);
    ck_assert_int_eq(samesum_reduce(&data, &want, expected, NULL), SAMESUM_OK);
    data.x = scratch_copy(x, bytes);
    for (size_t i = 0; i < times; i++) {
        batch_call((struct device_call){.data = &data}, cell, expected, n, "repetition");
    }
    batch_end();
    scratch_end();
}

static void repeat(const struct cell *cell, size_t n, size_t times)
{
    char *x = malloc(n * element_bytes(cell->type));
    ck_assert_ptr_nonnull(x);
    fill_elements(cell->type, STYLE_CANCEL, n, x);
    repeat_sum_of(cell, x, n, times);
    free(x);
}

START_TEST(many_times)
{
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            struct cell cell = cell_of(SAMESUM_SUM, (samesum_type)type, (samesum_level)level);
            repeat(&cell, 1024, by_depth(0, 5, 10000));
            repeat(&cell, by_depth(0, 100000, 3000000), by_depth(0, 1, 100));
        }
    }
    all_were_same();
}
END_TEST

/* i - 999999.5 for i < 2000000: +0.0 at level exact. */
START_TEST(sum_that_cancels)
{
    enum { N = 2000000 };
    float *x = malloc(N * sizeof *x), zero = -1;
    ck_assert_ptr_nonnull(x);
    for (int i = 0; i < N; i++) {
        x[i] = (float)i - 999999.5f;
    }
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(SAMESUM_SUM, SAMESUM_F32, (samesum_level)level);
        repeat_sum_of(&cell, x, N, by_depth(0, 3, 100));
    }
    ck_assert_int_eq(samesum_sum_f32(x, N, SAMESUM_EXACT, &zero), SAMESUM_OK);
    ck_assert_uint_eq(bits_of_float(zero), 0); /* which the device was compared with */
    free(x);
    all_were_same();
}
END_TEST

Suite *suite_cuda_repetition(void)
{
    TCase *tests;
    Suite *suite = new_suite("repetition", &tests);
    tcase_add_test(tests, many_times);
    tcase_add_test(tests, sum_that_cancels);
    return suite;
}

/* ---- tuning ---- */

static struct ss_cuda_tuning random_tuning(void)
{
    static const int few[] = {1, 2, 3, 7, 64, 131, 132, 133, 264, 1000};
    return (struct ss_cuda_tuning){.blocks = random_below(4) ? (int)random_below(600)
                                                             : few[random_below(10)],
                                   .chunk_log = (int)random_below(15)};
}

START_TEST(random_tunings)
{
    enum { MOST = 2500000, CALLS = 10 };
    size_t most = by_depth(0, 60000, MOST), tunings = by_depth(0, 8, 200);
    for (int type = SAMESUM_F64; type <= SAMESUM_C128; type++) {
        size_t bytes = element_bytes((samesum_type)type);
        char *x = malloc(most * bytes), *y = malloc(most * bytes);
        ck_assert(x != NULL && y != NULL);
        fill_elements((samesum_type)type, STYLE_CANCEL, most, x);
        fill_elements((samesum_type)type, STYLE_WIDE, most, y);
        char *device_x = scratch_copy(x, most * bytes), *device_y = scratch_copy(y, most * bytes);
        for (size_t t = (size_t)type; t < tunings; t += SAMESUM_C128 + 1) {
            struct ss_cuda_tuning tuning = random_tuning();
            ss_cuda_tune(&tuning);
            for (int i = 0; i < CALLS; i++) {
                struct cell cell;
                do {
                    cell = cell_at((int)random_below(CELLS));
                } while ((int)cell.type != type || cell.weighted ||
                         cell_refusal(&cell, NULL) != SAMESUM_OK);
                size_t n = random_below(random_below(2) ? most : 20000),
                       from = random_below(most - n);
                n += 2;
                n = n < most - from ? n : most - from;
                batch_vector(&cell, device_x + from * bytes, device_y + from * bytes,
                             x + from * bytes, y + from * bytes, n, "tuning");
            }
            batch_end();
        }
        scratch_end();
        free(x);
        free(y);
    }
    ss_cuda_tune(&(struct ss_cuda_tuning){0});
    all_were_same();
}
END_TEST

Suite *suite_cuda_tuning(void)
{
    TCase *tests;
    Suite *suite = new_suite("tuning", &tests);
    tcase_add_test(tests, random_tunings);
    return suite;
}
