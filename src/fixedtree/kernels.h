/* What a row kernel is, and the table of them that each backend fills. A kernel computes complete
 * parts of the tree; who calls it on which segment, and how nodes merge further up, lies in range.c
 * and threads.c. */
#ifndef SS_KERNELS_H
#define SS_KERNELS_H

#include <stddef.h>
#include "samesum.h"
#include "fixedtree/pack.h"
#include "fixedtree/shape.h"

/* One node for each of the 16 lanes, in the accumulator's type; e is +0 where nodes are plain. */
typedef union ss_lanes {
    struct {
        double s[SS_LANES], e[SS_LANES];
    } f64;
    struct {
        float s[SS_LANES], e[SS_LANES];
    } f32;
} ss_lanes;

typedef struct ss_kernel {
    /* The node of this level, SS_SEGMENT_LEVEL to SS_NODE_LEVEL_MAX, whose rows lie at x (and y).
     */
    void (*node)(int level, const void *x, const void *y, ss_lanes *out);
    /* The lanes' roots of n < SS_SEGMENT elements whose first is the first of an aligned segment.
     * Lanes without an element become the neutral -0.0 (asum, sumsq: +0.0, neutral among their
     * leaves). */
    void (*partial)(const void *x, const void *y, size_t n, ss_lanes *out);
} ss_kernel;

enum { SS_OPS = 4, SS_NODE_LEVEL_MAX = 16 };

/* Series side by side: see columns.c, which decides what is done in which order. A column is one
 * lane of one series; a run is a stretch of columns whose elements lie side by side in each row. A
 * node is an array of columns for s, and one for e where nodes are pairs. */
enum { SS_BLOCK_ROWS = 8, SS_BRIEF = 2 * SS_LANES };

/* What a run's nodes meet, and where they go. */
typedef struct ss_meet {
    const void *left; /* the last node on the stack, on the left of ours */
    int count;        /* how many nodes of the stack are met, from the last one downwards */
    size_t apart;     /* numbers from a node's s to its e; twice that from node to node */
    void *s, *e;      /* the outcome; it may take the place of the lowest node met */
} ss_meet;

typedef struct ss_columns {
    /* op is not dot. [type][pair]: the roots of rows <= SS_BLOCK_ROWS rows, `row` bytes apart, of
     * width columns, a multiple of SS_LANES, and of what they meet; rows may be 0 where they meet
     * something. The run that comes next begins at next: it is fetched ahead,
     * and need not exist. */
    void (*run[SS_REAL_TYPES][2])(samesum_op op, const char *x, ptrdiff_t row, int rows,
                                  size_t width, const char *next, const ss_meet *meet);
    /* [type][level]: the results of n <= SS_BRIEF elements of each of `series` series,
     * a multiple of SS_LANES. Element i of series v lies at x + i * stride + v * (its bytes). */
    void (*brief[SS_REAL_TYPES][SAMESUM_EXACT])(samesum_op op, const char *x, ptrdiff_t stride,
                                                int n, size_t series, void *results);
    /* [wide][pair]: left becomes the node of left and right. */
    void (*combine[2][2])(size_t width, void *ls, void *le, const void *rs, const void *re);
    /* [wide][pair]: stage 2 and the finish. Lane j of series v is column j * pitch + v. */
    void (*finish[2][2])(const void *s, const void *e, size_t pitch, size_t series, void *results);
} ss_columns;

/* pair: 1 for level compensated, 0 for tree, and for kahan, whose nodes are plain up to level 8. */
typedef struct ss_backend {
    samesum_backend id;
    const struct ss_slicers *slicers;           /* level exact: exact/slices.h */
    ss_kernel kernel[SS_REAL_TYPES][SS_OPS][2]; /* [type][op][pair] */
    const ss_packers *packers;
    /* [type, F64 or F32][op but dot][pair]: as ss_kernel.node, of every second number at x; up to
     * one more after the last is read. */
    void (*every_second[2][SS_OPS - 1][2])(int level, const void *x, const void *y, ss_lanes *out);
    ss_extremes_fn *extremes[SS_REAL_TYPES];
    const ss_columns *columns;
} ss_backend;

extern const ss_backend ss_backend_scalar, ss_backend_avx2, ss_backend_avx512, ss_backend_neon;

#endif
