/* rows.h - what the library has to answer for an array: each row is gathered by plain index
 * arithmetic, and the reference reduces it. And the comparison of all that a call writes. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "cells.h"

#include <stddef.h>
#include <stdint.h>

/* One row, side by side; absent elements keep their place. */
struct row {
    samesum_type type;
    size_t n, room;
    char *x, *y, *weights; /* y and weights: NULL where there are none */
    unsigned char *keep;   /* 0 or 1 for each element */
};

/* What a call writes. */
struct answer {
    samesum_status status;
    size_t results, bytes; /* bytes of each result */
    char *values;
    samesum_counts *counts;
};

/* The rows of samesum_reduce_array() and of samesum_reduce_segments(). */
struct answer expect_array(const struct cell *cell, const samesum_array *array, const int *axes,
                           int axis_count);
struct answer expect_segments(const struct cell *cell, const samesum_array *array,
                              const size_t *offsets, size_t segments);
/* Room for that many results; and an answer given back. */
struct answer answer_make(const struct cell *cell, size_t results);
void answer_free(struct answer *answer);

/* Gathers the whole array as one row. */
struct row row_of(const samesum_array *array);
void row_free(struct row *row);
/* The reference's result for a row; returns its status. */
samesum_status row_reference(const struct cell *cell, const struct row *row, void *result);
/* Bytes of a result, from samesum.h's table of types. */
size_t result_bytes(const struct cell *cell);
samesum_counts row_counts(const struct row *row);

/* Each calls the library and compares status, results, counts, who ran, and that nothing behind the
 * results was written. Now and then counts or ran are NULL. name says which data it is. They return
 * how many bits of results were compared. */
long compare_array(const struct answer *expected, const struct cell *cell,
                   const samesum_array *array, const int *axes, int axis_count,
                   samesum_backend backend, int threads, const char *name);
long compare_segments(const struct answer *expected, const struct cell *cell,
                      const samesum_array *array, const size_t *offsets, size_t segments,
                      samesum_backend backend, int threads, const char *name);
/* What a call writes to: results and counts, full of one byte and with guards behind. Now and then
 * ran is not to be asked for, and, unless always_with_counts, counts are not. */
extern bool always_with_counts;
struct written {
    char *results;
    samesum_counts *counts;
    samesum_ran ran;
    size_t results_bytes, counts_bytes; /* with their guards */
    bool with_counts, with_ran;
};
enum { WRITTEN_GUARD = 64 };
struct written written_make(const struct answer *expected);
/* Compares what came back, and frees it; returns how many bits of results were compared. */
long written_judge(struct written *to, samesum_status status, const struct answer *expected,
                   const struct cell *cell, samesum_backend backend, int threads, const char *name);
/* The same for results obtained elsewhere. */
long compare_values(const struct cell *cell, const char *got, const char *expected, size_t bytes,
                    size_t n, samesum_backend backend, int threads, const char *name);
void compare_counts(const struct cell *cell, const samesum_counts *got,
                    const samesum_counts *expected, size_t n, const char *name);

#endif
