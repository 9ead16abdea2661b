/* What a samesum_state is made of. */
#ifndef SS_STATE_H
#define SS_STATE_H

#include "exact/reduce.h"
#include "extremes.h"
#include "fixedtree/trees.h"
#include "plan.h"

/* The elements [begin, end), of which `present` count. */
struct samesum_state {
    const ss_backend *backend;
    samesum_want want;
    samesum_type type;
    uint64_t begin, end, present;
    union {
        ss_exact_sums sums; /* level exact */
        ss_found found;     /* min, max, minmax */
        ss_tree tree[1];    /* else: one, or two for both parts of complex numbers */
    };
};

/* What a state holds. */
enum ss_holds { SS_HOLDS_TREES, SS_HOLDS_SUMS, SS_HOLDS_EXTREMES };
static inline enum ss_holds ss_state_holds(const samesum_state *s)
{
    return s->want.op >= SAMESUM_MIN        ? SS_HOLDS_EXTREMES
           : s->want.level == SAMESUM_EXACT ? SS_HOLDS_SUMS
                                            : SS_HOLDS_TREES;
}

/* Whether states merge in any order, and have no begin. */
static inline int ss_state_is_exact(const samesum_state *s)
{
    return s->want.level == SAMESUM_EXACT;
}

/* Numbers of an element that sums are made of: of complex squares and products both parts. */
static inline unsigned ss_numbers_of_element(samesum_op op, samesum_type type)
{
    int both = op == SAMESUM_SUMSQ || op == SAMESUM_NRM2 || op == SAMESUM_DOT;
    return ss_is_complex(type) && both ? 2 : 1;
}

static inline int ss_state_trees(const samesum_state *s)
{
    return ss_result_numbers(&s->want, s->type);
}

#endif
