/* suite_table.c - the table of tests/table.h, cut among the ranks: operation x type x level x
 * shape. */
#include "table.h"
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <string.h>

static struct table table;
static int visits;

/* At other depths than full one cell in some, others with each number of ranks. */
static bool is_left_out(void)
{
    const int step = (int)by_depth(1, 7, 1);
    return (visits++ + ranks) % step != 0;
}

static long compare(struct table *sums, const struct answer *expected, const struct cell *cell,
                    const struct job *job, const char *name)
{
    (void)sums;
    if (is_left_out())
        return 1;
    return job->segments
               ? compare_rows(expected, cell, &job->grid.array, job->offsets, job->segments, name)
               : compare_parts(expected, cell, &job->grid.array, job->axis, name);
}

/* The status alone, on every rank, and nothing written. */
static bool refuse(const struct cell *cell, const struct job *job, samesum_status status)
{
    char results[40 * 16], before[sizeof results];
    if (is_left_out())
        return true;
    memset(results, 0x5a, sizeof results);
    memset(before, 0x5a, sizeof before);
    const samesum_mpi_field field = {.part = job->grid.array,
                                     .axes = &job->axis,
                                     .axis_count = 1,
                                     .want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1),
                                     .results = results};
    return samesum_mpi_reduce(&field, 1, SAMESUM_MPI_ALL, comm) == status &&
           memcmp(results, before, sizeof results) == 0;
}

START_TEST(every_cell)
{
    table_walk(&table, (int)by_depth(0, 1, 4), compare, refuse);
    for (int c = 0; c < CELLS; c++)
        for (int s = 0; s < TABLE_SHAPES; s++)
            ck_assert(table.bits[c][s] > 0 || table.refused[c][s] != SAMESUM_OK);
    all_were_same();
}
END_TEST

Suite *suite_mpi_table(void)
{
    TCase *tests;
    Suite *suite = new_suite("table", &tests);
    tcase_add_test(tests, every_cell);
    return suite;
}
