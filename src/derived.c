#include "derived.h"

#include <math.h>
#include <string.h>
#include "exact/reduce.h"
#include "extremes.h"
#include "kahan/strict.h"

/* One row's result in the making. */
typedef struct work {
    const ss_job *job;
    int wide; /* the accumulator is binary64 */
    int threads, worked;
    ss_tally *tally;
} work;

/* fl of one operation on numbers of the accumulator's type, done in binary64: see ss_write(). */
static double rounded(int wide, double v)
{
    return wide ? v : (double)(float)v;
}

/* n rounded to the accumulator's type. */
static double count(int wide, uint64_t n)
{
    return wide ? (double)n : (double)(float)n;
}

double ss_mean_of_sum(int wide, double sum, uint64_t n)
{
    return n > 0 ? rounded(wide, sum / count(wide, n)) : (double)NAN;
}

void ss_sums_of_job(const ss_job *job, samesum_type number, ss_sums_of *s)
{
    samesum_op op = job->want->op;
    s->terms = 1;
    s->op[0] = job->weighted                                                  ? SAMESUM_DOT
               : op == SAMESUM_NRM2                                           ? SAMESUM_SUMSQ
               : op == SAMESUM_MEAN || op == SAMESUM_VAR || op == SAMESUM_STD ? SAMESUM_SUM
                                                                              : op;
    s->view[0] = job->row;
    s->view[0].out = number;
    s->view[0].pair = s->op[0] == SAMESUM_DOT;
    if (ss_is_complex(job->row.type) && s->op[0] != SAMESUM_SUMSQ) { /* SPEC.md 6.8 */
        s->terms = 2;
        s->op[1] = s->op[0];
        s->view[1] = s->view[0];
        for (int part = 0; part < 2; part++) {
            if (s->op[0] == SAMESUM_DOT)
                s->view[part].factor = (signed char)part;
            else
                s->view[part].part = (signed char)part;
        }
    } else if (job->weighted && op == SAMESUM_MEAN) { /* SPEC.md 6.7 */
        s->terms = 2;
        s->op[1] = SAMESUM_SUM;
        s->view[1] = s->view[0];
        s->view[1].first = SS_Y;
        s->view[1].pair = 0;
    }
}

/* The sums of these leaves in the fixed tree. */
static void tree(work *w, const ss_sums_of *s, double *result, ss_tally *tally)
{
    ss_term term[SS_TERMS];
    for (int i = 0; i < s->terms; i++)
        term[i] = ss_term_of(w->job->backend, s->op[i], &s->view[i], w->job->want->level);
    w->worked = ss_tree_reduce(term, s->terms, w->threads, result, tally);
}

/* The sums of two kinds of leaves over the same mapped elements. */
static void tree_of_mapped(work *w, int terms, const samesum_op *op, ss_map map, double parameter,
                           double *result)
{
    ss_view view = w->job->row;
    view.out = w->wide ? SAMESUM_F64 : SAMESUM_F32;
    view.map = map;
    view.parameter = parameter;
    ss_term term[SS_TERMS];
    for (int i = 0; i < terms; i++)
        term[i] = ss_term_of(w->job->backend, op[i], &view, w->job->want->level);
    ss_tally seen;
    ss_tally_start(&seen, 0);
    w->worked = ss_tree_reduce(term, terms, w->threads, result, &seen);
}

/* SPEC.md 6.3: variance and standard deviation in two passes. */
static samesum_status spread(work *w, double sum, double *result)
{
    static const samesum_op ops[] = {SAMESUM_SUMSQ, SAMESUM_SUM};
    uint64_t n = w->tally->counts.present;
    unsigned ddof = w->job->want->ddof;
    if (n <= ddof) {
        *result = NAN;
        return SAMESUM_NO_VALUE;
    }
    double qc[SS_TERMS];
    tree_of_mapped(w, 2, ops, SS_MAP_DEVIATE, ss_mean_of_sum(w->wide, sum, n), qc);
    double less = rounded(w->wide, rounded(w->wide, qc[1] * qc[1]) / count(w->wide, n));
    double v = rounded(w->wide, rounded(w->wide, qc[0] - less) / count(w->wide, n - ddof));
    if (v <= 0)
        v = 0;
    *result = w->job->want->op == SAMESUM_STD ? rounded(w->wide, sqrt(v)) : v;
    return SAMESUM_OK;
}

/* The largest |x_i|, infinite where any is, else NaN where any is. */
static double largest(work *w)
{
    ss_view view = w->job->row;
    ss_found found;
    ss_tally seen;
    view.out = ss_real_type(view.type);
    ss_found_start(&found);
    ss_tally_start(&seen, 0);
    w->worked = ss_extremes_find(w->job->backend, &view, SS_PAD_NEUTRAL, w->threads, &found, &seen);
    double most = found.some ? fmax(fabs(found.min), fabs(found.max)) : 0;
    return found.nan && most < HUGE_VAL ? (double)NAN : most;
}

