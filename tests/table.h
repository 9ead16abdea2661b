/* table.h - operation x type x level x shape, all of it: the operations, types and levels are
 * listed in cells.c, the shapes in table.c. Each cell counts the bits of results compared with the
 * reference, or is refused by the rule that cells.c names; a cell that does neither fails. */
#ifndef TESTS_TABLE_H
#define TESTS_TABLE_H

#include "grids.h"
#include "rows.h"

#include <stdbool.h>

enum { TABLE_SHAPES = 11, TABLE_LENGTHS = 13, TABLE_BACKENDS = SAMESUM_BACKEND_CUDA + 1 };

/* Data of one shape, and what is done along which axes or segments of it. */
struct job {
    struct grid grid;
    size_t n; /* its length, from which segments and rows are made */
    int shape, axis;
    size_t offsets[8], segments; /* 0: axes */
};

/* What came of each cell. */
struct table {
    long bits[CELLS][TABLE_SHAPES], bits_of_backend[TABLE_BACKENDS];
    samesum_status refused[CELLS][TABLE_SHAPES];
};

/* Compares what the library gives for a job with what is expected; returns how many bits, having
 * added them to those of the backends. */
typedef long table_compare(struct table *table, const struct answer *expected,
                           const struct cell *cell, const struct job *job, const char *name);
/* Whether the library answers with the status alone and writes nothing. */
typedef bool table_refuse(const struct cell *cell, const struct job *job, samesum_status status);

/* Visits every cell, with the first `lengths` lengths of the list. */
void table_walk(struct table *table, int lengths, table_compare *compare, table_refuse *refuse);
/* Writes the table to a file, where `by` says who computed; prints a summary, and fails the test
 * where a cell is empty. */
void table_print(const struct table *table, const char *path, const char *by);
void table_summarise(const struct table *table);

const char *shape_name(int shape);
/* Whether samesum_reduce() can do it too: a contiguous vector without weights. */
bool is_plain_vector(const struct cell *cell, int shape);

#endif
