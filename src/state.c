/* States: SPEC.md, section 7. */
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include "derived.h"
#include "fixedtree/fpenv.h"

samesum_status samesum_state_create(samesum_state **state, const samesum_want *want,
                                    samesum_type type, uint64_t begin)
{
    if (!state || !want)
        return SAMESUM_ERR_NULL;
    const ss_backend *backend;
    samesum_status st = ss_check(want, type, &backend);
    if (st != SAMESUM_OK)
        return st;
    int exact = want->level == SAMESUM_EXACT;
    if (!exact && want->op > SAMESUM_DOT && want->op != SAMESUM_MEAN)
        return SAMESUM_ERR_TWO_PASSES;
    samesum_state *s = malloc(sizeof *s);
    if (!s)
        return SAMESUM_ERR_NOMEM;
    s->want = *want;
    if (want->op != SAMESUM_VAR && want->op != SAMESUM_STD)
        s->want.ddof = 0;
    s->type = type;
    s->plan = ss_plan_tree(backend, want->op <= SAMESUM_DOT ? want->op : SAMESUM_SUM, type,
                           want->level, want->threads);
    if (exact) /* for the choice of kernels; reset makes the rest */
        ss_exact_sums_init(&s->sums, backend->slicers, want->op, type, s->want.ddof);
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
    if (state->want.level == SAMESUM_EXACT) {
        ss_exact_sums_init(&state->sums, state->sums.plan[0].slicers, state->want.op, state->type,
                           state->want.ddof);
        return SAMESUM_OK;
    }
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

/* Appends elements to the nodes of a tree. */
static void append_to_tree(samesum_state *state, const char *x, const char *y, size_t n)
{
    const ss_plan *plan = &state->plan;
    while (n > 0) {
        size_t done;
        uint64_t row = state->end / SS_LANES;
        if (state->end % SS_LANES != 0 || n < SS_LANES) {
            size_t room = SS_LANES - (size_t)(state->end % SS_LANES);
            done = n < room ? n : room;
            append_elements(state, x, y, done);
        } else if (row % SS_SEGMENT_ROWS == 0 && n >= SS_SEGMENT) {
            done = n / SS_SEGMENT * SS_SEGMENT;
            ss_segments_append(plan, x, y, n / SS_SEGMENT, &state->rows);
            state->end += done;
        } else { /* the largest aligned node that fits; smaller than a segment */
            int level = ss_aligned_level(row, row + n / SS_LANES);
            ss_lanes node;
            done = (size_t)SS_LANES << level;
            plan->kernel->partial(x, y, done, &node);
            ss_range_push(&plan->arith, &state->rows, level, &node);
            state->end += done;
        }
        x += done * plan->elem_bytes;
        if (y)
            y += done * plan->elem_bytes;
        n -= done;
    }
}

samesum_status samesum_state_update(samesum_state *state, const void *x, const void *y, size_t n)
{
    if (!state || (n > 0 && (!x || (state->want.op == SAMESUM_DOT && !y))))
        return SAMESUM_ERR_NULL;
    if (n > UINT64_MAX - state->end)
        return SAMESUM_ERR_RANGE;
    if (state->want.op != SAMESUM_DOT)
        y = NULL;
    ss_fpenv caller = ss_fpenv_enter();
    if (state->want.level == SAMESUM_EXACT) {
        ss_exact_sums_add(&state->sums, x, y, n, state->want.threads);
        state->end += n;
    } else {
        append_to_tree(state, x, y, n);
    }
    ss_fpenv_leave(caller);
    return SAMESUM_OK;
}

samesum_status samesum_state_merge(samesum_state *into, const samesum_state *from)
{
    if (!into || !from)
        return SAMESUM_ERR_NULL;
    int exact = into->want.level == SAMESUM_EXACT;
    if (into->want.op != from->want.op || into->type != from->type ||
        into->want.level != from->want.level || into->want.ddof != from->want.ddof)
        return SAMESUM_ERR_MISMATCH;
    uint64_t count = into->end - into->begin, more = from->end - from->begin;
    int follows = into->end == from->begin;
    if ((into == from && count > 0) || (exact ? more > UINT64_MAX - count : !follows))
        return SAMESUM_ERR_RANGE;
    if (exact) { /* in any order */
        into->begin = follows ? into->begin : 0;
        into->end = into->begin + count + more;
        ss_exact_sums_merge(&into->sums, &from->sums);
        return SAMESUM_OK;
    }
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
    samesum_status st = SAMESUM_OK;
    ss_fpenv caller = ss_fpenv_enter();
    if (state->want.level == SAMESUM_EXACT) {
        st = ss_exact_sums_finish(&state->sums, state->type, result);
    } else {
        ss_range rows = state->rows;
        ss_lanes root;
        if (ss_range_root(arith, &rows, ss_state_has_head(state) ? &state->head : NULL,
                          ss_state_has_tail(state) ? &state->tail : NULL, &root))
            ss_lanes_finish(arith, &root, result);
        else
            ss_lanes_finish_empty(arith, result);
        if (state->want.op == SAMESUM_MEAN)
            st = ss_mean_of_sum(arith->wide, state->end - state->begin, result);
    }
    ss_fpenv_leave(caller);
    return st;
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
