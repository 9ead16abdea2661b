/* arrays.c - a table of the reduction of a shaped array. */
#include "arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

samesum_status bench_run_array(const bench_call *call, double *result)
{
    const bench_array *a = call->array;
    const samesum_array *array = &a->array;
    samesum_want want = {.op = call->op, .level = call->level, .threads = call->threads};
    *result = 0;
    if (a->offsets)
        return samesum_reduce_segments(array, a->offsets, a->segments, &want, a->results, NULL,
                                       NULL);
    if (array->dims > 1 || array->strides || array->mask || array->missing)
        return samesum_reduce_array(array, &a->axis, 1, &want, a->results, NULL, NULL);
    samesum_data data = {.x = array->x, .y = array->y, .n = call->n, .type = array->type};
    return samesum_reduce(&data, &want, a->results, NULL);
}

/* Room for the results; false where there is none, with a message. */
static bool prepare(const bench_call *call, bench_array *a)
{
    samesum_want want = {.op = call->op};
    size_t count = a->segments;
    samesum_status status =
        a->offsets ? SAMESUM_OK : samesum_array_results(&a->array, &a->axis, 1, &count);
    a->results = status < 0 ? NULL : malloc(count * samesum_result_bytes(&want, call->type) + 1);
    if (!a->results)
        printf("samesum: %s\n", status < 0 ? samesum_strerror(status) : "no memory for results");
    return a->results != NULL;
}

static bool row(const bench_setup *setup, const bench_candidate *read, const bench_call *call,
                const char *name, bench_asked asked)
{
    double nothing;
    samesum_status status = bench_run_array(call, &nothing);
    bench_print_what(call, name);
    if (status < 0) {
        printf("  %s\n", samesum_strerror(status));
        return false;
    }
    if (!bench_check(call)) {
        printf("  not measured: the same elements in one dimension give other bits\n");
        return false;
    }
    bench_candidate c = bench_calibrated(bench_run_array, call);
    double ratio = bench_print_ratio(read, &c, setup->pairs).median;
    if (call->level == SAMESUM_TREE || !asked.tree_only) {
        bench_print_goal("must", asked.must, ratio);
        bench_print_goal("aim", asked.aim, ratio);
    }
    bench_end_row();
    return true;
}

static void numpy_row(const bench_setup *setup, const bench_candidate *read, const bench_call *call)
{
    const bench_array *a = call->array;
    char shape[100] = "", name[40];
    for (int d = 0; d < a->array.dims; d++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), d ? ",%zu" : "%zu",
                 a->array.shape[d]);
    if (!bench_numpy_start(shape, a->axis))
        return;
    const char *about = bench_numpy_about();
    snprintf(name, sizeof name, "%.*s sum(%d)", (int)strcspn(about, ":"), about, a->axis);
    bench_call one = *call;
    one.threads = 1;
    bench_candidate base = *read, c = bench_calibrated(bench_numpy_axis, &one);
    bench_print_what(&one, name);
    base.settle = c.settle = true; /* the other process needs the core that our threads spin on */
    bench_print_ratio(&base, &c, setup->pairs);
    double nothing;
    if (bench_numpy_axis(&one, &nothing) < 0)
        printf("  worth nothing: the process ended");
    bench_end_row();
    bench_numpy_stop();
}

static bool table(const bench_setup *setup, const bench_call *call, bench_array *a,
                  bench_asked asked, bool numpy)
{
    if (!prepare(call, a))
        return false;
    bench_call one = *call;
    one.array = a;
    bench_candidate read = bench_print_read(&one);
    one.level = SAMESUM_TREE;
    bool ok = row(setup, &read, &one, "samesum tree", asked);
    one.level = SAMESUM_COMPENSATED;
    ok &= row(setup, &read, &one, "samesum compensated", asked);
    if (numpy)
        numpy_row(setup, &read, &one);
    putchar('\n');
    free(a->results);
    return ok;
}

bool bench_array_table(const bench_setup *setup, const bench_call *call, bench_array *array,
                       bench_asked asked)
{
    return table(setup, call, array, asked, false);
}

bool bench_axis_table(const bench_setup *setup, const bench_call *call, bench_array *array,
                      bench_asked asked)
{
    return table(setup, call, array, asked, true);
}
