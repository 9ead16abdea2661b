/* audit_text.c - an audit for people: a table and a verdict. */
#include "audit.h"
#include "library.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *decimal(double v)
{
    static char text[4][VALUE_TEXT];
    static int next;
    char *t = text[next++ % 4];
    value_decimal(value_f64(v), t);
    return t;
}

/* A number of the data's type. */
static const char *own_decimal(const struct audit *a, double v)
{
    if (a->dtype == DTYPE_F64)
        return decimal(v);
    static char text[4][VALUE_TEXT];
    static int next;
    char *t = text[next++ % 4];
    value_decimal(value_f32((float)v), t);
    return t;
}

static void print_kind(const struct nonfinite *kind, const char *name)
{
    if (kind->count)
        printf("; %" PRIu64 " %s, first at index %" PRIu64, kind->count, name, kind->first);
}

static void print_data(const struct audit *a)
{
    char shape[256];
    shape_text(&a->shape, shape, sizeof shape);
    printf("%s: %" PRIu64 " values of type %s, shape %s\n", a->file, a->n,
           dtype_row(a->dtype)->name, shape);
    if (isnan(a->min))
        fputs("no finite values", stdout);
    else
        printf("from %s to %s", own_decimal(a, a->min), own_decimal(a, a->max));
    if (a->nonfinite.count == 0)
        fputs("; all finite", stdout);
    print_kind(&a->nan, "NaN");
    print_kind(&a->plus_inf, "inf");
    print_kind(&a->minus_inf, "-inf");
    if (!isnan(a->condition))
        printf("; condition number sum|x| / |sum x| = %.4g", a->condition);
    if (a->n > 0 && a->nonfinite.count == 0)
        printf("\nmean %s, standard deviation (ddof 0) %s", decimal(a->truth.mean),
               decimal(a->truth.std));
    putchar('\n');
}

/* A number in a column of this width; "-" for NaN. */
static void print_cell(const char *format, int width, double v)
{
    char text[VALUE_TEXT];
    if (isnan(v))
        snprintf(text, sizeof text, "-");
    else if (v == 0)
        snprintf(text, sizeof text, "0");
    else
        snprintf(text, sizeof text, format, v);
    printf(" %*s", width, text);
}

/* The number itself; whole numbers with all of their digits, which value_decimal() may replace by
 * zeros that read back to the same binary32. */
static void print_sum(struct value value)
{
    char number[VALUE_TEXT];
    if (fabs(value.number) < 1e16 && value.number == floor(value.number))
        snprintf(number, sizeof number, "%.0f", value.number);
    else
        value_decimal(value, number);
    printf(" %22s", number);
}

static void print_row(const char *method, struct value value)
{
    char bits[VALUE_TEXT];
    value_bits(value, bits);
    printf("%-28s", method);
    print_sum(value);
    printf("  %-18s", bits);
}

static void print_table(const struct audit *a)
{
    printf("%-28s %22s  %-18s %10s %9s\n", "method", "sum", "bits", "ulps off", "relative");
    for (int i = 0; i < a->row_count; i++) {
        const struct audit_row *row = &a->rows[i];
        print_row(row->method, row->value);
        print_cell(fabs(row->ulps) < 1e5 ? "%+.2f" : "%+.2e", 10, row->ulps);
        print_cell("%+.0e", 9, row->relative);
        putchar('\n');
    }
    print_row("true sum", value_f64(a->truth.high));
    puts("\nThe true sum, mean and standard deviation: level exact, rounded once to binary64.");
}

/* In how many decimal digits two numbers agree, about. */
static int common_digits(double relative)
{
    double digits = floor(-log10(fabs(relative)));
    return digits > 0 ? (int)digits : 0;
}

static void print_serial(const struct audit *a)
{
    const struct audit_row *serial = &a->rows[0];
    const int all_digits = a->dtype == DTYPE_F64 ? 16 : 7;
    const char *kind = a->dtype == DTYPE_F64 ? "binary64" : "binary32";
    if (!isfinite(serial->value.number)) {
        printf("VERDICT: the serial %s loop overflows, though the sum is %s.\n", kind,
               decimal(a->truth.high));
        return;
    }
    if (serial->error == 0) {
        printf("Verdict: the serial %s loop gives the true sum here.\n", kind);
        return;
    }
    if (fabs(serial->ulps) <= 0.5) {
        printf("Verdict: the serial %s loop gives the correctly rounded sum here.\n", kind);
        return;
    }
    printf("%s: the serial %s loop is off by %.6g", a->outside || a->beyond ? "VERDICT" : "Verdict",
           kind, serial->error);
    if (!isnan(serial->relative))
        printf("; about %d of %d digits are right", common_digits(serial->relative), all_digits);
    printf(".\nThe mean of the data comes out as %s instead of %s", own_decimal(a, a->serial_mean),
           decimal(a->truth.mean));
    if (a->outside)
        printf(":\nOUTSIDE of the data's own range, %s to %s", own_decimal(a, a->min),
               own_decimal(a, a->max));
    puts(".");
    if (a->beyond)
        printf("That is MORE than the error bound of samesum's level tree, %.2g; such a loop's own "
               "bound,\n(n - 1) u sum|x|, is %.2g.\n",
               a->tree_bound, a->serial_bound);
    else
        printf("Nothing better was promised: such a loop's error bound, (n - 1) u sum|x|, is "
               "%.2g.\n",
               a->serial_bound);
}

static void print_spread(const struct audit *a)
{
    int count = 0;
    for (int level = 0; level < SAMESUM_EXACT; level++)
        if (a->spread_overflows[level])
            printf("%s%s", count++ ? ", " : "The standard deviation overflows at level ",
                   level_name((samesum_level)level));
    if (count)
        puts("; --accuracy exact gives it.");
}

static void print_threads(const struct audit *a)
{
    if (a->openmp_results == 0 && a->samesum_results == 1) {
        puts("This build has no OpenMP; with it, samesum gives the same bits on any number of "
             "threads.");
        return;
    }
    const int runs = AUDIT_THREAD_COUNTS * AUDIT_REPEATS;
    if (a->openmp_results == 1)
        printf("OpenMP's reduction gave one result in %d runs at 1, 2, 3, 4 and 8 threads;\n",
               runs);
    else if (a->openmp_results > 1)
        printf("OpenMP's reduction gave %d different results in %d runs at 1, 2, 3, 4 and 8 "
               "threads;\n",
               a->openmp_results, runs);
    if (a->samesum_results == 1)
        puts("each level of samesum gave the same bits at 1, 2, 3, 4 and 8 threads.");
    else
        puts("samesum's bits DIFFER: this is a fault, please report it.");
}

void audit_print_text(const struct audit *a)
{
    print_data(a);
    putchar('\n');
    print_table(a);
    putchar('\n');
    if (a->n == 0)
        puts("Verdict: there is nothing to add; the sum of nothing is 0.");
    else if (a->nonfinite.count)
        puts("Verdict: the data hold values that are not finite, so every sum is NaN or infinite.");
    else if (!a->finite)
        puts("Verdict: the true sum overflows the type of the data; mean --accuracy exact is not "
             "affected.");
    else
        print_serial(a);
    print_spread(a);
    print_threads(a);
}
