#include "derived.h"

#include <math.h>
#include <string.h>
#include "exact/reduce.h"
#include "kahan/strict.h"

/* One row's result in the making. */
typedef struct work {
    const ss_job *job;
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

void ss_pass_sums(const ss_job *job, const ss_passes *p, ss_sums_of *sums)
{
    if (p->next == SS_PASS_SUMS) {
        ss_sums_of_job(
            job, job->type == SAMESUM_F32_WIDE ? SAMESUM_F32_WIDE : ss_real_type(job->type), sums);
        return;
    }
    ss_view view = job->row;
    view.out = ss_is_wide(job->type) ? SAMESUM_F64 : SAMESUM_F32;
    view.map = p->next == SS_PASS_DEVIATIONS ? SS_MAP_DEVIATE : SS_MAP_SCALE;
    view.parameter = p->parameter;
    sums->terms = p->next == SS_PASS_DEVIATIONS ? 2 : 1;
    sums->op[0] = SAMESUM_SUMSQ;
    sums->op[1] = SAMESUM_SUM;
    sums->view[0] = sums->view[1] = view;
}

void ss_pass_largest(const ss_job *job, int threads, ss_found *found, ss_tally *tally)
{
    ss_view view = job->row;
    view.out = ss_real_type(view.type);
    ss_found_start(found);
    ss_extremes_find(job->backend, &view, SS_PAD_NEUTRAL, threads, found, tally);
}

double ss_largest_of(const ss_found *found)
{
    double most = found->some ? fmax(fabs(found->min), fabs(found->max)) : 0;
    return found->nan && most < HUGE_VAL ? (double)NAN : most;
}

static void end_with(ss_passes *p, double result, samesum_status status)
{
    p->next = SS_PASS_NONE;
    p->result[0] = result;
    p->status = status;
}

/* SPEC.md 6.1: where sumsq overflows or is small, over scaled elements. */
static void after_squares(int wide, double sumsq, ss_passes *p)
{
    double least = wide ? 0x1p-960 : 0x1p-100;
    if (p->present == 0)
        end_with(p, 0, SAMESUM_OK);
    else if (isfinite(sumsq) && sumsq >= least)
        end_with(p, rounded(wide, sqrt(sumsq)), SAMESUM_OK);
    else
        p->next = SS_PASS_LARGEST;
}

static void after_largest(double most, ss_passes *p)
{
    if (!isfinite(most) || most == 0) {
        end_with(p, most, SAMESUM_OK);
    } else {
        p->next = SS_PASS_SCALED;
        p->parameter = ilogb(most);
    }
}

/* SPEC.md 6.3: variance and standard deviation. */
static void after_deviations(int wide, const samesum_want *want, const double *qc, ss_passes *p)
{
    double less = rounded(wide, rounded(wide, qc[1] * qc[1]) / count(wide, p->present));
    double v = rounded(wide, rounded(wide, qc[0] - less) / count(wide, p->present - want->ddof));
    if (v <= 0)
        v = 0;
    end_with(p, want->op == SAMESUM_STD ? rounded(wide, sqrt(v)) : v, SAMESUM_OK);
}

static void after_sums(const ss_job *job, const double *sum, ss_passes *p)
{
    const samesum_want *want = job->want;
    const int wide = ss_is_wide(job->type);
    uint64_t n = p->present;
    switch (want->op) {
    case SAMESUM_NRM2:
        after_squares(wide, sum[0], p);
        return;
    case SAMESUM_VAR:
    case SAMESUM_STD:
        if (n <= want->ddof) {
            end_with(p, NAN, SAMESUM_NO_VALUE);
        } else {
            p->next = SS_PASS_DEVIATIONS;
            p->parameter = ss_mean_of_sum(wide, sum[0], n);
        }
        return;
    case SAMESUM_MEAN:
        p->result[1] = ss_mean_of_sum(wide, sum[1], n); /* of complex elements */
        if (job->weighted)                              /* SPEC.md 6.7 */
            end_with(p, n > 0 && sum[1] != 0 ? rounded(wide, sum[0] / sum[1]) : (double)NAN,
                     n > 0 ? SAMESUM_OK : SAMESUM_NO_VALUE);
        else
            end_with(p, ss_mean_of_sum(wide, sum[0], n), n > 0 ? SAMESUM_OK : SAMESUM_NO_VALUE);
        return;
    default:
        p->result[1] = sum[1];
        end_with(p, sum[0], SAMESUM_OK);
    }
}

void ss_pass_done(const ss_job *job, const double *value, ss_passes *p)
{
    const int wide = ss_is_wide(job->type);
    switch (p->next) {
    case SS_PASS_SUMS:
        after_sums(job, value, p);
        break;
    case SS_PASS_DEVIATIONS:
        after_deviations(wide, job->want, value, p);
        break;
    case SS_PASS_LARGEST:
        after_largest(value[0], p);
        break;
    case SS_PASS_SCALED:
        end_with(p, rounded(wide, scalbn(rounded(wide, sqrt(value[0])), (int)p->parameter)),
                 SAMESUM_OK);
        break;
    case SS_PASS_NONE:
        break;
    }
}

/* The sums of the next pass. */
static void sum_up(work *w, const ss_passes *p, double *value, ss_tally *tally)
{
    ss_sums_of sums;
    ss_term term[SS_TERMS];
    ss_pass_sums(w->job, p, &sums);
    for (int i = 0; i < sums.terms; i++)
        term[i] = ss_term_of(w->job->backend, sums.op[i], &sums.view[i], w->job->want->level);
    w->worked = ss_tree_reduce(term, sums.terms, w->threads, value, tally);
}

/* Levels tree, kahan and compensated. */
static samesum_status below_exact(work *w, double *result)
{
    ss_passes p = {.next = SS_PASS_SUMS};
    double value[SS_TERMS] = {0, 0};
    sum_up(w, &p, value, w->tally);
    p.present = w->tally->counts.present;
    ss_pass_done(w->job, value, &p);
    while (p.next != SS_PASS_NONE) {
        ss_tally seen;
        ss_found found;
        ss_tally_start(&seen, 0);
        if (p.next == SS_PASS_LARGEST) {
            ss_pass_largest(w->job, w->threads, &found, &seen);
            value[0] = ss_largest_of(&found);
        } else {
            sum_up(w, &p, value, &seen);
        }
        ss_pass_done(w->job, value, &p);
    }
    result[0] = p.result[0];
    result[1] = p.result[1];
    return p.status;
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
    work w = {job, threads, 1, tally};
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
