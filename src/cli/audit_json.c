/* audit_json.c - an audit for programs. Numbers that may be NaN or infinite are strings or null. */
#include "audit.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* "name": 1.5, or null for what is not finite. */
static void print_number(const char *name, double v)
{
    char text[VALUE_TEXT];
    value_decimal(value_f64(v), text);
    printf("\"%s\": %s", name, isfinite(v) ? text : "null");
}

static void print_kind(const char *name, const struct nonfinite *kind)
{
    printf("\"%s\": {\"count\": %" PRIu64 ", \"first\": ", name, kind->count);
    if (kind->count)
        printf("%" PRIu64 "}", kind->first);
    else
        fputs("null}", stdout);
}

static void print_value(struct value v)
{
    char decimal[VALUE_TEXT], hex[VALUE_TEXT], bits[VALUE_TEXT];
    value_decimal(v, decimal);
    value_hex(v, hex);
    value_bits(v, bits);
    printf("\"result_type\": \"%s\", \"value\": \"%s\", \"hex\": \"%s\", \"bits\": \"%s\"",
           dtype_row(v.type)->name, decimal, hex, bits);
}

void audit_print_json(const struct audit *a)
{
    fputs("{\"file\": ", stdout);
    json_string(a->file);
    printf(", \"dtype\": \"%s\", \"n\": %" PRIu64 ", \"shape\": [", dtype_row(a->dtype)->name,
           a->n);
    for (int i = 0; i < a->shape.dimensions; i++)
        printf("%s%" PRIu64, i ? ", " : "", a->shape.extent[i]);
    fputs("],\n ", stdout);
    print_kind("nonfinite", &a->nonfinite);
    fputs(", ", stdout);
    print_kind("nan", &a->nan);
    fputs(", ", stdout);
    print_kind("inf", &a->plus_inf);
    fputs(", ", stdout);
    print_kind("minus_inf", &a->minus_inf);
    fputs(",\n ", stdout);
    print_number("min", a->min);
    fputs(", ", stdout);
    print_number("max", a->max);
    fputs(", ", stdout);
    print_number("mean", a->truth.mean);
    fputs(", ", stdout);
    print_number("std", a->truth.std);
    fputs(", ", stdout);
    print_number("sum_abs", a->truth.sum_abs);
    fputs(", ", stdout);
    print_number("condition", a->condition);
    fputs(", ", stdout);
    print_number("serial_bound", a->serial_bound);
    fputs(", ", stdout);
    print_number("tree_bound", a->tree_bound);
    fputs(",\n \"truth\": {", stdout);
    print_value(value_f64(a->truth.high));
    fputs("},\n \"results\": [", stdout);
    for (int i = 0; i < a->row_count; i++) {
        const struct audit_row *row = &a->rows[i];
        printf("%s\n  {\"method\": \"%s\", ", i ? "," : "", row->method);
        print_value(row->value);
        fputs(", ", stdout);
        print_number("error", row->error);
        fputs(", ", stdout);
        print_number("ulps", row->ulps);
        fputs(", ", stdout);
        print_number("relative", row->relative);
        putchar('}');
    }
    printf("],\n \"serial\": {\"grade\": \"%s\", ", a->grade);
    print_number("mean", a->serial_mean);
    printf(", \"outside_range\": %s, \"beyond_tree_bound\": %s},\n \"openmp_results\": %d, "
           "\"samesum_results\": %d, "
           "\"arithmetic\": %d}\n",
           a->outside ? "true" : "false", a->beyond ? "true" : "false", a->openmp_results,
           a->samesum_results, samesum_arithmetic_version());
}
