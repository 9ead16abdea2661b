/* suite_table.c - the table of table.h on every backend of the CPU. At full depth it is written to
 * build/tests/table.txt. */
#include "suites.h"
#include "support.h"
#include "table.h"

#include <string.h>

/* samesum_reduce() gives the same. */
static long plain_call(const struct answer *expected, const struct cell *cell,
                       const struct grid *grid, samesum_backend backend, int threads,
                       const char *name)
{
    char result[16] = {0};
    samesum_data data = {
        .x = grid->array.x, .y = grid->array.y, .n = grid->elements, .type = cell->type};
    samesum_want want = cell_want(cell, backend, threads);
    samesum_status status = samesum_reduce(&data, &want, result, NULL);
    if (status != expected->status) {
        ck_abort_msg("%s %s %s: samesum_reduce() answers %d, not %d", cell->op_name,
                     cell->type_name, name, status, expected->status);
    }
    return status < 0 ? 0
                      : compare_values(cell, result, expected->values, expected->bytes,
                                       grid->elements, backend, threads, name);
}

static long compare(struct table *table, const struct answer *expected, const struct cell *cell,
                    const struct job *job, const char *name)
{
    const samesum_array *array = &job->grid.array;
    long bits = 0;
    for (int b = 0; b < backend_count(); b++) {
        samesum_backend backend = backend_at(b);
        for (int threads = 1; threads <= (job->n > 4000 ? 3 : 1); threads += 2) {
            long more = job->segments ? compare_segments(expected, cell, array, job->offsets,
                                                         job->segments, backend, threads, name)
                                      : compare_array(expected, cell, array, &job->axis, 1, backend,
                                                      threads, name);
            if (is_plain_vector(cell, job->shape)) {
                more += plain_call(expected, cell, &job->grid, backend, threads, name);
            }
            bits += more;
            table->bits_of_backend[backend] += more;
        }
    }
    return bits;
}

static bool answers(const struct cell *cell, const struct job *job, samesum_backend backend,
                    samesum_status status)
{
    samesum_counts counts[40];
    unsigned char results[40 * 16], before[sizeof counts];
    memset(results, 0x5a, sizeof results);
    memset(counts, 0x5a, sizeof counts);
    memset(before, 0x5a, sizeof before);
    const samesum_array *array = &job->grid.array;
    samesum_want want = cell_want(cell, backend, 1);
    samesum_status got =
        job->segments ? samesum_reduce_segments(array, job->offsets, job->segments, &want, results,
                                                counts, NULL)
                      : samesum_reduce_array(array, &job->axis, 1, &want, results, counts, NULL);
    samesum_data data = {.x = array->x, .y = array->y, .n = 17, .type = cell->type};
    bool right = got == status && memcmp(before, results, sizeof results) == 0 &&
                 memcmp(before, counts, sizeof counts) == 0;
    if (is_plain_vector(cell, job->shape)) {
        right = right && samesum_reduce(&data, &want, results, NULL) == status &&
                memcmp(before, results, sizeof results) == 0;
    }
    return right;
}

static bool refuse(const struct cell *cell, const struct job *job, samesum_status status)
{
    bool all = true;
    for (int b = 0; b < backend_count(); b++) {
        all = answers(cell, job, backend_at(b), status) && all;
    }
    return all;
}

START_TEST(every_cell)
{
    static struct table table;
    memset(&table, 0, sizeof table);
    table_walk(&table, (int)by_depth(1, 4, TABLE_LENGTHS), compare, refuse);
    if (depth == DEPTH_FULL) {
        table_print(&table, TEST_BUILD "/tests/table.txt", "over all backends and thread counts");
    }
    table_summarise(&table);
    all_were_same();
}
END_TEST

/* Sizes of results and elements, and 0 for what is refused. */
START_TEST(sizes)
{
    for (int c = 0; c < CELLS; c++) {
        struct cell cell = cell_at(c);
        samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1);
        bool never = !cell.weighted && cell_refusal(&cell, NULL) != SAMESUM_OK;
        if (cell.weighted && is_complex(cell.type)) {
            continue; /* refused for the weights, which `want` does not hold */
        }
        ck_assert_msg(samesum_result_bytes(&want, cell.type) == (never ? 0 : result_bytes(&cell)) ||
                          (cell.weighted && cell_refusal(&cell, NULL) != SAMESUM_OK),
                      "%s %s: %zu bytes", cell.op_name, cell.type_name,
                      samesum_result_bytes(&want, cell.type));
        ck_assert_uint_eq(samesum_element_size(cell.type), element_bytes(cell.type));
    }
}
END_TEST

Suite *suite_table(void)
{
    TCase *tests;
    Suite *suite = new_suite("table", &tests);
    tcase_add_test(tests, every_cell);
    tcase_add_test(tests, sizes);
    return suite;
}
