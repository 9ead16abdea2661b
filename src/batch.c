/* Many rows in one call: along axes, or between offsets. */
#include "array.h"
#include "fixedtree/columns.h"
#include "fixedtree/fpenv.h"
#include "fixedtree/threads.h"

#include <math.h>
#include <string.h>

/* Rows of one call. */
typedef struct batch {
    ss_job job;
    const ss_rows *rows;   /* of an array, or */
    const size_t *offsets; /* of segments */
    size_t count;
    char *results;
    size_t bytes; /* of one result */
    samesum_counts *counts;
    int threads;        /* for each row */
    samesum_status *st; /* one for each member */
    int worked;
} batch;

/* The status of rows of which some lack a value or an element. */
static samesum_status worse(samesum_status a, samesum_status b)
{
    return a == SAMESUM_ERR_EMPTY || b == SAMESUM_OK ? a : b;
}

/* Few elements side by side: stage 1 is one call of the kernel. */
static int is_quick(const ss_job *job, const ss_view *view)
{
    return view->n > 0 && view->n < SS_SEGMENT && job->want->level != SAMESUM_EXACT &&
           (job->want->op <= SAMESUM_DOT || job->want->op == SAMESUM_MEAN) && !job->weighted &&
           !ss_is_complex(job->type) && ss_view_is_direct(view);
}

static void quick_row(const ss_term *term, const ss_job *job, void *result)
{
    ss_lanes root;
    const ss_view *row = &job->row;
    term->kernel->partial(row->place[SS_X], row->place[SS_Y], (size_t)row->n, &root);
    double v = ss_lanes_finish(&term->arith, &root);
    if (job->want->op == SAMESUM_MEAN)
        v = ss_mean_of_sum(term->arith.wide, v, row->n);
    ss_write(ss_result_format(job->type, job->want->result), v, result);
}

static samesum_status one_row(const batch *b, const ss_job *job, size_t i, int *worked)
{
    ss_tally tally;
    ss_tally_start(&tally, b->counts != NULL);
    samesum_status st = ss_derive(job, b->threads, b->results + i * b->bytes, &tally, worked);
    if (b->counts)
        b->counts[i] = tally.counts;
    return st;
}

static void array_rows(void *context, int me, size_t from, size_t to)
{
    batch *b = context;
    ss_job job = b->job;
    const ss_view first = job.row;
    ss_walk walk;
    samesum_status st = SAMESUM_OK;
    ss_sums_of sums;
    int quick = !b->counts && job.want->op < SAMESUM_MIN, worked = 1;
    ss_term term;
    if (quick) {
        ss_sums_of_job(&job, job.row.out, &sums);
        quick = is_quick(&job, &sums.view[0]);
        if (quick)
            term = ss_term_of(job.backend, sums.op[0], &sums.view[0], job.want->level);
    }
    ss_walk_start(&walk, &b->rows->rest, from);
    for (size_t i = from; i < to; i++) {
        job.row.place[SS_X] = first.place[SS_X] + walk.offset[SS_X];
        if (first.place[SS_Y])
            job.row.place[SS_Y] = first.place[SS_Y] + walk.offset[SS_Y];
        if (first.mask_kind == SAMESUM_MASK_BITS)
            job.row.mask_bit = (uint64_t)walk.offset[SS_MASK];
        else if (first.mask_kind == SAMESUM_MASK_BYTES)
            job.row.mask = first.mask + walk.offset[SS_MASK];
        if (quick)
            quick_row(&term, &job, b->results + i * b->bytes);
        else
            st = worse(st, one_row(b, &job, i, &worked));
        ss_walk_step(&walk, 1);
    }
    b->st[me] = st;
    if (me == 0)
        b->worked = worked;
}

/* Whether the results along the last of the other axes are sums of series that lie side by side. */
static int are_columns(const ss_job *job, const ss_rows *rows)
{
    enum { WORTH_IT = 1 << 12 }; /* elements, for what each block of series costs */
    const ss_axis *last = &rows->rest.axis[rows->rest.dims - 1];
    const samesum_op op = job->want->op;
    return (op <= SAMESUM_SUMSQ || op == SAMESUM_MEAN) && job->want->level != SAMESUM_EXACT &&
           !job->weighted && !ss_is_complex(job->type) && !ss_view_is_masked(&job->row) &&
           (job->want->result == SAMESUM_RESULT_ACCUMULATOR || ss_element_bytes(job->type) > 2) &&
           rows->row.dims == 1 && last->extent > 1 && rows->n * last->extent >= WORTH_IT &&
           last->stride[SS_X] == (ptrdiff_t)ss_element_bytes(job->type);
}

