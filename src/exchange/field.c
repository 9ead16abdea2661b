#include "exchange/field.h"

#include <string.h>

samesum_status ss_field_of_array(ss_field *f, const samesum_array *array, const int *axes,
                                 int axis_count, const samesum_want *want, int want_results,
                                 void *results, samesum_counts *counts)
{
    if (!array || !want)
        return SAMESUM_ERR_NULL;
    const ss_backend *backend;
    samesum_status st = ss_array_split(array, axes, axis_count, &f->rows);
    if (st == SAMESUM_OK)
        st = ss_check(want, array->type, &backend);
    if (st != SAMESUM_OK)
        return st;
    f->want = *want;
    f->type = array->type;
    f->state = NULL;
    f->begin = 0;
    f->series = (size_t)f->rows.results;
    f->results = want_results ? results : NULL;
    f->bytes = samesum_result_bytes(want, array->type);
    f->counts = want_results ? counts : NULL;
    if (want_results && f->series > 0 && !results)
        return SAMESUM_ERR_NULL;
    return ss_array_job(array, &f->rows, backend, &f->want, &f->job);
}

samesum_status ss_field_of_state(ss_field *f, const samesum_state *state, int want_results,
                                 void *result)
{
    if (!state || (want_results && !result))
        return SAMESUM_ERR_NULL;
    f->want = state->want;
    f->type = state->type;
    f->state = state;
    f->begin = 0;
    f->series = 1;
    f->results = want_results ? result : NULL;
    f->bytes = samesum_result_bytes(&f->want, f->type);
    f->counts = NULL;
    ss_job_start(&f->job, state->backend, &f->want, f->type);
    return SAMESUM_OK;
}

uint64_t ss_field_mix(uint64_t mixed, const ss_field *f)
{
    const samesum_want *want = &f->want;
    const int extremes = want->op >= SAMESUM_MIN;
    const int spread = want->op == SAMESUM_VAR || want->op == SAMESUM_STD;
    const uint64_t parts[] = {want->op,
                              f->type,
                              extremes ? 0 : want->level,
                              spread ? want->ddof : 0,
                              extremes ? want->nan : 0,
                              want->result,
                              want->conj != 0,
                              (uint64_t)f->job.weighted,
                              f->state != NULL,
                              f->series};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        mixed = (mixed ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 29;
    }
    return mixed;
}

samesum_status ss_field_state(const ss_field *f, const ss_passes *passes, uint64_t begin,
                              samesum_state **state)
{
    samesum_want want = f->want;
    samesum_type type = f->type;
    int trees = f->job.weighted && want.op == SAMESUM_MEAN ? 2 : ss_result_numbers(&want, type);
    if (passes->next == SS_PASS_DEVIATIONS)
        trees = 2;
    if (passes->next == SS_PASS_LARGEST) {
        want = (samesum_want){.op = SAMESUM_MINMAX, .threads = want.threads};
        type = ss_real_type(type);
    }
    return ss_state_make(state, f->job.backend, &want, type, f->job.weighted, trees, begin);
}

/* The job of series i. */
static ss_job job_of(const ss_field *f, size_t i)
{
    ss_job job = f->job;
    ss_view *row = &job.row;
    ss_walk walk;
    ss_walk_start(&walk, &f->rows.rest, i);
    for (int p = 0; p < 2; p++)
        if (row->place[p])
            row->place[p] += walk.offset[p];
    if (row->mask_kind == SAMESUM_MASK_BITS)
        row->mask_bit += (uint64_t)walk.offset[SS_MASK];
    else if (row->mask_kind == SAMESUM_MASK_BYTES && row->mask)
        row->mask += walk.offset[SS_MASK];
    return job;
}

void ss_field_append(const ss_field *f, size_t i, const ss_passes *passes, samesum_state *state,
                     samesum_counts *counts)
{
    const ss_job job = job_of(f, i);
    ss_tally tally;
    ss_tally_start(&tally, counts != NULL);
    ss_state_append(state, &job, passes, &tally);
    if (!counts)
        return;
    *counts = tally.counts;
    for (int k = 0; k < 2; k++)
        if (counts->first[k] != UINT64_MAX)
            counts->first[k] += f->begin;
}

/* Whether the result is made in passes: sums below level exact. */
static int is_in_passes(const ss_field *f)
{
    return f->want.op < SAMESUM_MIN && f->want.level != SAMESUM_EXACT;
}

void ss_field_outcome(const ss_field *f, const ss_passes *passes, const samesum_state *s,
                      ss_outcome *o)
{
    const samesum_want *want = &f->want;
    const int max = want->op == SAMESUM_MAX || want->op == SAMESUM_ARGMAX;
    *o = (ss_outcome){.index = UINT64_MAX, .present = s->present, .status = SAMESUM_OK};
    switch (ss_state_holds(s)) {
    case SS_HOLDS_SUMS:
        o->status =
            ss_exact_sums_finish(&s->sums, ss_result_format(f->type, want->result), o->value);
        break;
    case SS_HOLDS_TREES:
        for (int i = 0; i < ss_state_trees(s); i++)
            o->value[i] = s->present > 0 ? ss_tree_finish(&s->tree[i]) : 0; /* SPEC.md 1 */
        break;
    case SS_HOLDS_EXTREMES:
        if (passes->next == SS_PASS_LARGEST) {
            o->value[0] = ss_largest_of(&s->found);
            break;
        }
        o->value[0] = ss_extreme(&s->found, max, want->nan);
        o->value[1] = ss_extreme(&s->found, 1, want->nan);
        o->index = ss_found_place(&s->found, max, want->nan);
        o->status = s->found.any            ? SAMESUM_OK
                    : ss_is_index(want->op) ? SAMESUM_ERR_EMPTY
                                            : SAMESUM_NO_VALUE;
        break;
    }
}

void ss_field_advance(const ss_field *f, const ss_outcome *o, ss_passes *passes)
{
    if (is_in_passes(f)) {
        if (passes->next == SS_PASS_SUMS)
            passes->present = o->present;
        ss_pass_done(&f->job, o->value, passes);
        return;
    }
    passes->next = SS_PASS_NONE;
    passes->status = (samesum_status)o->status;
    memcpy(passes->result, o->value, sizeof passes->result);
}

void ss_field_write(const ss_field *f, size_t i, const ss_outcome *o, const ss_passes *passes)
{
    if (!f->results)
        return;
    char *result = f->results + i * f->bytes;
    if (ss_is_index(f->want.op)) {
        memcpy(result, &o->index, sizeof o->index);
        return;
    }
    const ss_format format = ss_result_format(f->type, f->want.result);
    for (int k = 0; k < ss_result_numbers(&f->want, f->type); k++)
        ss_write(format, passes->result[k], result + k * ss_format_of(format).bytes);
}
