/* suite_vectors.c - every golden value of tests/vectors/golden.txt on the device. */
#include "cuda_suites.h"
#include "device.h"
#include "golden.h"
#include "support.h"

static void *device_x, *device_y;
static size_t most;

static void visit(const struct golden *line, const void *x, const void *y)
{
    if (line->made) {
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaMemcpy(device_x, x, most * sizeof(double), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(device_y, y, most * sizeof(double), cudaMemcpyHostToDevice));
    }
    const struct cell *cell = &line->cell;
    samesum_data data = {.x = device_x, .n = line->n, .type = cell->type};
    data.y = cell_pairs(cell) ? device_y : NULL;
    samesum_array array = {
        .x = device_x, .type = cell->type, .dims = 1, .shape = &line->n, .weights = device_y};
    struct device_call call = {0};
    if (cell->weighted) {
        call.array = &array;
    } else {
        call.data = &data;
    }
    batch_call(call, cell, line->expected, line->n, recipe_name(line->recipe));
}

START_TEST(golden_values)
{
    most = by_depth(0, 2000, GOLDEN_MOST);
    CUDA(cudaMalloc(&device_x, most * sizeof(double)));
    CUDA(cudaMalloc(&device_y, most * sizeof(double)));
    golden_each(golden_path, most, (int)by_depth(0, 40, 1), visit);
    batch_end();
    CUDA(cudaFree(device_x));
    CUDA(cudaFree(device_y));
    all_were_same();
}
END_TEST

Suite *suite_cuda_vectors(void)
{
    TCase *tests;
    Suite *suite = new_suite("vectors", &tests);
    tcase_add_test(tests, golden_values);
    return suite;
}
