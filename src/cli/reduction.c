#include "reduction.h"

#include "library.h"
#include "message.h"
#include "ops.h"
#include "options.h"
#include "progress.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 18,     /* elements of a stream read at a time, unless --chunk says otherwise */
    MAX_CHUNK = 1 << 24, /* more than that is read in several steps; no bit depends on it */
    BATCH = 1 << 18,     /* results computed at a time */
    LONG_WORK = 1 << 27  /* elements; from here on a terminal sees progress */
};

/* How many elements to read at a time. */
static size_t chunk_of(const struct request *r, size_t otherwise)
{
    size_t chunk = r->chunk ? r->chunk : otherwise;
    return chunk < MAX_CHUNK ? chunk : MAX_CHUNK;
}

static bool is_long(const struct reduction *d)
{
    return d->operands.n >= LONG_WORK && progress_wanted();
}

/* ---- what the results were made of ------------------------------------------------------------
 */

/* The index in the file of an element of a row. */
static uint64_t index_in_file(const struct operands *o, size_t row, uint64_t in_row)
{
    if (o->axis < 0)
        return in_row;
    uint64_t inner = 1;
    for (int k = o->axis + 1; k < o->shape.dimensions; k++)
        inner *= o->shape.extent[k];
    return (row / inner * o->shape.extent[o->axis] + in_row) * inner + row % inner;
}

static bool has_value(const samesum_want *want, uint64_t present)
{
    switch (want->op) {
    case SAMESUM_MEAN:
    case SAMESUM_MIN:
    case SAMESUM_MAX:
    case SAMESUM_MINMAX:
        return present > 0;
    case SAMESUM_VAR:
    case SAMESUM_STD:
        return present > want->ddof;
    default:
        return true;
    }
}

static void take_counts(struct reduction *d, size_t row, const samesum_counts *counts)
{
    const struct operands *o = &d->operands;
    for (int k = 0; k < 2; k++) {
        struct nonfinite found = {counts->nonfinite[k], counts->first[k]};
        if (found.count == 0)
            continue;
        bool again = k == 1 && o->spread; /* each row meets the same weights */
        if (!again)
            found.first = index_in_file(o, row, found.first);
        else if (d->nonfinite[k].count >= found.count)
            found.count = 0;
        else
            found.count -= d->nonfinite[k].count;
        if (d->nonfinite[k].count && d->nonfinite[k].first < found.first)
            found.first = d->nonfinite[k].first;
        d->nonfinite[k].first = found.first;
        d->nonfinite[k].count += found.count;
    }
    if (!has_value(&d->want, counts->present) && d->short_rows++ == 0)
        d->first_short = row;
    if (d->counts)
        d->counts[row] = *counts;
}

/* ---- elements in place ------------------------------------------------------------------------
 */

/* What argmin and argmax answer where there is nothing: their results are indices, and that of an
 * empty row is UINT64_MAX. */
static _Noreturn void die_empty(const struct reduction *d, size_t first_row)
{
    const struct operands *o = &d->operands;
    const char *file = o->in[ROLE_X].name, *op = o->request->op->name;
    if (o->axis < 0)
        die_bad("%s: there is no element, so there is no %s", file, op);
    size_t row = first_row;
    uint64_t index = 0;
    while (row < d->rows && index != UINT64_MAX) {
        memcpy(&index, reduction_result(d, row), sizeof index);
        row += index != UINT64_MAX;
    }
    die_bad("%s: row %llu, counted from 0 in the order of the results, has no element, so there is "
            "no %s",
            file, (unsigned long long)row, op);
}

/* Computes the results of the rows from first_row on, which v shows. */
static void reduce_view(struct reduction *d, const struct view *v, size_t first_row, size_t rows,
                        samesum_counts *counts)
{
    samesum_status status =
        samesum_reduce_array(&v->array, v->axis < 0 ? NULL : &v->axis, v->axis < 0 ? 0 : 1,
                             &d->want, (char *)reduction_result(d, first_row), counts, NULL);
    if (status == SAMESUM_ERR_EMPTY)
        die_empty(d, first_row);
    library_check(status, &d->want);
    for (size_t i = 0; i < rows; i++)
        take_counts(d, first_row + i, &counts[i]);
}

/* Results are computed in batches, along the first axis that is kept, so that the counts take
 * little memory. */