/* What is known of a series besides its sum. */
static void count_series(const ss_job *job, const char *x, double sum, samesum_counts *counts)
{
    ss_tally tally;
    ss_view row = job->row;
    ss_tally_start(&tally, 1);
    tally.counts.present = row.n;
    row.place[SS_X] = x;
    if (!isfinite(sum))
        ss_view_nonfinite(&row, 0, row.n, &tally);
    *counts = tally.counts;
}

/* Each row here is a block of series; where there is no memory, rows one after the other. */
static void column_rows(void *context, int me, size_t from, size_t to)
{
    batch *b = context;
    const ss_job *job = &b->job;
    const ss_axis *last = &b->rows->rest.axis[b->rows->rest.dims - 1];
    const ss_arith arith = {.wide = ss_is_wide(job->type), .level = job->want->level};
    const samesum_op op = job->want->op == SAMESUM_MEAN ? SAMESUM_SUM : job->want->op;
    const ss_format format = ss_result_format(job->type, job->want->result);
    size_t series = last->extent, bytes = ss_element_bytes(job->type);
    b->st[me] = SAMESUM_OK;
    for (size_t block = from; block < to; block++) {
        ss_walk walk;
        ss_walk_start(&walk, &b->rows->rest, block * series);
        const char *x = job->row.place[SS_X] + walk.offset[SS_X];
        char *results = b->results + block * series * b->bytes;
        int threads = ss_columns_reduce(job->backend, &arith, op, job->type, x,
                                        b->rows->row.axis[0].stride[SS_X], (size_t)b->rows->n,
                                        series, b->threads, results);
        if (!threads) {
            array_rows(context, me, block * series, (block + 1) * series);
            continue;
        }
        if (me == 0)
            b->worked = threads;
        for (size_t i = 0; i < series && (b->counts || job->want->op == SAMESUM_MEAN); i++) {
            double sum = ss_read(format, results + i * b->bytes);
            if (b->counts)
                count_series(job, x + i * bytes, sum, &b->counts[block * series + i]);
            if (job->want->op == SAMESUM_MEAN)
                ss_write(format, ss_mean_of_sum(arith.wide, sum, b->rows->n),
                         results + i * b->bytes);
        }
    }
}

/* How many threads do rows side by side; 1: each row has them all. */
static int threads_over_rows(size_t rows, uint64_t elements, int asked)
{
    int threads = ss_useful_threads(asked, (size_t)(elements / SS_SEGMENT));
    return threads > 1 && (rows >= 4 * (size_t)threads || elements / rows < SS_ALONE)
               ? (rows < (size_t)threads ? (int)rows : threads)
               : 1;
}

enum { MOST_THREADS = 1024 };

/* Runs work over `parts` rows or blocks of rows of so many elements in all, and gives the worst
 * status. */
static samesum_status run(batch *b, ss_work *work, size_t parts, uint64_t elements)
{
    samesum_status st[MOST_THREADS], worst = SAMESUM_OK;
    int threads = threads_over_rows(parts, elements, b->job.want->threads);
    b->threads = threads > 1 ? 1 : b->job.want->threads;
    b->st = st;
    threads = ss_parallel(threads, parts, work, b);
    for (int i = 0; i < threads; i++)
        worst = worse(worst, st[i]);
    if (threads > 1)
        b->worked = threads;
    return worst;
}

samesum_status samesum_array_results(const samesum_array *array, const int *axes, int axis_count,
                                     size_t *count)
{
    if (!array || !count)
        return SAMESUM_ERR_NULL;
    ss_rows rows;
    samesum_status st = ss_array_split(array, axes, axis_count, &rows);
    if (st == SAMESUM_OK)
        *count = (size_t)rows.results;
    return st;
}

