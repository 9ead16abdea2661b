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

enum { SS_TYPES = 3, SS_OPS = 4, SS_NODE_LEVEL_MAX = 16 };

/* Series side by side: element i of series v lies at x + i * stride + v * (bytes of an element).
 * Makes the lanes' roots of n <= SS_SEGMENT elements of each, the first of which is the first of an
 * aligned segment (n = SS_SEGMENT: nodes of SS_SEGMENT_LEVEL). Lane j of series v is s[j * series +
 * v], and likewise e where nodes are pairs, in the accumulator's type. scratch: room for
 * SS_COLUMNS_SCRATCH nodes of 16 lanes of that many series. */
typedef void ss_columns_fn(const char *x, ptrdiff_t stride, size_t n, size_t series, void *scratch,
                           void *s, void *e);
enum { SS_COLUMNS_SCRATCH = 9 };

/* pair: 1 for level compensated, 0 for tree, and for kahan, whose nodes are plain up to level 8. */
typedef struct ss_backend {
    samesum_backend id;
    const struct ss_slicers *slicers;           /* level exact: exact/slices.h */
    ss_kernel kernel[SS_REAL_TYPES][SS_OPS][2]; /* [type][op][pair] */
    const ss_packers *packers;
    ss_extremes_fn *extremes[SS_REAL_TYPES];
    /* To come: columns[type][op but dot][pair]. */
} ss_backend;

extern const ss_backend ss_backend_scalar, ss_backend_avx2, ss_backend_avx512, ss_backend_neon;

#endif