static void reduce_in_place(struct reduction *d)
{
    if (d->rows == 0)
        return;
    struct view whole, part;
    view_whole(&whole, &d->operands, d->type);
    const size_t extent = whole.axis < 0 || whole.kept < 0 ? 1 : whole.shape[whole.kept];
    const size_t rows_each = d->rows / extent;
    size_t step = rows_each < BATCH ? BATCH / rows_each : 1;
    step = step < extent ? step : extent;
    samesum_counts *counts = need_memory(step * rows_each * sizeof *counts);
    if (extent == 1 && is_long(d))
        progress_say("reducing");
    for (size_t i = 0; i < extent; i += step) {
        size_t count = extent - i < step ? extent - i : step;
        if (count == extent) {
            reduce_view(d, &whole, 0, d->rows, counts);
        } else {
            view_part(&part, &whole, whole.kept, i, count, NULL);
            reduce_view(d, &part, i * rows_each, count * rows_each, counts);
        }
        progress_show(i + count, extent);
    }
    progress_end();
    free(counts);
}

/* ---- chunk by chunk ---------------------------------------------------------------------------
 */

/* Adds what the elements from begin on were to what those before were. */
static void add_counts(samesum_counts *all, const samesum_counts *chunk, uint64_t begin)
{
    all->present += chunk->present;
    all->masked += chunk->masked;
    for (int k = 0; k < 2; k++) {
        if (chunk->nonfinite[k] && all->nonfinite[k] == 0)
            all->first[k] = begin + chunk->first[k];
        all->nonfinite[k] += chunk->nonfinite[k];
    }
}

/* Takes the next elements of each file, reading those that are not in C order; returns how many
 * there are, fewer than chunk only at the end. */
static size_t next_chunk(struct operands *o, void *const buffer[ROLES], size_t chunk,
                         uint64_t begin)
{
    size_t got = 0;
    for (int k = 0; k < ROLES; k++) {
        if (!o->used[k])
            continue;
        const void *at;
        uint64_t left = (o->shape_known ? o->n : o->in[k].n) - begin; /* of a mapped file */
        size_t here = buffer[k]      ? input_next(&o->in[k], buffer[k], chunk, &at)
                      : left < chunk ? (size_t)left
                                     : chunk;
        if (k == ROLE_X)
            got = here;
        else if (here != got)
            die_bad("%s and %s differ in length: dot needs two files of one shape",
                    o->in[ROLE_X].name, o->in[k].name);
    }
    return got;
}

/* With the bits of one call (SPEC.md, section 7). */
static void reduce_in_chunks(struct reduction *d)
{
    struct operands *o = &d->operands;
    const bool in_c_order = operands_in_c_order(o);
    const size_t chunk = chunk_of(o->request, in_c_order ? MAX_CHUNK : CHUNK);
    void *buffer[ROLES] = {NULL};
    for (int k = 0; k < ROLES; k++)
        if (o->used[k] && !o->in[k].mapped)
            buffer[k] = need_memory(chunk * o->in[k].size);

    /* Where elements have to be read or converted first, that takes longer than adding them, and
     * OpenMP's idle threads would take the cores from the program at the other end of a pipe. */
    if (!in_c_order && d->want.threads == 0)
        d->want.threads = 1;
    samesum_state *state;
    library_check(samesum_state_create(&state, &d->want, d->type, 0), &d->want);
    struct view line, part;
    view_line(&line, o, d->type);
    samesum_counts all = {.first = {UINT64_MAX, UINT64_MAX}}, here;
    uint64_t n = 0;
    size_t got;
    do {
        got = next_chunk(o, buffer, chunk, n);
        view_part(&part, &line, 0, n, got, (const void *const *)buffer);
        library_check(samesum_state_update_array(state, &part.array, &here), &d->want);
        add_counts(&all, &here, n);
        n += got;
        progress_show(n, o->shape_known ? o->n : 0);
    } while (got == chunk);
    progress_end();
    library_check(samesum_state_finish(state, d->results), &d->want);
    samesum_state_destroy(state);
    for (int k = 0; k < ROLES; k++)
        free(buffer[k]);
    take_counts(d, 0, &all);
}

/* ---- which of them ----------------------------------------------------------------------------
 */

/* A level or backend that is not to be had is refused before a file is read. */
static void check_want(const samesum_want *want)
{
    samesum_data nothing = {.type = SAMESUM_F64};
    samesum_want sum = {.level = want->level, .threads = want->threads, .backend = want->backend};
    double zero;
    library_check(samesum_reduce(&nothing, &sum, &zero, NULL), want);
}

