/* What a samesum_state is made of. */
#ifndef SS_STATE_H
#define SS_STATE_H

#include "exact/reduce.h"
#include "plan.h"

/* The elements [begin, end). At level exact `sums` holds them. At the others rows holds the
 * complete rows; a row whose first lanes lie before begin is `head`, once it reaches its last lane;
 * the row that end lies in, where end is no multiple of 16, is `tail`. In both, lanes outside of
 * [begin, end) hold -0.0. */
struct samesum_state {
    ss_plan plan;
    samesum_want want;
    samesum_type type;
    uint64_t begin, end;
    union {
        ss_exact_sums sums;
        struct {
            ss_lanes head, tail;
            ss_range rows;
        };
    };
};

/* Whether head and tail hold something. */
static inline int ss_state_has_tail(const samesum_state *s)
{
    return s->end % SS_LANES != 0 && s->end != s->begin;
}
static inline int ss_state_has_head(const samesum_state *s)
{
    return s->begin % SS_LANES != 0 && s->begin / SS_LANES < s->end / SS_LANES;
}

/* The first complete row that a range from begin can hold. */
static inline uint64_t ss_first_row(uint64_t begin)
{
    return begin / SS_LANES + (begin % SS_LANES != 0);
}

#endif
