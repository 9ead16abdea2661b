/* suite_indices.c - index arithmetic above 2^31 and 2^32: elements far apart in a sparse file, and
 * arrays of more than 2^32 elements. The results are known without the reference, or the few
 * elements that are touched are gathered for it. */
#include "cells.h"
#include "elements.h"
#include "rows.h"
#include "suites.h"
#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LENGTH_BITS = 37 }; /* 128 GiB, of which a few pages exist */

/* A sparse file in memory, 0: all of it zeros. NULL where the system does not give it. */
static char *map_sparse(size_t bytes)
{
    char path[] = TEST_BUILD "/tests/sparse.XXXXXX";
    int file = mkstemp(path);
    if (file < 0) {
        return NULL;
    }
    unlink(path);
    void *map = MAP_FAILED;
    if (ftruncate(file, (off_t)bytes) == 0) {
        map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    }
    close(file);
    return map == MAP_FAILED ? NULL : map;
}

/* Strides of many GiB, of either sign: rows and columns of a few elements, each in a page of its
 * own, up to offsets above 2^32 elements of each type. */
START_TEST(strides_above_32_bits)
{
    size_t bytes = (size_t)1 << LENGTH_BITS;
    char *map = map_sparse(bytes);
    if (map == NULL) {
        skipped("indices", "no sparse file of 128 GiB here");
        return;
    }
    enum { ROWS = 3, COLUMNS = 7 };
    static const size_t shape[2] = {ROWS, COLUMNS};
    const ptrdiff_t wide = (ptrdiff_t)(bytes / COLUMNS - 8192), narrow = (ptrdiff_t)1 << 31;
    /* The last element lies at 6 * wide + 2 * narrow < bytes. */
    const ptrdiff_t strides[4][2] = {
        {narrow, wide - 777}, {-narrow, wide}, {narrow + 1, -wide}, {-narrow - 64, -wide}};
    for (int c = 0; c < CELLS; c++) {
        struct cell cell = cell_at(c);
        const ptrdiff_t *s = strides[c / CELL_LEVELS % 4];
        if (cell_refusal(&cell, NULL) != SAMESUM_OK) {
            continue;
        }
        ptrdiff_t back =
            (s[0] < 0 ? -s[0] * (ROWS - 1) : 0) + (s[1] < 0 ? -s[1] * (COLUMNS - 1) : 0);
        char *x = map + back;
        for (ptrdiff_t r = 0; r < ROWS; r++) {
            for (ptrdiff_t k = 0; k < COLUMNS; k++) {
                fill_elements(cell.type, STYLE_NEAR, 1, x + r * s[0] + k * s[1]);
            }
        }
        samesum_array a = {.x = x, .type = cell.type, .dims = 2, .shape = shape, .strides = s};
        if (cell_pairs(&cell)) {
            a.y = x;
            a.y_strides = s;
        }
        if (cell.weighted) {
            a.weights = x;
            a.weights_strides = s;
        }
        for (int axis = -1; axis < 2; axis++) {
            const int axes[2] = {axis < 0 ? 0 : axis, 1};
            struct answer expected = expect_array(&cell, &a, axes, axis < 0 ? 2 : 1);
            compare_array(&expected, &cell, &a, axes, axis < 0 ? 2 : 1,
                          backend_at(c % backend_count()), 1 + c % 2, "strides above 2^31");
            answer_free(&expected);
        }
    }
    munmap(map, bytes);
    all_were_same();
}
END_TEST

/* Segments, and the bits of their masks, that begin above 2^32 elements. */
START_TEST(segments_above_32_bits)
{
    const size_t far = ((size_t)1 << 32) + 5, n = far + 10000, bytes = n * 16;
    char *map = map_sparse(bytes), *mask = map_sparse(n / 8 + 1);
    if (map == NULL || mask == NULL) {
        skipped("indices", "no sparse file of 64 GiB here");
        return;
    }
    const size_t offsets[] = {far, far + 40, far + 40, far + 4200, n - 3};
    for (size_t i = far / 8; i < n / 8; i++) {
        mask[i] = (char)random_bits();
    }
    for (int c = 0; c < CELLS; c += 3) {
        struct cell cell = cell_at(c);
        size_t element = element_bytes(cell.type);
        if (cell_refusal(&cell, NULL) != SAMESUM_OK) {
            continue;
        }
        fill_elements(cell.type, STYLE_CANCEL, n - far, map + far * element);
        samesum_array a = {.x = map, .type = cell.type, .dims = 1, .shape = &n};
        a.y = cell_pairs(&cell) ? map : NULL;
        a.weights = cell.weighted ? map : NULL;
        if (c % 2) {
            a.mask_kind = SAMESUM_MASK_BITS;
            a.mask = mask;
        }
        struct answer expected = expect_segments(&cell, &a, offsets, 4);
        compare_segments(&expected, &cell, &a, offsets, 4, backend_at(c % backend_count()),
                         1 + c % 2, "segments above 2^32");
        answer_free(&expected);
    }
    munmap(map, bytes);
    munmap(mask, n / 8 + 1);
    all_were_same();
}
END_TEST

