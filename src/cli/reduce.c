/* reduce.c - the operations that reduce files to one number. */
#include "input.h"
#include "library.h"
#include "message.h"
#include "nonfinite.h"
#include "ops.h"
#include "options.h"
#include "progress.h"
#include "result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 18,     /* elements of a stream read at a time, unless --chunk says otherwise */
    MAX_CHUNK = 1 << 24, /* more than that is read in several steps; no bit depends on it */
    LONG_WORK = 1 << 27  /* elements; from here on a terminal sees progress */
};

/* One reduction under way: the files and what is known of them. */
struct work {
    const struct request *request;
    samesum_want want;
    samesum_type type;
    int count; /* files: 1, or 2 for dot */
    struct input in[2];
    struct nonfinite nonfinite[2];
    uint64_t n;
    samesum_status status; /* SAMESUM_OK or SAMESUM_NO_VALUE */
    union {
        double f64;
        float f32;
    } result;
};

/* How many elements to read at a time. */
static size_t chunk_of(const struct request *r, size_t otherwise)
{
    size_t chunk = r->chunk ? r->chunk : otherwise;
    return chunk < MAX_CHUNK ? chunk : MAX_CHUNK;
}

/* Everything lies in memory as the library wants it: one call. */
static void reduce_at_once(struct work *w)
{
    samesum_data data = {.x = w->in[0].data,
                         .y = w->count > 1 ? w->in[1].data : NULL,
                         .n = (size_t)w->in[0].n,
                         .type = w->type};
    w->status = library_check(samesum_reduce(&data, &w->want, &w->result, NULL), &w->want);
    w->n = w->in[0].n;
}

/* The data are needed twice. --chunk says how they are read where they have to be read; the
 * arithmetic takes them whole. */
static void reduce_in_two_passes(struct work *w)
{
    input_gather(&w->in[0], chunk_of(w->request, CHUNK));
    if (w->in[0].n >= LONG_WORK)
        progress_say("two passes over the data");
    reduce_at_once(w);
    progress_end();
}

/* Anything else: chunk by chunk, with the bits of one call (SPEC.md, ranges, streams and merging).
 */
static void reduce_in_chunks(struct work *w)
{
    bool mapped = w->in[0].mapped && (w->count < 2 || w->in[1].mapped);
    size_t chunk = chunk_of(w->request, mapped ? MAX_CHUNK : CHUNK);
    void *buffer[2] = {NULL, NULL};
    for (int k = 0; k < w->count; k++)
        if (!w->in[k].mapped)
            buffer[k] = need_memory(chunk * w->in[k].size);

    /* Where elements have to be read or converted first, that takes longer than adding them, and
     * OpenMP's idle threads would take the cores from the program at the other end of a pipe. */
    if (!mapped && w->want.threads == 0)
        w->want.threads = 1;
    samesum_state *state;
    library_check(samesum_state_create(&state, &w->want, w->type, 0), &w->want);
    size_t got;
    do {
        const void *at[2] = {NULL, NULL};
        got = input_next(&w->in[0], buffer[0], chunk, &at[0]);
        if (w->count > 1 && input_next(&w->in[1], buffer[1], chunk, &at[1]) != got)
            die_bad("%s and %s differ in length: dot needs two files of one shape", w->in[0].name,
                    w->in[1].name);
        for (int k = 0; k < w->count; k++)
            if (!w->in[k].mapped)
                nonfinite_scan(&w->nonfinite[k], w->in[k].dtype, at[k], got, w->n);
        library_check(samesum_state_update(state, at[0], at[1], got), &w->want);
        w->n += got;
        progress_show(w->n, w->in[0].count_known ? w->in[0].n : 0);
    } while (got == chunk);
    progress_end();
    w->status = library_check(samesum_state_finish(state, &w->result), &w->want);
    samesum_state_destroy(state);
    free(buffer[0]);
    free(buffer[1]);
}

/* A finite result proves that all elements are finite, at every level, so that the data need no
 * second look:
 * - sum, asum, sumsq, dot: a leaf made of a NaN or infinite element is NaN or infinite, and no
 *   addition brings that back.
 * - mean: the quotient of such a sum and a finite n > 0; at exact it follows the sum's rules.
 * - nrm2: infinite where an element is, else NaN where one is (SPEC.md, section 6).
 * - var, std: at exact NaN. In two passes the mean m is NaN, or the infinity that is among the
 *   elements; so one of the deviations x - m is NaN, and Q, the sum of their squares, is too. The
 *   rule "+0.0 where the quotient is <= 0" leaves a NaN alone.
 * Too few elements for an answer give NaN, and then all are looked at. */
