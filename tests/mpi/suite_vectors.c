/* suite_vectors.c - the golden values of tests/vectors/golden.txt, cut among the ranks; many at
 * once, of whatever operation, type and level they are. */
#include "golden.h"
#include "mpi_suites.h"
#include "parts.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 24, BYTES = 16 };

static struct golden line[AT_ONCE];
static samesum_mpi_field field[AT_ONCE];
static size_t shape[AT_ONCE];
static char result[AT_ONCE][BYTES];
static size_t count;

static void flush(void)
{
    memset(result, 0x5a, sizeof result);
    samesum_status status = samesum_mpi_reduce(field, count, SAMESUM_MPI_ALL, comm);
    ck_assert(status == SAMESUM_OK || status == SAMESUM_NO_VALUE || status == SAMESUM_ERR_EMPTY);
    for (size_t i = 0; i < count; i++)
        compare_values(&line[i].cell, result[i], line[i].expected, result_bytes(&line[i].cell),
                       line[i].n, SAMESUM_BACKEND_AUTO, ranks, recipe_name(line[i].recipe));
    count = 0;
}

/* This rank's part of some numbers, in memory of its own: those of the next lines come where they
 * lay. */
static const void *keep(void *room[AT_ONCE], const void *numbers, size_t begin, size_t bytes)
{
    free(room[count]);
    room[count] = malloc(bytes + 1);
    ck_assert(room[count] != NULL);
    memcpy(room[count], (const char *)numbers + begin, bytes);
    return room[count];
}

static void visit(const struct golden *golden, const void *x, const void *y)
{
    static void *room_x[AT_ONCE], *room_y[AT_ONCE];
    const struct cell *cell = &golden->cell;
    const struct cuts cuts = cuts_of(golden->n);
    const size_t element = samesum_element_size(cell->type), begin = cuts.at[rank] * element;
    const size_t bytes = cuts.at[rank + 1] * element - begin;
    samesum_mpi_field *f = &field[count];
    line[count] = *golden;
    shape[count] = bytes / element;
    *f = (samesum_mpi_field){.part = {.x = keep(room_x, x, begin, bytes),
                                      .type = cell->type,
                                      .dims = 1,
                                      .shape = &shape[count]},
                             .want = cell_want(cell, SAMESUM_BACKEND_AUTO, 1),
                             .results = result[count]};
    y = keep(room_y, y, begin, bytes);
    if (cell_pairs(cell))
        f->part.y = y;
    if (cell->weighted)
        f->part.weights = y;
    if (++count == AT_ONCE)
        flush();
}

START_TEST(golden_values)
{
    golden_each("tests/vectors/golden.txt", by_depth(300, 5000, GOLDEN_MOST),
                (int)by_depth(97, 23, 3), visit);
    flush();
    all_were_same();
}
END_TEST

Suite *suite_mpi_vectors(void)
{
    TCase *tests;
    Suite *suite = new_suite("vectors", &tests);
    tcase_add_test(tests, golden_values);
    return suite;
}
