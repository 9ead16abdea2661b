/* Where the elements of one row lie: its axes, in logical order, the last one fastest. Knows places
 * and nothing of what is there. */
#ifndef SS_LAYOUT_H
#define SS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include "samesum.h"

/* What has a stride of its own: the elements, their partners (y or weights), the mask. */
enum { SS_X, SS_Y, SS_MASK, SS_PLACES };

/* Bytes from one element to the next; of a mask of bits, bits. */
typedef struct ss_axis {
    size_t extent;
    ptrdiff_t stride[SS_PLACES];
} ss_axis;

typedef struct ss_layout {
    int dims; /* at least 1 */
    ss_axis axis[SAMESUM_MAX_DIMS];
} ss_layout;

/* n elements at equal distances. */
static inline void ss_layout_flat(ss_layout *layout, uint64_t n, ptrdiff_t x, ptrdiff_t y)
{
    layout->dims = 1;
    layout->axis[0].extent = (size_t)n;
    layout->axis[0].stride[SS_X] = x;
    layout->axis[0].stride[SS_Y] = y;
    layout->axis[0].stride[SS_MASK] = 0;
}

/* Joins neighbouring axes that make one, at all places, and drops those of one element. No order
 * changes. */
void ss_layout_join(ss_layout *layout);

/* A walk through a row. */
typedef struct ss_walk {
    const ss_layout *layout;
    size_t index[SAMESUM_MAX_DIMS];
    ptrdiff_t offset[SS_PLACES]; /* of the element it stands at, from that with all indices 0 */
} ss_walk;

/* Stands at the element with this logical index. */
void ss_walk_start(ss_walk *walk, const ss_layout *layout, uint64_t element);

/* The elements from here to the end of the last axis. */
static inline size_t ss_walk_run(const ss_walk *walk)
{
    int last = walk->layout->dims - 1;
    return walk->layout->axis[last].extent - walk->index[last];
}

/* Steps over n elements, at most ss_walk_run() of them. */
void ss_walk_step(ss_walk *walk, size_t n);

#endif