static void find_nonfinite(struct work *w, bool finite_result)
{
    for (int k = 0; k < w->count; k++) {
        if (w->in[k].mapped && !finite_result)
            nonfinite_scan(&w->nonfinite[k], w->in[k].dtype, w->in[k].data, (size_t)w->n, 0);
        nonfinite_report(&w->nonfinite[k], w->in[k].name);
    }
    if (w->request->fail_on_nonfinite && (w->nonfinite[0].count || w->nonfinite[1].count))
        die_bad("the data hold non-finite values (--fail-on-nonfinite)");
}

/* Why the result is NaN where the data are too few. */
static void report_no_value(const struct work *w)
{
    if (w->status != SAMESUM_NO_VALUE)
        return;
    fprintf(stderr, "%s: %llu value%s too few for a %s", w->in[0].name, (unsigned long long)w->n,
            w->n == 1 ? " is" : "s are", w->request->op->what);
    if (w->want.op == SAMESUM_VAR || w->want.op == SAMESUM_STD)
        fprintf(stderr, " with ddof %u", w->want.ddof);
    fputs(": the result is NaN\n", stderr);
}

/* --skip-lines and --column are for texts. */
static void check_text_options(const struct work *w)
{
    const uint64_t text_options = OPTION_BIT(OPTION_SKIP_LINES) | OPTION_BIT(OPTION_COLUMN);
    bool text = false;
    for (int k = 0; k < w->count; k++)
        text = text || w->in[k].format == FORMAT_TEXT;
    if (!text && (w->request->given & text_options))
        die_usage("--skip-lines and --column belong to text, and %s is not text", w->in[0].name);
}

static void open_files(struct work *w)
{
    const struct request *r = w->request;
    w->count = r->file_count;
    if (w->count > 1 && strcmp(r->files[0], "-") == 0 && strcmp(r->files[1], "-") == 0)
        die_usage("standard input can be read only once: give %s two files", r->op->name);
    for (int k = 0; k < w->count; k++) {
        if (k > 0 && bytes_is_pipe(&w->in[0].bytes, r->files[k]))
            die_bad("%s and %s are the same pipe, which can be read only once", r->files[0],
                    r->files[k]);
        input_open(&w->in[k], r->files[k], &r->file);
    }
    check_text_options(w);
    if (w->count > 1)
        input_check_pair(&w->in[0], &w->in[1]);

    w->type = dtype_row(w->in[0].dtype)->type;
    if (r->wide && w->in[0].dtype != DTYPE_F32)
        die_usage("--wide is for f32 data, and %s holds %s; leave --wide away", r->files[0],
                  dtype_row(w->in[0].dtype)->name);
    if (r->wide)
        w->type = SAMESUM_F32_WIDE;
}

/* A level or backend that is not to be had is refused before a file is read. */
static void check_want(const samesum_want *want)
{
    samesum_data nothing = {.type = SAMESUM_F64};
    double zero;
    library_check(samesum_reduce(&nothing, want, &zero, NULL), want);
}

int run_reduction(const struct request *r)
{
    struct work w = {.request = r,
                     .want = {.op = r->op->op,
                              .level = r->level,
                              .threads = r->threads,
                              .backend = r->backend,
                              .ddof = r->ddof}};
    check_want(&w.want);
    open_files(&w);
    bool mapped = w.in[0].mapped && (w.count < 2 || w.in[1].mapped);
    bool show_progress = w.in[0].n >= LONG_WORK && progress_wanted();
    if (!library_has_states(&w.want))
        reduce_in_two_passes(&w);
    else if (mapped && !r->chunk && !show_progress)
        reduce_at_once(&w);
    else
        reduce_in_chunks(&w);

    struct value value = value_of_result(w.type, &w.result);
    find_nonfinite(&w, isfinite(value.f64));
    report_no_value(&w);
    for (int k = 0; k < w.count; k++)
        input_close(&w.in[k]);
    struct nonfinite both = nonfinite_of_pair(&w.nonfinite[0], &w.nonfinite[1]);
    struct result result = {.op = r->op->name,
                            .level = level_name(r->level),
                            .dtype = dtype_row(w.in[0].dtype)->name,
                            .n = w.n,
                            .value = value,
                            .nonfinite = both};
    result_print(&result, r->output);
    return EXIT_DONE;
}