/* Checks all that both kinds of call have in common, and starts the batch. */
static samesum_status start(batch *b, const samesum_array *array, const ss_rows *rows,
                            const samesum_want *want)
{
    const ss_backend *backend;
    samesum_status st = ss_check(want, array->type, &backend);
    if (st == SAMESUM_OK)
        st = ss_array_job(array, rows, backend, want, &b->job);
    b->bytes = samesum_result_bytes(want, array->type);
    b->worked = 1;
    return st;
}

samesum_status samesum_reduce_array(const samesum_array *array, const int *axes, int axis_count,
                                    const samesum_want *want, void *results, samesum_counts *counts,
                                    samesum_ran *ran)
{
    if (!array || !want)
        return SAMESUM_ERR_NULL;
    ss_rows rows;
    samesum_status st = ss_array_split(array, axes, axis_count, &rows);
    if (st != SAMESUM_OK)
        return st;
    batch b = {.rows = &rows, .count = (size_t)rows.results, .results = results, .counts = counts};
    ss_fpenv caller = ss_fpenv_enter();
    st = start(&b, array, &rows, want);
    if (st == SAMESUM_OK && b.count > 0 && !results)
        st = SAMESUM_ERR_NULL;
    if (st == SAMESUM_OK) {
        uint64_t elements = rows.n * rows.results;
        if (elements > 0 && are_columns(&b.job, &rows))
            st =
                run(&b, column_rows, b.count / rows.rest.axis[rows.rest.dims - 1].extent, elements);
        else if (b.count > 0)
            st = run(&b, array_rows, b.count, elements);
        if (ran)
            *ran = (samesum_ran){b.job.backend->id, b.worked};
    }
    ss_fpenv_leave(caller);
    return st;
}

static void segment_rows(void *context, int me, size_t from, size_t to)
{
    batch *b = context;
    ss_job job = b->job;
    const ss_view all = job.row;
    ss_layout layout;
    samesum_status st = SAMESUM_OK;
    int worked = 1;
    job.row.layout = &layout;
    for (size_t i = from; i < to; i++) {
        ptrdiff_t at = (ptrdiff_t)b->offsets[i];
        const ptrdiff_t *stride = all.layout->axis[0].stride;
        job.row.n = b->offsets[i + 1] - b->offsets[i];
        ss_layout_flat(&layout, job.row.n, stride[SS_X], stride[SS_Y]);
        layout.axis[0].stride[SS_MASK] = stride[SS_MASK];
        if (all.place[SS_X])
            job.row.place[SS_X] = all.place[SS_X] + at * stride[SS_X];
        if (all.place[SS_Y])
            job.row.place[SS_Y] = all.place[SS_Y] + at * stride[SS_Y];
        if (all.mask_kind == SAMESUM_MASK_BITS)
            job.row.mask_bit = (uint64_t)at;
        else if (all.mask_kind == SAMESUM_MASK_BYTES)
            job.row.mask = all.mask + at * stride[SS_MASK];
        st = worse(st, one_row(b, &job, i, &worked));
    }
    b->st[me] = st;
    if (me == 0)
        b->worked = worked;
}

samesum_status samesum_reduce_segments(const samesum_array *array, const size_t *offsets,
                                       size_t segments, const samesum_want *want, void *results,
                                       samesum_counts *counts, samesum_ran *ran)
{
    if (!array || !want || !offsets || (segments > 0 && !results))
        return SAMESUM_ERR_NULL;
    if (array->dims != 1)
        return SAMESUM_ERR_SHAPE;
    ss_rows rows;
    samesum_status st = ss_array_split(array, NULL, 0, &rows);
    if (st != SAMESUM_OK)
        return st;
    for (size_t i = 0; i < segments; i++)
        if (offsets[i] > offsets[i + 1])
            return SAMESUM_ERR_SHAPE;
    if (offsets[segments] > rows.n)
        return SAMESUM_ERR_SHAPE;
    batch b = {.offsets = offsets, .count = segments, .results = results, .counts = counts};
    ss_fpenv caller = ss_fpenv_enter();
    st = start(&b, array, &rows, want);
    if (st == SAMESUM_OK) {
        if (segments > 0)
            st = run(&b, segment_rows, segments, offsets[segments] - offsets[0]);
        if (ran)
            *ran = (samesum_ran){b.job.backend->id, b.worked};
    }
    ss_fpenv_leave(caller);
    return st;
}
