/* States: SPEC.md, section 7. */
#include "state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
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
    const samesum_op op = want->op;
    if (ss_is_index(op))
        return SAMESUM_ERR_OP;
    if (want->level != SAMESUM_EXACT &&
        (op == SAMESUM_NRM2 || op == SAMESUM_VAR || op == SAMESUM_STD))
        return SAMESUM_ERR_TWO_PASSES;
    return ss_state_make(state, backend, want, type, 0, ss_result_numbers(want, type), begin);
}

samesum_status ss_state_make(samesum_state **state, const ss_backend *backend,
                             const samesum_want *want, samesum_type type, int weighted, int trees,
                             uint64_t begin)
{
    const samesum_op op = want->op;
    size_t bytes = sizeof **state;
    if (op < SAMESUM_MIN && want->level != SAMESUM_EXACT)
        bytes += (size_t)(trees - 1) * sizeof(ss_tree);
    samesum_state *s = malloc(bytes);
    if (!s)
        return SAMESUM_ERR_NOMEM;
    s->backend = backend;
    s->want = *want;
    s->want.ddof = op == SAMESUM_VAR || op == SAMESUM_STD ? want->ddof : 0;
    s->want.nan = op >= SAMESUM_MIN ? want->nan : SAMESUM_NAN_PROPAGATE;
    if (op >= SAMESUM_MIN && want->level != SAMESUM_EXACT) /* their levels are one */
        s->want.level = SAMESUM_TREE;
    if (type != SAMESUM_F16 && type != SAMESUM_BF16) /* the accumulator's type is the input's */
        s->want.result = SAMESUM_RESULT_ACCUMULATOR;
    s->type = type;
    s->weighted = weighted != 0;
    s->trees = (unsigned char)trees;
    samesum_status st = samesum_state_reset(s, begin);
    if (st == SAMESUM_OK)
        *state = s;
    else
        free(s);
    return st;
}

void samesum_state_destroy(samesum_state *state)
{
    free(state);
}

/* The index of a number that an element's index stands for has to fit, too. */
static uint64_t last_index(const samesum_state *s)
{
    return UINT64_MAX / ss_numbers_of_element(s->want.op, s->type);
}

samesum_status samesum_state_reset(samesum_state *s, uint64_t begin)
{
    if (!s)
        return SAMESUM_ERR_NULL;
    if (begin > last_index(s))
        return SAMESUM_ERR_RANGE;
    s->begin = s->end = begin;
    s->present = 0;
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        ss_exact_sums_init(&s->sums, s->backend->slicers, s->want.op, s->type, s->weighted,
                           s->want.ddof);
        break;
    case SS_HOLDS_EXTREMES:
        ss_found_start(&s->found);
        break;
    case SS_HOLDS_TREES:
        for (int i = 0; i < ss_state_trees(s); i++) {
            s->tree[i].arith = (ss_arith){.wide = ss_is_wide(s->type), .level = s->want.level};
            ss_tree_init(&s->tree[i], begin * ss_numbers_of_element(s->want.op, s->type));
        }
        break;
    }
    return SAMESUM_OK;
}

static void find(const samesum_state *s, const ss_job *job, ss_found *found, ss_tally *tally)
{
    ss_view view = job->row;
    view.out = view.type;
    ss_found_start(found);
    ss_extremes_find(s->backend, &view, SS_PAD_PRESENT, s->want.threads, found, tally);
    if (ss_is_index(s->want.op))
        ss_found_locate(&view, found);
}

void ss_state_append(samesum_state *s, const ss_job *job, const ss_passes *passes, ss_tally *tally)
{
    const int threads = s->want.threads;
    if (ss_state_holds(s) == SS_HOLDS_EXTREMES) {
        ss_found here;
        if (passes->next == SS_PASS_LARGEST)
            ss_pass_largest(job, threads, &here, tally);
        else
            find(s, job, &here, tally);
        ss_found_join(&s->found, &here, s->end);
    } else if (ss_state_is_exact(s)) { /* var and std sum the same elements twice */
        ss_sums_of sums;
        ss_sums_of_job(job, ss_exact_number(s->type), &sums);
        const ss_view *view[SS_TERMS] = {&sums.view[0],
                                         sums.terms > 1 ? &sums.view[1] : &sums.view[0]};
        ss_exact_sums_add(&s->sums, view, threads, tally);
    } else {
        ss_sums_of sums;
        ss_term term[SS_TERMS];
        ss_pass_sums(job, passes, &sums);
        for (int i = 0; i < sums.terms; i++)
            term[i] = ss_term_of(s->backend, sums.op[i], &sums.view[i], s->want.level);
        ss_trees_append(s->tree, term, sums.terms, threads, tally);
    }
    s->end += job->row.n;
    s->present += tally->counts.present;
}

/* Appends the elements of a job's row. */
static void append(samesum_state *s, const ss_job *job, ss_tally *tally)
{
    const ss_passes first = {.next = SS_PASS_SUMS};
    ss_state_append(s, job, &first, tally);
}

