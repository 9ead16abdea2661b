/* suite_lengths.c - every length up to some thousands, and those around the borders of blocks. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <stdlib.h>

enum { LONGEST = 3000007, SHIFTS = 8 };

/* The same elements on both sides. */
static char *host_x, *host_y;
static void *device_x, *device_y;

static size_t longest(void)
{
    return by_depth(0, 300001, LONGEST);
}

static void make(samesum_type type)
{
    size_t n = longest() + SHIFTS, bytes = n * element_bytes(type);
    host_x = malloc(bytes);
    host_y = malloc(bytes);
    ck_assert(host_x != NULL && host_y != NULL);
    fill_elements(type, STYLE_CANCEL, n, host_x);
    fill_elements(type, STYLE_WIDE, n, host_y);
    CUDA(cudaMalloc(&device_x, bytes));
    CUDA(cudaMalloc(&device_y, bytes));
    CUDA(cudaMemcpy(device_x, host_x, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(device_y, host_y, bytes, cudaMemcpyHostToDevice));
}

static void unmake(void)
{
    batch_end();
    free(host_x);
    free(host_y);
    CUDA(cudaFree(device_x));
    CUDA(cudaFree(device_y));
}

/* One result; from is the first element. */
static void one(const struct cell *cell, size_t n, size_t from)
{
    size_t skip = from * element_bytes(cell->type);
    if (n <= longest()) {
        batch_vector(cell, (char *)device_x + skip, (char *)device_y + skip, host_x + skip,
                     host_y + skip, n, "lengths");
    }
}

static void around(const struct cell *cell, size_t border, size_t reach)
{
    for (size_t n = border - reach; n <= border + reach; n++) {
        one(cell, n, n % SHIFTS);
    }
}

static void borders(const struct cell *cell)
{
    static const size_t segments[] = {1,  2,  3,  4,  5,  7,  8,   15,  16,
                                      17, 31, 32, 33, 63, 64, 100, 255, 256};
    for (size_t i = 0; i < by_depth(0, 1, sizeof segments / sizeof *segments); i++) {
        around(cell, segments[i] * 4096, 1);
    }
    around(cell, 1 << 16, by_depth(0, 0, 2));
    around(cell, 1 << 20, 3);
    one(cell, 300001, 5);
    one(cell, 1000000, 0);
    one(cell, LONGEST, 1);
}

/* sum, asum, sumsq and dot of every length. */
START_TEST(every_length)
{
    size_t step = by_depth(0, 811, 1);
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        make((samesum_type)type);
        for (int op = SAMESUM_SUM; op <= SAMESUM_DOT; op++) {
            for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
                struct cell cell =
                    cell_of((samesum_op)op, (samesum_type)type, (samesum_level)level);
                for (size_t n = 0; n <= 5000; n += step) {
                    one(&cell, n, n % SHIFTS);
                }
                borders(&cell);
            }
        }
        unmake();
    }
    all_were_same();
}
END_TEST

/* All else that is computed. */
START_TEST(lengths_of_the_others)
{
    size_t step = by_depth(0, 301, 3);
    for (int type = SAMESUM_F64; type <= SAMESUM_C128; type++) {
        struct cell cell;
        make((samesum_type)type);
        for (int i = -1; next_cell(&i, &cell);) {
            bool done = cell.op <= SAMESUM_DOT && !is_complex(cell.type) &&
                        cell.result == SAMESUM_RESULT_ACCUMULATOR;
            if ((int)cell.type != type || done) {
                continue;
            }
            for (size_t n = 0; n <= 600; n += step) {
                one(&cell, n + (size_t)i % step, n % SHIFTS);
            }
            around(&cell, 4096, by_depth(0, 0, 1));
            one(&cell, 65537, 3);
            one(&cell, 300001, 1);
            one(&cell, 1048575, 5);
        }
        unmake();
    }
    all_were_same();
}
END_TEST

Suite *suite_cuda_lengths(void)
{
    TCase *tests;
    Suite *suite = new_suite("lengths", &tests);
    tcase_add_test(tests, every_length);
    tcase_add_test(tests, lengths_of_the_others);
    return suite;
}
