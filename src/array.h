/* From the description of an array to rows. */
#ifndef SS_ARRAY_H
#define SS_ARRAY_H

#include "derived.h"

/* An array taken apart: the axes that are reduced, and the others. */
typedef struct ss_rows {
    ss_layout row, rest;
    uint64_t n, results; /* elements of a row, and rows */
} ss_rows;

/* Takes the array apart along the axes, in logical order. Errors: SAMESUM_ERR_NULL, _SHAPE. */
samesum_status ss_array_split(const samesum_array *array, const int *axes, int axis_count,
                              ss_rows *rows);

/* Checks what the array holds against what is wanted, and fills in the job's row: the one whose
 * other indices are all 0. rows has to last as long as the job. Errors: SAMESUM_ERR_NULL, _OPTION.
 */
samesum_status ss_array_job(const samesum_array *array, const ss_rows *rows,
                            const ss_backend *backend, const samesum_want *want, ss_job *job);

#endif
