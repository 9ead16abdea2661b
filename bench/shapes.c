/* shapes.c - the section on shapes: rows and axes, strides, masks and missing values, segments. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include "arrays.h"
#include "goals.h"

static const bench_asked information = {0};

/* f32, reduced along one axis; the first extent is what fits. */
typedef struct axis_case {
    int dims;
    size_t inner[2]; /* the other extents */
    int axis;
    bool asked;
} axis_case;

static const axis_case axis_cases[] = {
    {2, {16384}, 1, true}, /* rows of 16384 */
    {2, {1024}, 1, true},  {2, {128}, 1, true},        {2, {16384}, 0, true},
    {2, {256}, 0, false},  {3, {512, 1024}, 1, false}, {3, {720, 728}, 0, false}, /* maps */
};

static bool axis(const bench_setup *setup, const axis_case *c, size_t bytes)
{
    size_t inner = c->inner[0] * (c->dims == 3 ? c->inner[1] : 1);
    size_t shape[3] = {bytes / sizeof(float) / inner, c->inner[0], c->inner[1]};
    if (shape[0] == 0)
        return true;
    bench_array a = {
        .array = {.x = setup->mem, .type = SAMESUM_F32, .dims = c->dims, .shape = shape},
        .axis = c->axis};
    bench_call call = {.x = setup->mem,
                       .n = shape[0] * inner,
                       .threads = setup->threads,
                       .op = SAMESUM_SUM,
                       .type = SAMESUM_F32};
    printf("shape (%zu, %zu", shape[0], shape[1]);
    printf(c->dims == 3 ? ", %zu), " : "), ", shape[2]);
    printf("axis %d: %zu sums of %zu\n", c->axis, call.n / shape[c->axis], shape[c->axis]);
    bench_asked asked = {BENCH_AXIS_MUST, BENCH_AXIS_AIM, false};
    return bench_axis_table(setup, &call, &a, c->asked ? asked : information);
}

/* A table of one dimension. */
static bool one_dimension(const bench_setup *setup, samesum_array array, size_t n, size_t stride,
                          size_t bytes, bench_asked asked)
{
    ptrdiff_t step = (ptrdiff_t)(stride * samesum_element_size(array.type));
    array.x = setup->mem;
    array.dims = 1;
    array.shape = &n;
    array.strides = stride > 1 ? &step : NULL;
    bench_array a = {.array = array};
    bench_call call = {.x = setup->mem,
                       .n = n,
                       .threads = setup->threads,
                       .op = SAMESUM_SUM,
                       .type = array.type,
                       .stride = stride,
                       .bytes = bytes};
    return bench_array_table(setup, &call, &a, asked);
}

static bool strided(const bench_setup *setup, samesum_type type, size_t bytes)
{
    bench_asked asked = {BENCH_STRIDE_MUST, 0, false};
    printf("stride 2; GB/s counts the gaps, the read is one with that stride\n");
    return one_dimension(setup, (samesum_array){.type = type},
                         bytes / samesum_element_size(type) / 2, 2, bytes, asked);
}

/* x, and right after it a mask of random bytes; the read covers both. */
static bool masked(const bench_setup *setup, size_t bytes)
{
    size_t n = bytes / (sizeof(float) + 1);
    unsigned char *mask = setup->mem + n * sizeof(float);
    for (size_t i = 0; i < n; i++)
        mask[i] = (unsigned char)(bench_random(i) & 1);
    printf("a byte mask, half of it set; the read covers elements and mask\n");
    samesum_array array = {.type = SAMESUM_F32, .mask_kind = SAMESUM_MASK_BYTES, .mask = mask};
    return one_dimension(setup, array, n, 1, bytes, information);
}

static bool missing(const bench_setup *setup, size_t bytes)
{
    const double value = -1e34;
    float *x = (float *)(void *)setup->mem;
    size_t n = bytes / sizeof *x;
    for (size_t i = 0; i < n; i++)
        if (bench_random(i) % 4 == 0)
            x[i] = (float)value;
    printf("one in four elements is the missing value\n");
    samesum_array array = {
        .type = SAMESUM_F32, .missing = SAMESUM_MISSING_VALUE, .missing_value = value};
    return one_dimension(setup, array, n, 1, bytes, information);
}

/* Segments of 1 to 2000 elements that fill the array. */
static bool segments(const bench_setup *setup, size_t bytes)
{
    enum { LONGEST = 2000 };
    size_t n = bytes / sizeof(float), count = 0, end = 0;
    for (; end < n; count++)
        end += 1 + bench_random(count) % LONGEST;
    size_t *offsets = malloc((count + 1) * sizeof *offsets);
    if (!offsets) {
        printf("no memory for offsets\n");
        return false;
    }
    offsets[0] = 0;
    for (size_t i = 0; i < count; i++)
        offsets[i + 1] = offsets[i] + 1 + bench_random(i) % LONGEST;
    offsets[count] = n;
    printf("%zu segments of 1 to %d elements, at random\n", count, LONGEST);
    bench_array a = {.array = {.x = setup->mem, .type = SAMESUM_F32, .dims = 1, .shape = &n},
                     .offsets = offsets,
                     .segments = count};
    bench_call call = {
        .x = setup->mem, .n = n, .threads = setup->threads, .op = SAMESUM_SUM, .type = SAMESUM_F32};
    bool ok = bench_array_table(setup, &call, &a, information);
    free(offsets);
    return ok;
}

bool bench_shapes(const bench_setup *setup, size_t bytes)
{
    bool ok = true;
    printf("---- shapes: %zu KiB of elements\n", bytes / 1024);
    bench_print_head("ratio");
    bench_fill(setup->mem, bytes, SAMESUM_F32, setup->threads);
    for (size_t i = 0; i < sizeof axis_cases / sizeof *axis_cases; i++)
        ok &= axis(setup, &axis_cases[i], bytes);
    ok &= strided(setup, SAMESUM_F32, bytes);
    ok &= segments(setup, bytes);
    ok &= masked(setup, bytes);
    bench_fill(setup->mem, bytes, SAMESUM_F32, setup->threads);
    ok &= missing(setup, bytes);
    bench_fill(setup->mem, bytes, SAMESUM_F64, setup->threads);
    return ok & strided(setup, SAMESUM_F64, bytes);
}
