/* Whole segments of a range: kernels, threads and the order of nodes put together. */
#ifndef SS_SEGMENTS_H
#define SS_SEGMENTS_H

#include "fixedtree/range.h"

/* Makes elements of the accumulator's type out of others, for reductions of something derived from
 * the data. fill writes n <= SS_SEGMENT values for the elements at x to out. */
typedef struct ss_map ss_map;
struct ss_map {
    void (*fill)(const ss_map *map, const void *x, size_t n, void *out);
    double parameter;
};

/* One reduction: what is computed, by which kernel. */
typedef struct ss_plan {
    ss_arith arith;
    const ss_kernel *kernel;
    const ss_map *map; /* NULL: the kernel reads the elements themselves */
    size_t elem_bytes;
    int threads; /* as in samesum_want */
} ss_plan;

/* Appends count whole segments at x (and y) to range, which ends on a segment's border. Several
 * threads may work. Returns how many did. */
int ss_segments_append(const ss_plan *plan, const char *x, const char *y, size_t count,
                       ss_range *range);

/* The lanes' roots of n < SS_SEGMENT elements, the first of which is the first of a segment. */
void ss_segment_partial(const ss_plan *plan, const char *x, const char *y, size_t n, ss_lanes *out);

/* Stages 1 and 2 and the finish for n elements with indices from 0. Returns how many threads
 * worked. */
int ss_tree_reduce(const ss_plan *plan, const char *x, const char *y, size_t n, void *result);

#endif