/* More than 2^32 elements, all of them zero but a few: the least one is behind 2^32, and so are a
 * NaN and an infinity. One call that looks at all of them. */
START_TEST(more_than_32_bits_of_elements)
{
    const size_t n = ((size_t)1 << 32) + 5000, at = n - 18, bytes = n * sizeof(samesum_f16);
    uint16_t *x = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (x == MAP_FAILED) {
        skipped("indices", "no 8 GiB of addresses here");
        return;
    }
    madvise(x, bytes, MADV_HUGEPAGE); /* zero pages of 2 MiB where there are some */
    x[3] = half_bits(SAMESUM_F16, -1);
    x[(size_t)1 << 31] = half_bits(SAMESUM_F16, -2);
    x[at] = half_bits(SAMESUM_F16, -3);
    samesum_array a = {.x = x, .type = SAMESUM_F16, .dims = 1, .shape = &n};
    samesum_want want = {.op = SAMESUM_ARGMIN};
    samesum_counts counts;
    uint64_t index = 0;
    ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, &index, &counts, NULL), SAMESUM_OK);
    ck_assert_uint_eq(index, at);
    ck_assert(counts.present == n && counts.masked == 0 && counts.nonfinite[0] == 0 &&
              counts.first[0] == UINT64_MAX);
    /* every second element: more than 2^31 of them, gathered */
    static const ptrdiff_t second[1] = {2 * sizeof(samesum_f16)};
    const size_t half = n / 2;
    a.shape = &half;
    a.strides = second;
    ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, &index, &counts, NULL), SAMESUM_OK);
    ck_assert(index == at / 2 && counts.present == half);
    a.shape = &n;
    a.strides = NULL;
    x[at + 1] = 0x7c00; /* an infinity */
    want.op = SAMESUM_SUM;
    float sum = 0;
    a.missing = SAMESUM_MISSING_VALUE; /* the infinity is counted and missing */
    a.missing_value = HUGE_VAL;
    ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, &sum, &counts, NULL), SAMESUM_OK);
    ck_assert(sum == -6 && counts.present == n - 1 && counts.masked == 1);
    munmap(x, bytes);
}
END_TEST

/* A vector of 2^32 + 2^16 elements in 256 KiB: the same row again and again, by a stride of zero.
 */
START_TEST(repeated_rows)
{
    enum { COLUMNS = 1 << 16, ROWS = (1 << 16) + 1 };
    static const size_t shape[2] = {ROWS, COLUMNS};
    static const ptrdiff_t strides[2] = {0, sizeof(float)};
    float *x = malloc(COLUMNS * sizeof *x);
    ck_assert_ptr_nonnull(x);
    double row = 0;
    for (int i = 0; i < COLUMNS; i++) {
        x[i] = (float)random_below(1000); /* sums of a row are exact */
        row += x[i];
    }
    samesum_array a = {
        .x = x, .type = SAMESUM_F32_WIDE, .dims = 2, .shape = shape, .strides = strides};
    samesum_want want = {.op = SAMESUM_SUM};
    samesum_counts counts;
    double sum = 0;
    ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, &sum, &counts, NULL), SAMESUM_OK);
    ck_assert(sum == row * ROWS && counts.present == (uint64_t)ROWS * COLUMNS);
    want.op = SAMESUM_MEAN;
    ck_assert_int_eq(samesum_reduce_array(&a, NULL, 0, &want, &sum, NULL, NULL), SAMESUM_OK);
    ck_assert(sum == row * ROWS / ((double)ROWS * COLUMNS));
    free(x);
}
END_TEST

Suite *suite_indices(void)
{
    TCase *tests;
    Suite *suite = new_suite("indices", &tests);
    tcase_add_test(tests, strides_above_32_bits);
    tcase_add_test(tests, segments_above_32_bits);
    tcase_add_test(tests, more_than_32_bits_of_elements);
    tcase_add_test(tests, repeated_rows);
    return suite;
}