/* What the operation does not do with elements of this type. */
static void check_type(const struct reduction *d)
{
    const struct request *r = d->operands.request;
    const char *file = r->files[0];
    const enum dtype dtype = d->operands.in[ROLE_X].dtype;
    const char *name = dtype_row(dtype)->name;
    if (r->wide && dtype != DTYPE_F32)
        die_usage("--wide is for f32 data, and %s holds %s; leave --wide away", file, name);
    if (r->conj && !dtype_is_complex(dtype))
        die_usage("--conj is for complex data, and %s holds %s; leave --conj away", file, name);
    if (samesum_result_bytes(&d->want, d->type) == 0)
        die_bad("%s holds %s: there is no %s of complex data; sum, sumsq, nrm2, mean and dot take "
                "them, and numpy's .real, .imag and abs() make real files of them",
                file, name, r->op->name);
    if (r->weights && dtype_is_complex(dtype))
        die_bad("%s holds %s: --weights is for real data; weight the parts (numpy's .real and "
                ".imag) one by one",
                file, name);
}

static enum dtype result_type(const struct reduction *d)
{
    const enum dtype dtype = d->operands.in[ROLE_X].dtype;
    const samesum_op op = d->want.op;
    if (op == SAMESUM_ARGMIN || op == SAMESUM_ARGMAX)
        return DTYPE_INDEX;
    if (d->type == SAMESUM_F32_WIDE)
        return DTYPE_F64;
    if (dtype_is_half(dtype) && d->want.result != SAMESUM_RESULT_INPUT)
        return DTYPE_F32;
    return op == SAMESUM_SUMSQ || op == SAMESUM_NRM2 ? dtype_row(dtype)->part : dtype;
}

/* Makes room for the results. */
static void set_rows(struct reduction *d, bool every_count)
{
    const struct operands *o = &d->operands;
    const size_t size = samesum_result_bytes(&d->want, d->type);
    const size_t limit = SIZE_MAX / 2 / sizeof *d->counts;
    bool none = false, too_many = false;
    d->rows = 1;
    for (int k = 0; o->axis >= 0 && k < o->shape.dimensions; k++) {
        if (k == o->axis)
            continue;
        const uint64_t extent = o->shape.extent[k];
        d->shape.extent[d->shape.dimensions++] = extent;
        none = none || extent == 0;
        too_many = too_many || (!none && d->rows > limit / extent);
        if (!none && !too_many)
            d->rows *= (size_t)extent;
    }
    if (none)
        d->rows = 0;
    else if (too_many)
        die_bad("%s: too many results for this machine", o->in[ROLE_X].name);
    d->results = need_memory(d->rows * size);
    d->counts = every_count || d->rows == 1 ? need_memory(d->rows * sizeof *d->counts) : NULL;
}

void reduction_run(struct reduction *d, const struct request *r, bool every_count)
{
    *d = (struct reduction){.want = {.op = r->op->op,
                                     .level = r->level,
                                     .threads = r->threads,
                                     .backend = r->backend,
                                     .ddof = r->ddof,
                                     .nan = r->nan,
                                     .result = r->result_type,
                                     .conj = r->conj}};
    struct operands *o = &d->operands;
    check_want(&d->want);
    operands_open(o, r);
    d->type = r->wide ? SAMESUM_F32_WIDE : dtype_row(o->in[ROLE_X].dtype)->type;
    check_type(d);
    d->result_type = result_type(d);

    /* What goes through a state needs only a chunk at a time. */
    const bool axis = r->given & OPTION_BIT(OPTION_AXIS);
    const bool states = library_has_states(&d->want) && !axis && !r->weights;
    if (!states || r->mask || r->stride != 1)
        operands_gather(o, chunk_of(r, CHUNK));
    set_rows(d, every_count);
    if (states && (!operands_in_place(o) || r->chunk || is_long(d)))
        reduce_in_chunks(d);
    else
        reduce_in_place(d);
}

void reduction_close(struct reduction *d)
{
    operands_close(&d->operands);
    free(d->results);
    free(d->counts);
}

const void *reduction_result(const struct reduction *d, size_t i)
{
    return d->results + i * dtype_row(d->result_type)->size;
}