samesum_status samesum_state_update(samesum_state *state, const void *x, const void *y, size_t n)
{
    if (!state || (n > 0 && (!x || (state->want.op == SAMESUM_DOT && !y))))
        return SAMESUM_ERR_NULL;
    if (n > last_index(state) - state->end)
        return SAMESUM_ERR_RANGE;
    ss_job job;
    ss_layout layout;
    ss_tally tally;
    ptrdiff_t bytes = (ptrdiff_t)ss_element_bytes(state->type);
    ss_job_start(&job, state->backend, &state->want, state->type);
    ss_layout_flat(&layout, n, bytes, bytes);
    ss_tally_start(&tally, 0);
    job.row.layout = &layout;
    job.row.n = n;
    job.row.place[SS_X] = x;
    job.row.place[SS_Y] = state->want.op == SAMESUM_DOT ? y : NULL;
    ss_fpenv caller = ss_fpenv_enter();
    append(state, &job, &tally);
    ss_fpenv_leave(caller);
    return SAMESUM_OK;
}

samesum_status samesum_state_update_array(samesum_state *state, const samesum_array *chunk,
                                          samesum_counts *counts)
{
    if (!state || !chunk)
        return SAMESUM_ERR_NULL;
    if (chunk->type != state->type)
        return SAMESUM_ERR_MISMATCH;
    if (chunk->weights)
        return SAMESUM_ERR_OPTION;
    ss_rows rows;
    ss_job job;
    ss_tally tally;
    samesum_status st = ss_array_split(chunk, NULL, 0, &rows);
    if (st != SAMESUM_OK)
        return st;
    if (rows.n > last_index(state) - state->end)
        return SAMESUM_ERR_RANGE;
    ss_fpenv caller = ss_fpenv_enter();
    st = ss_array_job(chunk, &rows, state->backend, &state->want, &job);
    if (st == SAMESUM_OK) {
        ss_tally_start(&tally, counts != NULL);
        append(state, &job, &tally);
        if (counts)
            *counts = tally.counts;
    }
    ss_fpenv_leave(caller);
    return st;
}

samesum_status samesum_state_merge(samesum_state *into, const samesum_state *from)
{
    if (!into || !from)
        return SAMESUM_ERR_NULL;
    int exact = ss_state_is_exact(into);
    if (into->want.op != from->want.op || into->type != from->type ||
        into->want.level != from->want.level || into->want.ddof != from->want.ddof ||
        into->want.nan != from->want.nan || into->want.result != from->want.result ||
        !into->want.conj != !from->want.conj)
        return SAMESUM_ERR_MISMATCH;
    uint64_t count = into->end - into->begin, more = from->end - from->begin;
    int follows = into->end == from->begin;
    if ((into == from && count > 0) || (exact ? more > last_index(into) - count : !follows))
        return SAMESUM_ERR_RANGE;
    if (exact && !follows) { /* in any order */
        into->begin = 0;
        into->end = count;
    }
    ss_fpenv caller = ss_fpenv_enter();
    switch (ss_state_holds(into)) {
    case SS_HOLDS_SUMS:
        ss_exact_sums_merge(&into->sums, &from->sums);
        break;
    case SS_HOLDS_EXTREMES:
        ss_found_join(&into->found, &from->found, 0);
        break;
    case SS_HOLDS_TREES:
        for (int i = 0; i < ss_state_trees(into); i++)
            ss_tree_merge(&into->tree[i], &from->tree[i]);
        break;
    }
    into->end += more;
    into->present += from->present;
    ss_fpenv_leave(caller);
    return SAMESUM_OK;
}

samesum_status samesum_state_finish(const samesum_state *s, void *result)
{
    if (!s || !result)
        return SAMESUM_ERR_NULL;
    const ss_format format = ss_result_format(s->type, s->want.result);
    const samesum_op op = s->want.op;
    int numbers = ss_result_numbers(&s->want, s->type);
    double value[SS_TERMS] = {0, 0};
    samesum_status st =
        s->present > 0 || op < SAMESUM_MEAN ? SAMESUM_OK : SAMESUM_NO_VALUE; /* SPEC.md 6 */
    ss_fpenv caller = ss_fpenv_enter();
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        st = ss_exact_sums_finish(&s->sums, format, value);
        break;
    case SS_HOLDS_EXTREMES:
        value[0] = ss_extreme(&s->found, op == SAMESUM_MAX, s->want.nan);
        value[1] = ss_extreme(&s->found, 1, s->want.nan);
        break;
    case SS_HOLDS_TREES:
        for (int i = 0; i < numbers; i++) {
            value[i] = s->present > 0 ? ss_tree_finish(&s->tree[i]) : 0; /* SPEC.md 1 */
            if (op == SAMESUM_MEAN)
                value[i] = ss_mean_of_sum(ss_is_wide(s->type), value[i], s->present);
        }
        break;
    }
    for (int i = 0; i < numbers; i++)
        ss_write(format, value[i], (char *)result + i * ss_format_of(format).bytes);
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
