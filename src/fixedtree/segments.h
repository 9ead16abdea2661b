/* Whole segments of a range: views, kernels, threads and the order of nodes put together. */
#ifndef SS_SEGMENTS_H
#define SS_SEGMENTS_H

#include "fixedtree/range.h"
#include "view/view.h"

/* One sum over a view: which leaves, by which kernel. */
typedef struct ss_term {
    const ss_view *view;
    const ss_kernel *kernel;
    /* for views of every second number (ss_backend), or NULL */
    void (*every_second)(int level, const void *x, const void *y, ss_lanes *out);
    ss_arith arith;
} ss_term;

/* What is summed in one pass: terms over the same elements, with as many numbers each. */
enum { SS_TERMS = 2 };

/* op is one of SAMESUM_SUM to _DOT. */
static inline ss_term ss_term_of(const ss_backend *backend, samesum_op op, const ss_view *view,
                                 samesum_level level)
{
    ss_term term = {
        .view = view,
        /* SPEC.md 4.3: within a segment kahan's nodes are those of tree */
        .kernel = &backend->kernel[view->out][op][level == SAMESUM_COMPENSATED],
        .every_second = view->out <= SAMESUM_F32 && op < SAMESUM_DOT
                            ? backend->every_second[view->out][op][level == SAMESUM_COMPENSATED]
                            : NULL,
        .arith = {.wide = view->out == SAMESUM_F64 || view->out == SAMESUM_F32_WIDE,
                  .level = level},
    };
    return term;
}

/* Notes n numbers from `first` on, whose lanes' nodes are at hand and of whose elements so many are
 * present. A leaf that is no finite number makes its node none, whatever the operation; then the
 * elements are looked at. (An overflow does so too, and adds none.) */
void ss_note(const ss_term *term, int terms, uint64_t first, size_t n, size_t present,
             const ss_lanes *node, ss_tally *tally);

/* Appends count whole segments, the first of which begins with number `first` of the views, to the
 * range of each term; these end on a segment's border. Several threads may work (threads as in
 * samesum_want). Returns how many did. tally receives what was seen. */
int ss_segments_append(const ss_term *term, int terms, int threads, uint64_t first, size_t count,
                       ss_range *const *range, ss_tally *tally);

/* The lanes' roots of n <= SS_SEGMENT numbers whose first row is a multiple of the next power of
 * two of their rows. */
void ss_segment_partial(const ss_term *term, int terms, uint64_t first, size_t n, ss_lanes *out,
                        ss_tally *tally);

/* Stages 1 and 2 and the finish for all elements of the views, with indices from 0; result[i]
 * receives a number of the accumulator's type for each term. Returns how many threads worked. */
int ss_tree_reduce(const ss_term *term, int terms, int threads, double *result, ss_tally *tally);

#endif
