/* Trees that grow: the numbers [begin, end) of the terms of one reduction (SPEC.md, section 7). */
#ifndef SS_TREES_H
#define SS_TREES_H

#include "fixedtree/segments.h"

/* rows holds the complete rows; a row whose first lanes lie before begin is `head`, once it reaches
 * its last lane; the row that end lies in, where end is no multiple of 16, is `tail`. In both,
 * lanes outside of [begin, end) hold -0.0. */
typedef struct ss_tree {
    ss_arith arith;
    uint64_t begin, end; /* numbers */
    ss_lanes head, tail;
    ss_range rows;
} ss_tree;

/* Whether head and tail hold something. */
static inline int ss_tree_has_tail(const ss_tree *t)
{
    return t->end % SS_LANES != 0 && t->end != t->begin;
}
static inline int ss_tree_has_head(const ss_tree *t)
{
    return t->begin % SS_LANES != 0 && t->begin / SS_LANES < t->end / SS_LANES;
}

/* The range [begin, begin); arith is kept. */
void ss_tree_init(ss_tree *tree, uint64_t begin);

/* Appends all numbers of each term's view to its tree; threads as in samesum_want. The trees have
 * one range. */
void ss_trees_append(ss_tree *tree, const ss_term *term, int terms, int threads, ss_tally *tally);

/* Appends from, which begins where tree ends. */
void ss_tree_merge(ss_tree *tree, const ss_tree *from);

/* Stage 2 and the finish; -0.0 where no leaf is present. The tree stays as it is. */
double ss_tree_finish(const ss_tree *tree);

#endif
