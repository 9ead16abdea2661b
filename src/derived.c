#include "derived.h"

#include <math.h>
#include <string.h>
#include "exact/reduce.h"
#include "kahan/strict.h"

/* One call's data and choices, while a derived result is made from several reductions of them. */
typedef struct job {
    const ss_backend *backend;
    const samesum_data *data;
    const samesum_want *want;
    int wide, threads;
} job;

/* A value of the accumulator's type, held in a double, which every binary32 number fits. */
static double value(const job *j, const void *result)
{
    double d;
    float f;
    if (j->wide) {
        memcpy(&d, result, sizeof d);
        return d;
    }
    memcpy(&f, result, sizeof f);
    return f;
}

/* Writes v, rounded once to the accumulator's type: fl of an operation on numbers of that type,
 * done in binary64. For binary32, +, -, *, / and the square root of binary64 round innocuously (53
 * >= 2 * 24 + 2). */
static void write_value(int wide, double v, void *result)
{
    if (isnan(v))
        v = (double)NAN;
    float f = (float)v;
    if (wide)
        memcpy(result, &v, sizeof v);
    else
        memcpy(result, &f, sizeof f);
}

static double rounded(const job *j, double v)
{
    return j->wide ? v : (double)(float)v;
}

/* op over the elements, or over what map makes of them. */
static double tree(job *j, samesum_op op, const ss_map *map)
{
    samesum_type type = map && j->wide ? SAMESUM_F64 : j->data->type;
    ss_plan plan = ss_plan_tree(j->backend, op, type, j->want->level, j->want->threads);
    plan.map = map;
    plan.elem_bytes = samesum_element_size(j->data->type);
    double result;
    j->threads = ss_tree_reduce(&plan, j->data->x, op == SAMESUM_DOT ? j->data->y : NULL,
                                j->data->n, &result);
    return value(j, &result);
}

/* n rounded to the accumulator's type. */
static double count(int wide, uint64_t n)
{
    return wide ? (double)n : (double)(float)n;
}

samesum_status ss_mean_of_sum(int wide, uint64_t n, void *result)
{
    job j = {.wide = wide};
    double v = n > 0 ? value(&j, result) / count(wide, n) : (double)NAN;
    write_value(wide, v, result);
    return n > 0 ? SAMESUM_OK : SAMESUM_NO_VALUE;
}

/* Fills a tile with fl(x_i - parameter). */
static void deviations_f64(const ss_map *map, const void *x, size_t n, void *out)
{
    double *d = out, v;
    for (size_t i = 0; i < n; i++) {
        memcpy(&v, (const char *)x + i * sizeof v, sizeof v);
        d[i] = v - map->parameter;
    }
}

static void deviations_f32(const ss_map *map, const void *x, size_t n, void *out)
{
    float *d = out, v, m = (float)map->parameter;
    for (size_t i = 0; i < n; i++) {
        memcpy(&v, (const char *)x + i * sizeof v, sizeof v);
        d[i] = v - m;
    }
}

static void deviations_wide(const ss_map *map, const void *x, size_t n, void *out)
{
    double *d = out;
    float v;
    for (size_t i = 0; i < n; i++) {
        memcpy(&v, (const char *)x + i * sizeof v, sizeof v);
        d[i] = (double)v - map->parameter;
    }
}

/* SPEC.md 6: variance and standard deviation in two passes. */
static samesum_status spread(job *j, void *result)
{
    uint64_t n = j->data->n;
    if (n <= j->want->ddof) {
        write_value(j->wide, (double)NAN, result);
        return SAMESUM_NO_VALUE;
    }
    ss_map deviations = {
        .fill = j->data->type == SAMESUM_F64   ? deviations_f64
                : j->data->type == SAMESUM_F32 ? deviations_f32
                                               : deviations_wide,
        .parameter = rounded(j, tree(j, SAMESUM_SUM, NULL) / count(j->wide, n)),
    };
    double q = tree(j, SAMESUM_SUMSQ, &deviations);
    double c = tree(j, SAMESUM_SUM, &deviations);
    double less = rounded(j, rounded(j, c * c) / count(j->wide, n));
    double v = rounded(j, rounded(j, q - less) / count(j->wide, n - j->want->ddof));
    if (v <= 0)
        v = 0;
    write_value(j->wide, j->want->op == SAMESUM_STD ? sqrt(v) : v, result);
    return SAMESUM_OK;
}

