/* Who computes which segments. Threads, their number and their schedule never decide which nodes
 * exist. */
#ifndef SS_THREADS_H
#define SS_THREADS_H

#include "fixedtree/range.h"

/* Elements up to which the calling thread works alone. */
enum { SS_ALONE = 1 << 17 };

/* One reduction: what is computed, by which kernel. */
typedef struct ss_plan {
    ss_arith arith;
    const ss_kernel *kernel;
    size_t elem_bytes;
    int threads; /* as in samesum_want */
} ss_plan;

/* Appends count whole segments at x (and y) to range, which ends on a segment's border. Several
 * threads may work, each in its own environment; the caller has entered its own. Returns how many
 * threads did. */
int ss_segments_append(const ss_plan *plan, const char *x, const char *y, size_t count,
                       ss_range *range);

/* The number of threads that a call with threads = 0 may use here and now. */
int ss_default_threads(void);

/* 1 where this was compiled with OpenMP. */
int ss_has_openmp(void);

#endif
