/* States: SPEC.md, section 7. */
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include "fixedtree/fpenv.h"

samesum_status samesum_state_create(samesum_state **state, const samesum_want *want,
                                    samesum_type type, uint64_t begin)
{
    if (!state || !want)
        return SAMESUM_ERR_NULL;
    ss_plan plan;
    samesum_backend unused;
    samesum_status st = ss_plan_make(want, type, &plan, &unused);
    if (st != SAMESUM_OK)
        return st;
    samesum_state *s = malloc(sizeof *s);
    if (!s)
        return SAMESUM_ERR_NOMEM;
    s->plan = plan;
    s->want = *want;
    s->type = type;
    *state = s;
    return samesum_state_reset(s, begin);
}

void samesum_state_destroy(samesum_state *state)
{
    free(state);
}

samesum_status samesum_state_reset(samesum_state *state, uint64_t begin)
{
    if (!state)
        return SAMESUM_ERR_NULL;
    state->begin = state->end = begin;
    ss_range_init(&state->rows, ss_first_row(begin));
    ss_lanes_clear(&state->plan.arith, &state->tail, 0, SS_LANES);
    return SAMESUM_OK;
}

/* Appends lanes [end % 16, to) of the row that end lies in, to <= 16; they are taken from row. */
static void append_lanes(samesum_state *s, const ss_lanes *row, int to)
{
    const ss_arith *arith = &s->plan.arith;
    int from = (int)(s->end % SS_LANES);
    ss_lanes_copy(arith, &s->tail, row, from, to);
    s->end += (uint64_t)(to - from);
    if (to < SS_LANES)
        return;
    if (s->end - s->begin < SS_LANES) /* the row began before begin: its lanes there are absent */
        s->head = s->tail;
    else
        ss_range_push(arith, &s->rows, 0, &s->tail);
    ss_lanes_clear(arith, &s->tail, 0, SS_LANES);
}

/* Appends n elements of the row that end lies in. */
static void append_elements(samesum_state *s, const char *x, const char *y, size_t n)
{
    size_t bytes = s->plan.elem_bytes, from = s->end % SS_LANES;
    union {
        double d[SS_LANES];
        float f[SS_LANES];
    } px, py;
    ss_lanes row;
    memset(&px, 0, sizeof px); /* the kernel reads the lanes before from; they are not used */
    memset(&py, 0, sizeof py);
    memcpy((char *)&px + from * bytes, x, n * bytes);
    if (y)
        memcpy((char *)&py + from * bytes, y, n * bytes);
    s->plan.kernel->partial(&px, &py, from + n, &row);
    append_lanes(s, &row, (int)(from + n));
}

samesum_status samesum_state_update(samesum_state *state, const void *x, const void *y, size_t n)
{
    if (!state || (n > 0 && (!x || (state->want.op == SAMESUM_DOT && !y))))
        return SAMESUM_ERR_NULL;
    if (n > UINT64_MAX - state->end)
        return SAMESUM_ERR_RANGE;
    const ss_plan *plan = &state->plan;
    const char *px = x, *py = state->want.op == SAMESUM_DOT ? y : NULL;
    ss_fpenv caller = ss_fpenv_enter();
    while (n > 0) {
        size_t done;
        uint64_t row = state->end / SS_LANES;
        if (state->end % SS_LANES != 0 || n < SS_LANES) {
            size_t room = SS_LANES - (size_t)(state->end % SS_LANES);
            done = n < room ? n : room;
            append_elements(state, px, py, done);
        } else if (row % SS_SEGMENT_ROWS == 0 && n >= SS_SEGMENT) {
            done = n / SS_SEGMENT * SS_SEGMENT;
            ss_segments_append(plan, px, py, n / SS_SEGMENT, &state->rows);
            state->end += done;
        } else { /* the largest aligned node that fits; smaller than a segment */
            int level = ss_aligned_level(row, row + n / SS_LANES);
            ss_lanes node;
            done = (size_t)SS_LANES << level;
            plan->kernel->partial(px, py, done, &node);
            ss_range_push(&plan->arith, &state->rows, level, &node);
            state->end += done;
        }
        px += done * plan->elem_bytes;
        if (py)
            py += done * plan->elem_bytes;
        n -= done;
    }
    ss_fpenv_leave(caller);
    return SAMESUM_OK;
}

samesum_status samesum_state_merge(samesum_state *into, const samesum_state *from)
{
    if (!into || !from)
        return SAMESUM_ERR_NULL;
    if (into->want.op != from->want.op || into->type != from->type ||
        into->want.level != from->want.level)
        return SAMESUM_ERR_MISMATCH;
    if (into->end != from->begin || (into == from && into->end != into->begin))
        return SAMESUM_ERR_RANGE;
    ss_fpenv caller = ss_fpenv_enter();
    if (ss_state_has_head(from))
        append_lanes(into, &from->head, SS_LANES);
    ss_range_append(&into->plan.arith, &into->rows, &from->rows);
    into->end += from->rows.count ? (from->rows.end - from->rows.begin) * SS_LANES : 0;
    if (ss_state_has_tail(from))
        append_lanes(into, &from->tail, (int)(from->end % SS_LANES));
    ss_fpenv_leave(caller);
    return SAMESUM_OK;
}

samesum_status samesum_state_finish(const samesum_state *state, void *result)
{
    if (!state || !result)
        return SAMESUM_ERR_NULL;
    const ss_arith *arith = &state->plan.arith;
    ss_range rows = state->rows;
    ss_lanes root;
    ss_fpenv caller = ss_fpenv_enter();
    if (ss_range_root(arith, &rows, ss_state_has_head(state) ? &state->head : NULL,
                      ss_state_has_tail(state) ? &state->tail : NULL, &root))
        ss_lanes_finish(arith, &root, result);
    else
        ss_lanes_finish_empty(arith, result);
    ss_fpenv_leave(caller);
    return SAMESUM_OK;
}

samesum_status samesum_state_range(const samesum_state *state, uint64_t *begin, uint64_t *end)
{
    if (!state || !begin || !end)
        return SAMESUM_ERR_NULL;
    *begin = state->begin;
    *end = state->end;
    return SAMESUM_OK;
}

samesum_status samesum_state_describe(const samesum_state *state, samesum_want *want,
                                      samesum_type *type)
{
    if (!state || !want || !type)
        return SAMESUM_ERR_NULL;
    *want = state->want;
    *type = state->type;
    return SAMESUM_OK;
}
