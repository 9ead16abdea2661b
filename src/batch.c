/* Many rows in one call: along axes, or between offsets. */
#include "array.h"
#include "plan.h"
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

/* Whether rows whose elements lie side by side may take the shortest way. */
static int is_quick(const batch *b)
{
    const ss_job *job = &b->job;
    return !b->counts && job->want->level != SAMESUM_EXACT && !job->weighted &&
           (job->want->op <= SAMESUM_DOT || job->want->op == SAMESUM_MEAN) &&
           !ss_is_complex(job->type);
}

/* The level of the node that n numbers make, if they are just one that a kernel makes; else 0. */
static int node_level(const ss_term *term, uint64_t n)
{
    int level = ss_trailing_zeros(n / SS_LANES);
    int most = term->arith.level == SAMESUM_KAHAN ? SS_SEGMENT_LEVEL : SS_NODE_LEVEL_MAX;
    int fits = level >= SS_SEGMENT_LEVEL && level <= most && n == (uint64_t)SS_LANES << level;
    return fits ? level : 0;
}

/* Reduces a row where stage 1 is one call of the kernel; else returns 0. Rows of a segment and more
 * are left to several threads where they have them. */
static int quick_row(const ss_term *term, const ss_job *job, int threads, void *result)
{
    ss_lanes root;
    const ss_view *row = &job->row;
    int level = 0;
    if (row->n == 0 ||
        (row->n >= SS_SEGMENT && (threads != 1 || !(level = node_level(term, row->n)))))
        return 0;
    if (level)
        term->kernel->node(level, row->place[SS_X], row->place[SS_Y], &root);
    else
        term->kernel->partial(row->place[SS_X], row->place[SS_Y], (size_t)row->n, &root);
    double v = ss_lanes_finish(&term->arith, &root);
    if (job->want->op == SAMESUM_MEAN)
        v = ss_mean_of_sum(term->arith.wide, v, row->n);
    ss_write(ss_result_format(job->type, job->want->result), v, result);
    return 1;
}

/* What one member of the team works with. */
typedef struct worker {
    const batch *b;
    ss_job job; /* of the row at hand */
    int quick, worked;
    ss_sums_of sums;
    ss_term term; /* of quick rows */
    samesum_status st;
} worker;

static void worker_start(worker *w, const batch *b)
{
    w->b = b;
    w->job = b->job;
    w->worked = 1;
    w->st = SAMESUM_OK;
    w->quick = 0;
    if (is_quick(b)) {
        ss_sums_of_job(&w->job, w->job.row.out, &w->sums);
        w->quick = ss_view_is_direct(&w->sums.view[0]);
        w->term = ss_term_of(w->job.backend, w->sums.op[0], &w->sums.view[0], w->job.want->level);
    }
}

static void worker_end(const worker *w, batch *b, int me)
{
    b->st[me] = w->st;
    if (me == 0)
        b->worked = w->worked;
}

/* Reduces row i, which lies so far from the first one. */
static void one_row(worker *w, size_t i, const ptrdiff_t *offset)
{
    const batch *b = w->b;
    const ss_view *first = &b->job.row;
    ss_view *row = &w->job.row;
    if (first->place[SS_X])
        row->place[SS_X] = first->place[SS_X] + offset[SS_X];
    if (first->place[SS_Y])
        row->place[SS_Y] = first->place[SS_Y] + offset[SS_Y];
    if (first->mask_kind == SAMESUM_MASK_BITS)
        row->mask_bit = (uint64_t)offset[SS_MASK];
    else if (first->mask_kind == SAMESUM_MASK_BYTES && first->mask)
        row->mask = first->mask + offset[SS_MASK];
    if (w->quick && quick_row(&w->term, &w->job, b->threads, b->results + i * b->bytes))
        return;
    ss_tally tally;
    ss_tally_start(&tally, b->counts != NULL);
    w->st =
        worse(w->st, ss_derive(&w->job, b->threads, b->results + i * b->bytes, &tally, &w->worked));
    if (b->counts)
        b->counts[i] = tally.counts;
}

static void array_rows(void *context, int me, size_t from, size_t to)
{
    batch *b = context;
    worker w;
    ss_walk walk;
    worker_start(&w, b);
    ss_walk_start(&walk, &b->rows->rest, from);
    for (size_t i = from; i < to; i++) {
        one_row(&w, i, walk.offset);
        ss_walk_step(&walk, 1);
    }
    worker_end(&w, b, me);
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
    samesum_status worst = SAMESUM_OK;
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
            worst = worse(worst, b->st[me]);
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
    b->st[me] = worst;
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
    worker w;
    ss_layout layout = {.dims = 1, .axis = {b->job.row.layout->axis[0]}};
    worker_start(&w, b);
    w.job.row.layout = &layout;
    for (size_t i = from; i < to; i++) {
        ptrdiff_t offset[SS_PLACES];
        for (int p = 0; p < SS_PLACES; p++)
            offset[p] = (ptrdiff_t)b->offsets[i] * layout.axis[0].stride[p];
        w.job.row.n = b->offsets[i + 1] - b->offsets[i];
        layout.axis[0].extent = (size_t)w.job.row.n;
        one_row(&w, i, offset);
    }
    worker_end(&w, b, me);
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
