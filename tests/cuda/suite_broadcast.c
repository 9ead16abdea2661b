/* suite_broadcast.c - results written to many places. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void broadcast(const struct cell *cell, size_t rows, size_t copies, size_t gap)
{
    size_t shape[2] = {rows, 100};
    int axis = 1;
    char *x = malloc(rows * 100 * element_bytes(cell->type));
    ck_assert_ptr_nonnull(x);
    fill_elements(cell->type, STYLE_NEAR, rows * 100, x);
    samesum_array host = {.x = x, .type = cell->type, .dims = 2, .shape = shape};
    host.y = cell_pairs(cell) ? x : NULL;
    struct answer expected = cpu_answer(cell, &host, &axis, 1);
    size_t bytes = rows * expected.bytes, step = bytes + gap, times = copies ? copies : 1;
    char *got = malloc(times * step);
    ck_assert_ptr_nonnull(got);
    memset(got, 0x5a, times * step);
    samesum_array array = array_on_device(&host);
    struct device_call call = {.array = &array,
                               .axes = &axis,
                               .axis_count = 1,
                               .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0)};
    call.out = (samesum_cuda_out){
        .results = scratch_copy(got, times * step), .copies = copies, .copy_bytes = step};
    ck_assert_int_ge(device_run(&call), 0);
    device_get(got, call.out.results, times * step);
    for (size_t c = 0; c < times; c++) {
        for (size_t r = 0; r < rows; r++) {
            size_t at = c * step + r * expected.bytes;
            count_bits(compare_values(cell, got + at, expected.values + r * expected.bytes,
                                      expected.bytes, 100, SAMESUM_BACKEND_CUDA, 0, "broadcast"));
        }
        for (size_t i = 0; i < gap; i++) {
            ck_assert_msg(got[c * step + bytes + i] == 0x5a, "a byte between copies was written");
        }
    }
    scratch_end();
    free(got);
    free(x);
    answer_free(&expected);
}

START_TEST(copies)
{
    static const size_t counts[] = {0, 1, 2, 3, 17, 100};
    struct cell cell;
    for (int i = -1; next_cell(&i, &cell);) {
        for (size_t c = by_depth(0, 2, 0); c < by_depth(0, 3, 6); c++) {
            broadcast(&cell, 1, counts[c], 0);
            broadcast(&cell, 1, counts[c], 16);
            broadcast(&cell, 1 + random_below(40), counts[c], 8 * random_below(9));
        }
    }
    all_were_same();
}
END_TEST

Suite *suite_cuda_broadcast(void)
{
    TCase *tests;
    Suite *suite = new_suite("broadcast", &tests);
    tcase_add_test(tests, copies);
    return suite;
}
