/* reduction.h - one operation on files, from the request to the results in memory. */
#ifndef SAMESUM_CLI_REDUCTION_H
#define SAMESUM_CLI_REDUCTION_H

#include "nonfinite.h"
#include "operands.h"

struct reduction {
    struct operands operands;
    samesum_want want;
    samesum_type type;      /* what the elements are reduced as */
    enum dtype result_type; /* of each result */

    struct shape shape;     /* of the results: without axes where there is one of all elements */
    size_t rows;            /* results */
    unsigned char *results; /* in C order */
    samesum_counts *counts; /* what each was made of; NULL where nobody will ask, to save memory */

    /* Of x, and of y or the weights: over all results, with indices in the file (in the strided
     * sequence of --stride). */
    struct nonfinite nonfinite[2];
    uint64_t short_rows; /* results that are NaN since there are too few elements */
    size_t first_short;  /* the first of them; meaningful where there are any */
};

/* Opens the request's files and reduces them. Ends the program with a message where that cannot be
 * done. every_count: counts for each result are wanted. */
void reduction_run(struct reduction *d, const struct request *r, bool every_count);
void reduction_close(struct reduction *d);
/* Where result i lies. */
const void *reduction_result(const struct reduction *d, size_t i);

#endif
