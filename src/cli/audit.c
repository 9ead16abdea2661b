/* audit.c - `samesum audit`: common ways of summing a file, side by side. */
#include "audit.h"

#include "library.h"
#include "message.h"
#include "number.h"
#include "ops.h"
#include "options.h"
#include "serial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int audit_thread_counts[AUDIT_THREAD_COUNTS] = {1, 2, 3, 4, 8};

struct data {
    const void *x;
    size_t n;
    bool binary32;
};

static double element(const struct data *d, size_t i)
{
    return d->binary32 ? (double)((const float *)d->x)[i] : ((const double *)d->x)[i];
}

static void count_in(struct nonfinite *kind, uint64_t index)
{
    if (kind->count++ == 0)
        kind->first = index;
}

static void look_through(struct audit *a, const struct data *d)
{
    a->min = a->max = (double)NAN;
    for (size_t i = 0; i < d->n; i++) {
        double v = element(d, i);
        if (isnan(v)) {
            count_in(&a->nan, i);
            count_in(&a->nonfinite, i);
        } else if (isinf(v)) {
            count_in(v > 0 ? &a->plus_inf : &a->minus_inf, i);
            count_in(&a->nonfinite, i);
        } else {
            a->min = v >= a->min ? a->min : v; /* also where min is still NaN */
            a->max = v <= a->max ? a->max : v;
        }
    }
}

/* ---- the rows ---------------------------------------------------------------------------------
 */

static struct audit_row *add_row(struct audit *a, const char *method, struct value value)
{
    struct audit_row *row = &a->rows[a->row_count++];
    *row = (struct audit_row){.value = value};
    snprintf(row->method, sizeof row->method, "%s", method);
    return row;
}

/* Counts a result among those seen so far, by its bits. */
static int count_new(struct value *seen, int count, struct value v)
{
    char bits[VALUE_TEXT], other[VALUE_TEXT];
    value_bits(v, bits);
    for (int i = 0; i < count; i++) {
        value_bits(seen[i], other);
        if (strcmp(bits, other) == 0)
            return count;
    }
    seen[count] = v;
    return count + 1;
}

