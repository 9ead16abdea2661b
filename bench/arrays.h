/* arrays.h - reductions of shaped arrays: the call, the check of its results, a table. */
#ifndef BENCH_ARRAYS_H
#define BENCH_ARRAYS_H

#include "sampling.h"

typedef struct bench_array {
    samesum_array array;   /* masked only where it has one dimension */
    int axis;              /* the one that is reduced */
    const size_t *offsets; /* NULL, or the bounds of so many segments */
    size_t segments;
    void *results; /* room for all of them */
} bench_array;

/* Reduces call->array into its results; *result becomes 0. One dimension without gaps goes through
 * samesum_reduce(). */
samesum_status bench_run_array(const bench_call *call, double *result);

/* Whether the results of a sum or dot product that was just run at the call's level have the bits
 * of a second way: up to 32 rows, copied and fed to a state piece by piece. */
bool bench_check(const bench_call *call);

typedef struct bench_asked {
    double must, aim;
    bool tree_only;
} bench_asked;

/* A table: the read, then the call at levels tree and compensated, with what is asked of them. Its
 * array gets room for the results. False on errors and where results have other bits than they
 * must. */
bool bench_array_table(const bench_setup *setup, const bench_call *call, bench_array *array,
                       bench_asked asked);
/* The same, and below it NumPy's sum along that axis of an f32 array in C order. */
bool bench_axis_table(const bench_setup *setup, const bench_call *call, bench_array *array,
                      bench_asked asked);

#endif
