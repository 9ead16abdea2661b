/* reduce.c - the operations that reduce files: what they report and print. */
#include "library.h"
#include "message.h"
#include "npy_write.h"
#include "number.h"
#include "ops.h"
#include "ranks.h"
#include "reduction.h"
#include "result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void report_nonfinite(const struct reduction *d)
{
    const struct operands *o = &d->operands;
    const enum role second = o->used[ROLE_Y] ? ROLE_Y : ROLE_WEIGHTS;
    nonfinite_report(&d->nonfinite[0], o->in[ROLE_X].name);
    nonfinite_report(&d->nonfinite[1], o->in[second].name);
    if (o->request->fail_on_nonfinite && (d->nonfinite[0].count || d->nonfinite[1].count))
        die_bad("the data hold non-finite values (--fail-on-nonfinite)");
}

/* Why a result is NaN where the data are too few. */
static void report_no_value(const struct reduction *d)
{
    const struct operands *o = &d->operands;
    const char *file = o->in[ROLE_X].name, *what = o->request->op->what;
    char ddof[40] = "";
    if (d->want.op == SAMESUM_VAR || d->want.op == SAMESUM_STD)
        snprintf(ddof, sizeof ddof, " with ddof %u", d->want.ddof);
    if (d->short_rows == 0)
        return;
    unsigned long long n = d->counts ? d->counts[0].present : 0, rows = d->short_rows;
    if (o->axis < 0)
        fprintf(stderr, "%s: %llu value%s too few for a %s%s: the result is NaN\n", file, n,
                n == 1 ? " is" : "s are", what, ddof);
    else
        fprintf(stderr,
                "%s: too few values for a %s%s in %llu of %llu rows, the first is row %llu: the "
                "result is NaN there\n",
                file, what, ddof, rows, (unsigned long long)d->rows,
                (unsigned long long)d->first_short);
}

/* A number beyond the type's range is rounded as any other is, to an infinity. */
static void report_missing(const struct reduction *d)
{
    const struct input *x = &d->operands.in[ROLE_X];
    const char *text = d->operands.request->missing;
    if (!text || strchr("iI", text[strspn(text, "+-")])) /* inf itself */
        return;
    const enum dtype type = dtype_row(x->dtype)->part;
    const double v = number_from_text(text, NULL, type);
    if (isinf(v))
        fprintf(stderr, "%s: --missing %s rounds to %s in %s: elements that are %s are left out\n",
                x->name, text, v < 0 ? "-inf" : "inf", dtype_row(type)->name,
                v < 0 ? "-inf" : "inf");
}

/* A weighted mean of finite data that are not too few is NaN only where the weights' sum is zero,
 * or where both sums overflow. */
static void report_weights(const struct reduction *d)
{
    const struct operands *o = &d->operands;
    if (!o->used[ROLE_WEIGHTS] || d->want.op != SAMESUM_MEAN || d->nonfinite[0].count ||
        d->nonfinite[1].count)
        return;
    unsigned long long nans = 0;
    for (size_t i = 0; i < d->rows; i++)
        nans += isnan(number_load(d->result_type, reduction_result(d, i))) ? 1 : 0;
    nans -= d->short_rows;
    if (nans > 0 && o->axis < 0)
        fprintf(stderr, "%s: the weights add up to zero or overflow: the result is NaN\n",
                o->in[ROLE_WEIGHTS].name);
    else if (nans > 0)
        fprintf(
            stderr,
            "%s: the weights add up to zero or overflow in %llu of %llu rows: the result is NaN "
            "there\n",
            o->in[ROLE_WEIGHTS].name, nans, (unsigned long long)d->rows);
}

static struct nonfinite nonfinite_of_row(const samesum_counts *c)
{
    return nonfinite_of_both((struct nonfinite){c->nonfinite[0], c->first[0]},
                             (struct nonfinite){c->nonfinite[1], c->first[1]});
}

static bool has_level(samesum_op op)
{
    return op < SAMESUM_MIN;
}

static void print_all(const struct reduction *d, enum output output)
{
    const struct operands *o = &d->operands;
    const bool array = output == OUTPUT_JSON && o->axis >= 0;
    struct result result = {.op = o->request->op->name,
                            .level = has_level(d->want.op) ? level_name(d->want.level) : NULL,
                            .dtype = dtype_row(o->in[ROLE_X].dtype)->name,
                            .type = d->result_type};
    if (array)
        fputs("[", stdout);
    for (size_t i = 0; i < d->rows; i++) {
        result.bytes = reduction_result(d, i);
        if (output == OUTPUT_JSON) {
            result.n = d->counts[i].present;
            result.masked = d->counts[i].masked;
            result.nonfinite = nonfinite_of_row(&d->counts[i]);
        }
        if (array && i > 0)
            fputs(",\n ", stdout);
        result_print(&result, output);
    }
    if (output == OUTPUT_JSON)
        puts(array ? "]" : "");
}

int run_reduction(const struct request *r)
{
    struct reduction d;
    reduction_run(&d, r, r->output == OUTPUT_JSON);
    report_missing(&d);
    report_nonfinite(&d);
    report_no_value(&d);
    report_weights(&d);
    if (r->out_file && ranks_write())
        npy_write(r->out_file, d.result_type, &d.shape, d.results, d.rows);
    else if (!r->out_file)
        print_all(&d, r->output);
    reduction_close(&d);
    return EXIT_DONE;
}
