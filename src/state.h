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
    unsigned char weighted, trees; /* trees: where it holds them */
    uint64_t begin, end, present;
    union {
        ss_exact_sums sums; /* level exact */
        ss_found found;     /* min, max, minmax */
        ss_tree tree[1];    /* else: one, or two (as ss_sums_of says) */
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
    return s->trees;
}

/* Makes a state for what is checked already; also for what samesum_state_create() refuses: argmin
 * and argmax, weights, and one pass of an operation that takes several: of the largest |x| as
 * minmax. */
samesum_status ss_state_make(samesum_state **state, const ss_backend *backend,
                             const samesum_want *want, samesum_type type, int weighted, int trees,
                             uint64_t begin);

/* Appends the elements of a job's row: of a state below level exact what the next pass sums.
 * tally has been started. */
void ss_state_append(samesum_state *state, const ss_job *job, const ss_passes *passes,
                     ss_tally *tally);

/* The form that states have in messages and in files: what follows the range. The size depends on
 * the range alone, but for exact sums. end: behind the last element. Reading returns 0 where the
 * bytes are no such thing; the state is one whose range is still empty, with `present` set. */
size_t ss_state_body_bytes(const samesum_state *state);
unsigned char *ss_state_put_body(unsigned char *at, const samesum_state *state);
int ss_state_get_body(const unsigned char *at, size_t bytes, uint64_t end, samesum_state *state);

#endif