/* SPEC.md 6.1: nrm2; where sumsq overflows or is small, over scaled elements. */
static double nrm2(work *w, double sumsq)
{
    static const samesum_op op = SAMESUM_SUMSQ;
    double least = w->wide ? 0x1p-960 : 0x1p-100;
    if (isfinite(sumsq) && sumsq >= least)
        return rounded(w->wide, sqrt(sumsq));
    double most = largest(w); /* itself the result where it is infinite, NaN or zero */
    if (!isfinite(most) || most == 0)
        return most;
    int e = ilogb(most);
    double s;
    tree_of_mapped(w, 1, &op, SS_MAP_SCALE, e, &s);
    return rounded(w->wide, scalbn(rounded(w->wide, sqrt(s)), e));
}

/* Levels tree, kahan and compensated. */
static samesum_status below_exact(work *w, double *result)
{
    const ss_job *job = w->job;
    ss_sums_of sums;
    ss_sums_of_job(job, job->type == SAMESUM_F32_WIDE ? SAMESUM_F32_WIDE : ss_real_type(job->type),
                   &sums);
    tree(w, &sums, result, w->tally);
    uint64_t n = w->tally->counts.present;
    switch (job->want->op) {
    case SAMESUM_NRM2:
        result[0] = n > 0 ? nrm2(w, result[0]) : 0;
        return SAMESUM_OK;
    case SAMESUM_VAR:
    case SAMESUM_STD:
        return spread(w, result[0], result);
    case SAMESUM_MEAN:
        if (job->weighted) /* SPEC.md 6.7 */
            result[0] =
                n > 0 && result[1] != 0 ? rounded(w->wide, result[0] / result[1]) : (double)NAN;
        else
            for (int i = 0; i < sums.terms; i++)
                result[i] = ss_mean_of_sum(w->wide, result[i], n);
        return n > 0 ? SAMESUM_OK : SAMESUM_NO_VALUE;
    default:
        return SAMESUM_OK;
    }
}

static samesum_status exactly(work *w, ss_format format, double *result)
{
    const ss_job *job = w->job;
    ss_sums_of from;
    ss_exact_sums sums;
    ss_sums_of_job(job, ss_exact_number(job->type), &from);
    ss_exact_sums_init(&sums, job->backend->slicers, job->want->op, job->type, job->weighted,
                       job->want->ddof);
    /* var and std sum the same elements twice */
    const ss_view *view[SS_TERMS] = {&from.view[0], from.terms > 1 ? &from.view[1] : &from.view[0]};
    w->worked = ss_exact_sums_add(&sums, view, w->threads, w->tally);
    return ss_exact_sums_finish(&sums, format, result);
}

/* SPEC.md 6.5. index: receives argmin or argmax. */
static samesum_status extremes(work *w, double *result, uint64_t *index)
{
    const ss_job *job = w->job;
    const samesum_op op = job->want->op;
    int max = op == SAMESUM_MAX || op == SAMESUM_ARGMAX;
    ss_view view = job->row;
    ss_found found;
    view.out = view.type;
    ss_found_start(&found);
    w->worked = ss_extremes_find(job->backend, &view, SS_PAD_PRESENT, w->threads, &found, w->tally);
    if (op == SAMESUM_ARGMIN || op == SAMESUM_ARGMAX) {
        *index = ss_extreme_index(&view, &found, max, job->want->nan);
        return found.any ? SAMESUM_OK : SAMESUM_ERR_EMPTY;
    }
    result[0] = ss_extreme(&found, max, job->want->nan);
    if (op == SAMESUM_MINMAX)
        result[1] = ss_extreme(&found, 1, job->want->nan);
    return found.any ? SAMESUM_OK : SAMESUM_NO_VALUE;
}

samesum_status ss_derive(const ss_job *job, int threads, void *result, ss_tally *tally, int *worked)
{
    const samesum_op op = job->want->op;
    const ss_format format = ss_result_format(job->type, job->want->result);
    work w = {job, ss_is_wide(job->type), threads, 1, tally};
    double value[SS_TERMS];
    uint64_t index;
    samesum_status st = op >= SAMESUM_MIN                   ? extremes(&w, value, &index)
                        : job->want->level == SAMESUM_EXACT ? exactly(&w, format, value)
                                                            : below_exact(&w, value);
    *worked = w.worked;
    if (op == SAMESUM_ARGMIN || op == SAMESUM_ARGMAX) {
        memcpy(result, &index, sizeof index);
        return st;
    }
    ss_write(format, value[0], result);
    if (ss_result_numbers(job->want, job->type) > 1)
        ss_write(format, value[1], (char *)result + ss_format_of(format).bytes);
    return st;
}
