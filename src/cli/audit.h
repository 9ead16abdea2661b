/* audit.h - what `samesum audit` finds out; audit.c fills it in, audit_text.c and audit_json.c
 * print it. */
#ifndef SAMESUM_CLI_AUDIT_H
#define SAMESUM_CLI_AUDIT_H

#include "input.h"
#include "nonfinite.h"
#include "truth.h"
#include "value.h"

/* One way of summing. */
struct audit_row {
    char method[40];
    struct value value;
    /* value minus the true sum: as it is, in units in the last place of the true sum rounded to the
     * value's type, and divided by the true sum; NaN where that says nothing */
    double error, ulps, relative;
};

enum { AUDIT_ROWS = 24, AUDIT_THREAD_COUNTS = 5, AUDIT_REPEATS = 5 };
extern const int audit_thread_counts[AUDIT_THREAD_COUNTS];

struct audit {
    const char *file;
    enum dtype dtype;
    uint64_t n;
    struct shape shape;
    struct nonfinite nonfinite; /* all kinds together */
    struct nonfinite nan, plus_inf, minus_inf;
    double min, max; /* of the finite values; NaN where there are none */

    struct audit_row rows[AUDIT_ROWS];
    int row_count;
    struct truth truth;
    double condition; /* S / |sum|, S = truth.sum_abs; NaN where there are no data or some are not
                         finite */
    /* Error bounds in the data's type, with its unit roundoff u. serial: (n - 1) u S, which no
     * order of adding passes; tree: that of samesum's least accurate level, from samesum.h */
    double serial_bound, tree_bound;
    double serial_mean; /* that of the serial loop, in the data's type */

    /* different bits in AUDIT_REPEATS runs at each of audit_thread_counts; 0: without OpenMP */
    int openmp_results;
    int samesum_results; /* the most that a level of samesum showed over the same thread counts */
    bool finite;         /* all values are, and so is the true sum in the data's type */
    bool outside;        /* serial_mean lies outside of [min, max] */
    bool beyond;         /* the serial sum is off by more than tree_bound */
    bool spread_overflows[SAMESUM_EXACT]; /* std at that level, where the true one is finite */
    const char *grade;                    /* of the serial sum: "correctly rounded", ... */
};

void audit_print_text(const struct audit *a);
void audit_print_json(const struct audit *a);

#endif
