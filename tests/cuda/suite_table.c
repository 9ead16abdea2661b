/* suite_table.c - the table of tests/table.h on the device. What it did is written to
 * table_cuda.txt. */
#include "table.h"
#include "cuda_suites.h"
#include "device.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static struct table table;

static long compare(struct table *sums, const struct answer *expected, const struct cell *cell,
                    const struct job *job, const char *name)
{
    const samesum_array *array = &job->grid.array;
    long bits = device_compare(expected, cell, array, &job->axis, 1,
                               job->segments ? job->offsets : NULL, job->segments, name);
    sums->bits_of_backend[SAMESUM_BACKEND_CUDA] += bits;
    return bits;
}

/* The status alone, and results and counts as they were. */
static bool refuse(const struct cell *cell, const struct job *job, samesum_status status)
{
    enum { ROOM = 4096 };
    unsigned char before[ROOM], after[ROOM];
    memset(before, 0x5a, sizeof before);
    samesum_array array = array_on_device(&job->grid.array);
    struct device_call call = {.array = &array,
                               .axes = &job->axis,
                               .axis_count = 1,
                               .segments = job->segments,
                               .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0)};
    call.offsets = job->segments ? scratch_copy(job->offsets, sizeof job->offsets) : NULL;
    call.out.results = scratch_copy(before, sizeof before);
    call.out.counts = scratch_copy(before, sizeof before);
    size_t bytes = (size_t)1 << 24;
    samesum_status got = device_launch(&call, scratch(bytes), &bytes, NULL);
    device_get(after, call.out.results, sizeof after);
    bool right = got == status && memcmp(before, after, sizeof after) == 0;
    device_get(after, call.out.counts, sizeof after);
    right = right && memcmp(before, after, sizeof after) == 0 && cudaGetLastError() == cudaSuccess;
    scratch_end();
    return right;
}

/* Bits of operation x type x shape, over all levels. */
static void print_sums(const char *path)
{
    FILE *file = fopen(path, "a");
    ck_assert_msg(file != NULL, "%s cannot be written", path);
    fprintf(file, "\nBits compared on the device, over all levels\n%-7s%-13s", "", "");
    for (int s = 0; s < TABLE_SHAPES; s++) {
        fprintf(file, "%11s", shape_name(s));
    }
    for (int c = 0; c < CELLS; c += CELL_LEVELS) {
        struct cell cell = cell_at(c);
        fprintf(file, "\n%-7s%-13s", cell.op_name, cell.type_name);
        for (int s = 0; s < TABLE_SHAPES; s++) {
            long bits = 0;
            for (int level = 0; level < CELL_LEVELS; level++) {
                bits += table.bits[c + level][s];
            }
            if (bits > 0) {
                fprintf(file, "%11ld", bits);
            } else {
                fprintf(file, "%11s", "refused");
            }
        }
    }
    fprintf(file, "\n");
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(every_cell)
{
    char path[512];
    memset(&table, 0, sizeof table);
    table_walk(&table, (int)by_depth(0, 1, TABLE_LENGTHS), compare, refuse);
    snprintf(path, sizeof path, "%s/table_cuda.txt", out_folder);
    table_print(&table, path, "on the device");
    print_sums(path);
    table_summarise(&table);
    all_were_same();
}
END_TEST

Suite *suite_cuda_table(void)
{
    TCase *tests;
    Suite *suite = new_suite("table", &tests);
    tcase_add_test(tests, every_cell);
    return suite;
}
