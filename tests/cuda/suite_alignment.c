/* suite_alignment.c - elements that begin anywhere, and rows that do. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { OFFSETS = 8, MOST = 70001 };

/* Device copies that begin so many elements behind an allocation's begin; NaNs before and behind.
 */
static void copies(samesum_type type, const char *host, size_t n, const void *at[OFFSETS])
{
    size_t bytes = element_bytes(type);
    for (size_t offset = 0; offset < OFFSETS; offset++) {
        char *block = scratch((n + 2 * OFFSETS) * bytes);
        CUDA(cudaMemset(block, 0xff, (n + 2 * OFFSETS) * bytes));
        CUDA(cudaMemcpy(block + offset * bytes, host, n * bytes, cudaMemcpyHostToDevice));
        at[offset] = block + offset * bytes;
    }
}

/* Every operation and level at every offset; dot at every pair of offsets. */
static void everywhere(samesum_type type, const char *x, const char *y, size_t n, const char *name)
{
    const void *at_x[OFFSETS], *at_y[OFFSETS];
    struct cell cell;
    copies(type, x, n, at_x);
    copies(type, y, n, at_y);
    for (int i = -1; next_cell(&i, &cell);) {
        if (cell.type != type) {
            continue;
        }
        for (int offset = 0; offset < OFFSETS; offset++) {
            for (int other = 0; other < (cell_pairs(&cell) ? OFFSETS : 1); other++) {
                batch_vector(&cell, at_x[offset], at_y[other], x, y, n, name);
            }
        }
    }
    batch_end();
    scratch_end();
}

START_TEST(vectors)
{
    static const size_t lengths[] = {430, 1, 17, 4099, MOST};
    char *x = malloc((size_t)MOST * 16), *y = malloc((size_t)MOST * 16);
    ck_assert(x != NULL && y != NULL);
    for (int t = SAMESUM_F64; t <= SAMESUM_C128; t++) {
        samesum_type type = (samesum_type)t;
        size_t bytes = element_bytes(type);
        memset(x, 0, 430 * bytes);
        for (size_t i = 0; i < 430; i++) { /* 1/(i + 1) */
            store_part(type, x + i * bytes, 0, 1.0 / (double)(i + 1));
        }
        fill_elements(type, STYLE_NEAR, MOST, y);
        everywhere(type, x, y, 430, "1/(i+1)");
        for (size_t l = 0; l < by_depth(0, 3, 5); l++) {
            fill_elements(type, STYLE_CANCEL, lengths[l], x);
            everywhere(type, x, y, lengths[l], "offsets");
        }
    }
    free(x);
    free(y);
    all_were_same();
}
END_TEST

/* Rows whose stride is an odd number of elements, along either axis. */
START_TEST(rows)
{
    static const size_t shapes[][3] = {
        {37, 333, 335}, {500, 17, 19}, {3, 5001, 5003}, {64, 64, 65}};
    struct cell cell;
    for (size_t s = 0; s < by_depth(0, 2, 4); s++) {
        size_t shape[2] = {shapes[s][0], shapes[s][1]}, stride = shapes[s][2];
        for (int i = -1; next_cell(&i, &cell);) {
            size_t bytes = element_bytes(cell.type);
            ptrdiff_t strides[2] = {(ptrdiff_t)(stride * bytes), (ptrdiff_t)bytes};
            char *x = malloc(shape[0] * stride * bytes), *y = malloc(shape[0] * stride * bytes);
            ck_assert(x != NULL && y != NULL);
            fill_elements(cell.type, STYLE_NEAR, shape[0] * stride, x);
            fill_elements(cell.type, STYLE_NEAR, shape[0] * stride, y);
            samesum_array array = {
                .x = x, .type = cell.type, .dims = 2, .shape = shape, .strides = strides};
            array.y = cell_pairs(&cell) ? y : NULL;
            array.y_strides = cell_pairs(&cell) ? strides : NULL;
            for (int axis = 0; axis < 2; axis++) {
                device_as_cpu(&cell, &array, &axis, 1, "odd rows");
            }
            free(x);
            free(y);
        }
    }
    all_were_same();
}
END_TEST

Suite *suite_cuda_alignment(void)
{
    TCase *tests;
    Suite *suite = new_suite("alignment", &tests);
    tcase_add_test(tests, vectors);
    tcase_add_test(tests, rows);
    return suite;
}
