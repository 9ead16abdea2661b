/* reduction_in_place.c - reductions of elements in memory and in mapped files. */
#include "library.h"
#include "message.h"
#include "ops.h"
#include "progress.h"
#include "ranks.h"
#include "reduction_ways.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 1 << 18 }; /* results computed at a time */

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

static samesum_status reduce_alone(struct reduction *d, const struct view *v, void *results,
                                   samesum_counts *counts)
{
    return library_reduce(&v->array, v->axis < 0 ? NULL : &v->axis, v->axis < 0 ? 0 : 1, &d->want,
                          results, counts);
}

/* Each rank reduces the part of every row whose indices come in turn. */
static samesum_status share_elements(struct reduction *d, const struct view *v, void *results,
                                     samesum_counts *counts)
{
    const int axis = v->axis < 0 ? 0 : v->axis;
    size_t begin, count;
    struct view part;
    ranks_part(v->shape[axis], &begin, &count);
    view_part(&part, v, axis, begin, count, NULL);
    return ranks_reduce(&part.array, v->axis, &d->want, results, counts);
}

/* Each rank reduces whole rows; `each` of them lie at an index of the first axis that is kept. */
static samesum_status share_rows(struct reduction *d, const struct view *v, size_t rows,
                                 void *results, samesum_counts *counts)
{
    const size_t extent = v->shape[v->kept], each = rows / extent;
    const size_t bytes = samesum_result_bytes(&d->want, d->type);
    size_t begin, count;
    struct view part;
    ranks_part(extent, &begin, &count);
    view_part(&part, v, v->kept, begin, count, NULL);
    samesum_status status = ranks_status(
        reduce_alone(d, &part, (char *)results + begin * each * bytes, counts + begin * each));
    if (status < 0 && status != SAMESUM_ERR_EMPTY)
        return status;
    samesum_status gathered = ranks_gather(results, bytes, extent, each);
    if (gathered == SAMESUM_OK)
        gathered = ranks_gather(counts, sizeof *counts, extent, each);
    return gathered == SAMESUM_OK ? status : gathered;
}

/* Either way the bits are the same. */
static samesum_status reduce_shared(struct reduction *d, const struct view *v, size_t rows,
                                    void *results, samesum_counts *counts)
{
    enum { ENOUGH = 64 }; /* that each rank has some rows */
    return v->axis >= 0 && v->kept >= 0 && v->shape[v->kept] >= ENOUGH
               ? share_rows(d, v, rows, results, counts)
               : share_elements(d, v, results, counts);
}

/* Computes the results of the rows from first_row on, which v shows. */
static void reduce_view(struct reduction *d, const struct view *v, size_t first_row, size_t rows,
                        samesum_counts *counts)
{
    void *results = (char *)reduction_result(d, first_row);
    samesum_status status = ranks_share() ? reduce_shared(d, v, rows, results, counts)
                                          : reduce_alone(d, v, results, counts);
    if (status == SAMESUM_ERR_EMPTY)
        die_empty(d, first_row);
    library_check(status, &d->want);
    for (size_t i = 0; i < rows; i++)
        reduction_take_counts(d, first_row + i, &counts[i]);
}

/* Results are computed in batches, along the first axis that is kept, so that the counts take
 * little memory. */
void reduction_in_place(struct reduction *d)
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
    if (extent == 1 && reduction_is_long(d))
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
