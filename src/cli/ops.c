#include "ops.h"

#include "options.h"

#include <string.h>

#define O(id) OPTION_BIT(OPTION_##id)
/* How files are read. */
#define READ (O(FORMAT) | O(DTYPE) | O(SKIP_LINES) | O(COLUMN))
/* What every reduction takes. */
#define REDUCE                                                                                     \
    (READ | O(ACCURACY) | O(WIDE) | O(THREADS) | O(BACKEND) | O(CHUNK) | O(RESULT_TYPE) |          \
     O(FAIL_ON_NONFINITE) | O(OUTPUT) | O(AXIS) | O(STRIDE) | O(MASK) | O(MISSING) | O(OUT_FILE) | \
     O(MPI))

/* An operation that is to come has no function yet, but its options count: a message about --nan
 * names min and max. */
const struct operation operations[] = {
    {"sum", "FILE", "sum of the elements", 1, 1, REDUCE | O(WEIGHTS), SAMESUM_SUM, run_reduction},
    {"asum", "FILE", "sum of their absolute values", 1, 1, REDUCE, SAMESUM_ASUM, run_reduction},
    {"sumsq", "FILE", "sum of their squares", 1, 1, REDUCE, SAMESUM_SUMSQ, run_reduction},
    {"dot", "FILE FILE2", "sum of the products of two files' elements", 2, 2, REDUCE | O(CONJ),
     SAMESUM_DOT, run_reduction},
    {"nrm2", "FILE", "square root of the sum of squares", 1, 1, REDUCE, SAMESUM_NRM2,
     run_reduction},
    {"mean", "FILE", "mean", 1, 1, REDUCE | O(WEIGHTS), SAMESUM_MEAN, run_reduction},
    {"var", "FILE", "variance", 1, 1, REDUCE | O(DDOF), SAMESUM_VAR, run_reduction},
    {"std", "FILE", "standard deviation", 1, 1, REDUCE | O(DDOF), SAMESUM_STD, run_reduction},
    {"min", "FILE", "minimum", 1, 1, REDUCE | O(NAN), SAMESUM_MIN, run_reduction},
    {"max", "FILE", "maximum", 1, 1, REDUCE | O(NAN), SAMESUM_MAX, run_reduction},
    {"argmin", "FILE", "index of the first minimum", 1, 1, REDUCE | O(NAN), SAMESUM_ARGMIN,
     run_reduction},
    {"argmax", "FILE", "index of the first maximum", 1, 1, REDUCE | O(NAN), SAMESUM_ARGMAX,
     run_reduction},
    {"audit", "FILE", "common ways of summing side by side, with their errors", 1, 1,
     READ | O(THREADS) | O(BACKEND) | O(FAIL_ON_NONFINITE) | O(OUTPUT) | O(HTML), 0, run_audit},
    {"golden", "record FILE... -o G | check G", "record results, check them later", 0, 1 << 20,
     (REDUCE | O(WEIGHTS) | O(CONJ) | O(DDOF) | O(NAN) | O(OP) | O(UPDATE) | O(TOLERANCE)) &
         ~O(MPI),
     0, run_golden},
    {"selftest", NULL, "the shipped vectors on every backend of this machine", 0, 0, O(BACKEND), 0,
     run_selftest},
    {"bench", NULL, "speed, next to that of reading memory", 0, 0,
     O(SIZE) | O(THREADS) | O(BACKEND), 0, run_bench},
    {"info", NULL, "version, backends, threads, what is built in", 0, 0, 0, 0, run_info},
};
const int operation_count = sizeof operations / sizeof *operations;

const struct operation *operation_find(const char *name)
{
    for (int i = 0; i < operation_count; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}
