#include "reduction.h"

#include "library.h"
#include "message.h"
#include "ops.h"
#include "options.h"
#include "progress.h"
#include "ranks.h"
#include "reduction_ways.h"

#include <stdlib.h>

enum { LONG_WORK = 1 << 27 }; /* elements; from here on a terminal sees progress */

bool reduction_is_long(const struct reduction *d)
{
    return d->operands.n >= LONG_WORK && progress_wanted();
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

/* Several ranks read the files; each with one thread, unless more are asked for. */
static void share(struct reduction *d)
{
    for (int k = 0; k < ROLES; k++)
        if (d->operands.used[k] && d->operands.in[k].bytes.once)
            die_bad("--mpi: %s is a pipe, which one process alone can read: name a file",
                    d->operands.in[k].name);
    if (d->want.threads == 0)
        d->want.threads = 1;
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
    library_need_backend(&d->want);
    if (r->mpi)
        ranks_need();
    operands_open(o, r);
    if (ranks_share())
        share(d);
    d->type = r->wide ? SAMESUM_F32_WIDE : dtype_row(o->in[ROLE_X].dtype)->type;
    check_type(d);
    d->result_type = result_type(d);

    /* What goes through a state needs only a chunk at a time. A device cuts what lies in memory
     * into chunks of its own, ranks into one for each. */
    const bool axis = r->given & OPTION_BIT(OPTION_AXIS);
    const bool states = !ranks_share() && d->want.backend != SAMESUM_BACKEND_CUDA && !axis &&
                        !r->weights && library_has_states(&d->want);
    if (!states || r->mask || r->stride != 1)
        operands_gather(o, reduction_chunk(r));
    set_rows(d, every_count);
    ranks_meet();
    if (states && (!operands_in_place(o) || r->chunk || reduction_is_long(d)))
        reduction_in_chunks(d);
    else
        reduction_in_place(d);
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