/* Fills a tile with x_i * 2^-parameter, rounded once. */
static void scaled_f64(const ss_map *map, const void *x, size_t n, void *out)
{
    double *d = out, v;
    for (size_t i = 0; i < n; i++) {
        memcpy(&v, (const char *)x + i * sizeof v, sizeof v);
        d[i] = scalbn(v, -(int)map->parameter);
    }
}

static void scaled_f32(const ss_map *map, const void *x, size_t n, void *out)
{
    float *d = out, v;
    for (size_t i = 0; i < n; i++) {
        memcpy(&v, (const char *)x + i * sizeof v, sizeof v);
        d[i] = scalbnf(v, -(int)map->parameter);
    }
}

static void scaled_wide(const ss_map *map, const void *x, size_t n, void *out)
{
    double *d = out;
    float v;
    for (size_t i = 0; i < n; i++) {
        memcpy(&v, (const char *)x + i * sizeof v, sizeof v);
        d[i] = scalbn((double)v, -(int)map->parameter);
    }
}

/* The largest |x_i|, infinite where any is, else NaN where any is. */
static double largest(const samesum_data *data)
{
    double most = 0;
    int nan = 0;
    for (size_t i = 0; i < data->n; i++) {
        double d;
        float f;
        if (data->type == SAMESUM_F64) {
            memcpy(&d, (const char *)data->x + i * sizeof d, sizeof d);
        } else {
            memcpy(&f, (const char *)data->x + i * sizeof f, sizeof f);
            d = f;
        }
        d = fabs(d);
        nan |= isnan(d);
        most = d > most ? d : most;
    }
    return nan && most < HUGE_VAL ? (double)NAN : most;
}

/* SPEC.md 6: nrm2; where sumsq overflows or is small, over scaled elements. */
static samesum_status nrm2(job *j, void *result)
{
    double s = tree(j, SAMESUM_SUMSQ, NULL), least = j->wide ? 0x1p-960 : 0x1p-100;
    double r;
    if (isfinite(s) && s >= least) {
        r = sqrt(s);
    } else {
        r = largest(j->data); /* itself the result where it is infinite, NaN or zero */
        if (isfinite(r) && r > 0) {
            int e = ilogb(r);
            ss_map scaled = {
                .fill = j->data->type == SAMESUM_F64   ? scaled_f64
                        : j->data->type == SAMESUM_F32 ? scaled_f32
                                                       : scaled_wide,
                .parameter = e,
            };
            r = rounded(j, sqrt(tree(j, SAMESUM_SUMSQ, &scaled)));
            r = scalbn(r, e); /* rounded once: for binary32, when it is written */
        }
    }
    write_value(j->wide, r, result);
    return SAMESUM_OK;
}

samesum_status ss_derive(const ss_backend *backend, const samesum_data *data,
                         const samesum_want *want, void *result, int *threads)
{
    if (want->level == SAMESUM_EXACT) {
        ss_exact_sums sums;
        ss_exact_sums_init(&sums, backend->slicers, want->op, data->type, want->ddof);
        *threads = ss_exact_sums_add(&sums, data->x, want->op == SAMESUM_DOT ? data->y : NULL,
                                     data->n, want->threads);
        return ss_exact_sums_finish(&sums, data->type, result);
    }
    job j = {backend, data, want, data->type != SAMESUM_F32, 1};
    samesum_status st = SAMESUM_OK;
    if (want->op == SAMESUM_NRM2) {
        st = nrm2(&j, result);
    } else if (want->op == SAMESUM_VAR || want->op == SAMESUM_STD) {
        st = spread(&j, result);
    } else if (want->op == SAMESUM_MEAN) {
        write_value(j.wide, tree(&j, SAMESUM_SUM, NULL), result);
        st = ss_mean_of_sum(j.wide, data->n, result);
    } else {
        write_value(j.wide, tree(&j, want->op, NULL), result);
    }
    *threads = j.threads;
    return st;
}
