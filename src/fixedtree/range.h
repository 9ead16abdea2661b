/* The nodes of a range of rows: the maximal aligned ones, from left to right (SPEC.md, section 7).
 * Knows the order in which nodes meet and nothing of what they hold. */
#ifndef SS_RANGE_H
#define SS_RANGE_H

#include "fixedtree/lanes.h"

/* Levels ascend from the left end and descend to the right end: at most two nodes of a level,
 * of 60. */
enum { SS_RANGE_NODES = 2 * 60 + 2 };

typedef struct ss_range {
    uint64_t begin, end; /* rows */
    int count;
    signed char level[SS_RANGE_NODES];
    ss_lanes node[SS_RANGE_NODES];
} ss_range;

/* The range [begin, begin). */
void ss_range_init(ss_range *range, uint64_t begin);

/* Appends the complete node of this level whose first row is range->end, a multiple of 2^level. */
void ss_range_push(const ss_arith *arith, ss_range *range, int level, const ss_lanes *node);

/* Appends the nodes of next, which begins where range ends. */
void ss_range_append(const ss_arith *arith, ss_range *range, const ss_range *next);

/* Reduces the range to 16 roots: before, if not NULL, is the row left of the range, and after what
 * lies to the right of it, in one segment, as its lanes' roots. Absent lanes hold -0.0.
 * Returns 0 where there is nothing at all. */
int ss_range_root(const ss_arith *arith, const ss_range *range, const ss_lanes *before,
                  const ss_lanes *after, ss_lanes *root);

#endif