#define BOTH(function)                                                                             \
    (d->binary32 ? value_f32(function##_f32(d->x, d->n)) : value_f64(function##_f64(d->x, d->n)))

static void add_loops(struct audit *a, const struct data *d)
{
    add_row(a, "serial loop", BOTH(serial));
    add_row(a, "serial loop, last to first", BOTH(reverse));
    add_row(a, "pairwise, blocks of 128", BOTH(pairwise));
    add_row(a, "Kahan's loop", BOTH(kahan));
    add_row(a, "Neumaier's loop", BOTH(neumaier));
#ifdef _OPENMP
    struct value seen[AUDIT_THREAD_COUNTS * AUDIT_REPEATS];
    for (int i = 0; i < AUDIT_THREAD_COUNTS; i++) {
        int t = audit_thread_counts[i];
        struct value v = {0};
        for (int k = 0; k < AUDIT_REPEATS; k++) {
            v = d->binary32 ? value_f32(openmp_f32(d->x, d->n, t))
                            : value_f64(openmp_f64(d->x, d->n, t));
            a->openmp_results = count_new(seen, a->openmp_results, v);
        }
        char method[40];
        snprintf(method, sizeof method, "OpenMP reduction, %d thread%s", t, t > 1 ? "s" : "");
        add_row(a, method, v);
    }
#endif
}

static struct value reduce(const struct data *d, samesum_type type, const samesum_want *want)
{
    samesum_array array = {.x = d->x, .type = type, .dims = 1, .shape = &d->n};
    unsigned char result[sizeof(double)];
    library_check(library_reduce(&array, NULL, 0, want, result, NULL), want);
    return value_load(type == SAMESUM_F32 ? DTYPE_F32 : DTYPE_F64, result);
}

static void add_levels(struct audit *a, const struct data *d, samesum_type type,
                       const struct request *r)
{
    static const samesum_level levels[] = {SAMESUM_TREE, SAMESUM_KAHAN, SAMESUM_COMPENSATED,
                                           SAMESUM_EXACT};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        samesum_want want = {
            .op = SAMESUM_SUM, .level = levels[i], .threads = r->threads, .backend = r->backend};
        char method[40];
        snprintf(method, sizeof method, "samesum %s%s", level_name(levels[i]),
                 type == SAMESUM_F32_WIDE ? " --wide" : "");
        struct value v = reduce(d, type, &want), seen[AUDIT_THREAD_COUNTS + 1] = {v};
        int results = 1;
        for (int t = 0; t < AUDIT_THREAD_COUNTS; t++) {
            want.threads = audit_thread_counts[t];
            results = count_new(seen, results, reduce(d, type, &want));
        }
        if (results > a->samesum_results)
            a->samesum_results = results;
        add_row(a, method, v);
    }
}

/* ---- the errors -------------------------------------------------------------------------------
 */

/* One unit in the last place of v rounded to the type. */
static double ulp(double v, bool binary32)
{
    double rounded = binary32 ? (double)(float)v : v;
    int exponent = rounded == 0 ? -2000 : ilogb(rounded);
    int last = binary32 ? exponent - 23 : exponent - 52;
    int lowest = binary32 ? -149 : -1074;
    return ldexp(1, last > lowest ? last : lowest);
}

static void measure(struct audit_row *row, const struct truth *truth)
{
    double v = row->value.number;
    row->error = row->ulps = row->relative = (double)NAN;
    if (!isfinite(truth->high) || !isfinite(v))
        return;
    row->error = (v - truth->high) - truth->low;
    if (row->error == 0)
        row->ulps = row->relative = 0;
    else if (truth->high != 0) {
        row->ulps = row->error / ulp(truth->high, row->value.type == DTYPE_F32);
        row->relative = row->error / fabs(truth->high);
    }
}

/* The bound of level tree for finite data, from samesum.h. */
static double tree_bound(double n, double u, double sum_abs)
{
    double levels = n > 16 ? ceil(log2(n / 16)) : 0;
    return (levels + 4) * u * sum_abs;
}

static void judge(struct audit *a, const struct data *d)
{
    const struct audit_row *serial = &a->rows[0];
    double serial_sum = serial->value.number;
    double true_sum = d->binary32 ? (double)(float)a->truth.high : a->truth.high;
    a->finite = a->nonfinite.count == 0 && isfinite(true_sum);
    a->condition = a->serial_bound = a->tree_bound = a->serial_mean = (double)NAN;
    if (a->n == 0) {
        a->grade = "nothing to add";
    } else if (!a->finite) {
        a->grade = "not finite";
    } else {
        double n = (double)a->n, u = d->binary32 ? 0x1p-24 : 0x1p-53;
        double sum_abs = a->truth.sum_abs;
        a->condition = sum_abs == 0 ? 1 : sum_abs / fabs(a->truth.high);
        a->serial_bound = (n - 1) * u * sum_abs;
        a->tree_bound = tree_bound(n, u, sum_abs);
        a->beyond = !(fabs(serial->error) <= a->tree_bound); /* also where the loop overflows */
        a->serial_mean = d->binary32 ? (double)((float)serial_sum / (float)n) : serial_sum / n;
        /* the mean's own rounding may carry it over the edge by one unit */
        double slack = ulp(a->truth.mean, d->binary32);
        a->outside = !(a->serial_mean >= a->min - slack && a->serial_mean <= a->max + slack);
        a->grade = a->outside                ? "outside of the data's range"
                   : serial_sum == true_sum  ? "correctly rounded"
                   : fabs(serial->ulps) <= 1 ? "off by at most one unit in the last place"
                   : serial->relative != serial->relative ? "off, where the true sum is zero"
                                                          : "off";
    }
}

/* Where the standard deviation overflows although the true one does not. */
static void look_at_spread(struct audit *a, const struct data *d, samesum_type type,
                           const struct request *r)
{
    double true_std = d->binary32 ? (double)(float)a->truth.std : a->truth.std;
    for (int level = 0; level < SAMESUM_EXACT && isfinite(true_std); level++) {
        samesum_want want = {.op = SAMESUM_STD,
                             .level = (samesum_level)level,
                             .threads = r->threads,
                             .backend = r->backend};
        a->spread_overflows[level] = !isfinite(reduce(d, type, &want).number);
    }
}

/* Half precision is added up in binary32, so it is looked at as such; no value changes. */
static struct data data_of(struct input *in, void **owned)
{
    if (dtype_is_complex(in->dtype))
        die_bad("%s: holds %s, and audit compares sums of real numbers: take the parts apart with "
                "numpy (.real, .imag)",
                in->name, dtype_row(in->dtype)->name);
    struct data d = {.x = input_whole(in, owned), .binary32 = in->dtype != DTYPE_F64};
    d.n = (size_t)in->n;
    if (!dtype_is_half(in->dtype))
        return d;
    float *x = need_memory(d.n * sizeof *x);
    for (size_t i = 0; i < d.n; i++)
        x[i] = (float)number_load(in->dtype, (const char *)d.x + i * in->size);
    free(*owned);
    d.x = *owned = x;
    return d;
}

int run_audit(const struct request *r)
{
    if (r->output == OUTPUT_BITS || r->output == OUTPUT_HEX)
        die_usage("audit prints a table: --output text or json");
    samesum_want check = {.op = SAMESUM_SUM, .threads = r->threads, .backend = r->backend};
    library_need_backend(&check);
    if (check.backend == SAMESUM_BACKEND_CUDA) /* the truth needs states, which the CPU has */
        check.backend = SAMESUM_BACKEND_AUTO;

    struct input in;
    input_open(&in, r->files[0], &r->file);
    if (in.format != FORMAT_TEXT &&
        (r->given & (OPTION_BIT(OPTION_SKIP_LINES) | OPTION_BIT(OPTION_COLUMN))))
        die_usage("--skip-lines and --column belong to text, and %s is not text", in.name);
    void *owned;
    struct data d = data_of(&in, &owned);

    struct audit a = {.file = in.name, .dtype = in.dtype, .n = in.n, .shape = in.shape};
    look_through(&a, &d);
    nonfinite_report(&a.nonfinite, in.name);
    if (a.nonfinite.count && r->fail_on_nonfinite)
        die_bad("the data hold non-finite values (--fail-on-nonfinite)");

    samesum_type type = d.binary32 ? SAMESUM_F32 : SAMESUM_F64;
    a.truth = truth_of(d.x, d.n, type, &check);
    add_loops(&a, &d);
    add_levels(&a, &d, type, r);
    if (d.binary32)
        add_levels(&a, &d, SAMESUM_F32_WIDE, r);
    for (int i = 0; i < a.row_count; i++)
        measure(&a.rows[i], &a.truth);
    judge(&a, &d);
    look_at_spread(&a, &d, type, r);

    if (r->output == OUTPUT_JSON)
        audit_print_json(&a);
    else
        audit_print_text(&a);
    free(owned);
    input_close(&in);
    return EXIT_DONE;
}
