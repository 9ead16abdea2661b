/* suite_graphs.c - calls captured into graphs: replayed, and replayed with other elements. */
#include "cuda_suites.h"
#include "device.h"
#include "elements.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cudaGraphExec_t captured(const struct device_call *call)
{
    size_t bytes = 0;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    ck_assert_int_ge(device_launch(call, NULL, &bytes, NULL), 0);
    void *workspace = scratch(bytes);
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    samesum_status status = device_launch(call, workspace, &bytes, stream);
    CUDA(cudaStreamEndCapture(stream, &graph));
    ck_assert_msg(status >= 0, "under capture: %s", samesum_strerror(status));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
    return exec;
}

/* Launches the graph once and compares what it writes. */
static void replay(cudaGraphExec_t exec, const struct cell *cell, const samesum_array *host,
                   const int *axes, int axis_count, void *results, const char *name)
{
    struct answer expected = cpu_answer(cell, host, axes, axis_count);
    size_t bytes = expected.results * expected.bytes;
    char *got = malloc(bytes + 1);
    ck_assert_ptr_nonnull(got);
    CUDA(cudaMemset(results, 0x5a, bytes));
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaGraphLaunch(exec, NULL));
    device_get(got, results, bytes);
    for (size_t r = 0; r < expected.results; r++) {
        count_bits(compare_values(cell, got + r * expected.bytes,
                                  expected.values + r * expected.bytes, expected.bytes,
                                  host->shape[host->dims - 1], SAMESUM_BACKEND_CUDA, 0, name));
    }
    free(got);
    answer_free(&expected);
}

/* Captures one reduction of an array without strides; replays it, changes its elements to those of
 * the other arrays in turn, and replays each time twice. */
static void graph_of(const struct cell *cell, samesum_array host, const int *axes, int axis_count,
                     void *const *versions, int count, const char *name)
{
    size_t elements = 1, results = 0;
    for (int d = 0; d < host.dims; d++) {
        elements *= host.shape[d];
    }
    size_t bytes = elements * element_bytes(host.type);
    host.x = versions[0];
    host.y = cell_pairs(cell) ? versions[count - 1] : NULL;
    samesum_array array = host;
    char *x = scratch_copy(host.x, bytes);
    array.x = x;
    array.y = host.y ? scratch_copy(host.y, bytes) : NULL;
    ck_assert_int_eq(samesum_array_results(&host, axes, axis_count, &results), SAMESUM_OK);
    struct device_call call = {.array = &array,
                               .axes = axes,
                               .axis_count = axis_count,
                               .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0)};
    call.out.results = scratch(results * result_bytes(cell));
    cudaGraphExec_t exec = captured(&call);
    for (int v = 0; v < count; v++) {
        host.x = versions[v];
        CUDA(cudaMemcpy(x, host.x, bytes, cudaMemcpyHostToDevice));
        replay(exec, cell, &host, axes, axis_count, call.out.results, name);
        replay(exec, cell, &host, axes, axis_count, call.out.results, name);
    }
    CUDA(cudaGraphExecDestroy(exec));
    scratch_end();
}

/* The sum of 1 to 6, with an element changed between replays. */
START_TEST(one_to_six)
{
    for (int type = SAMESUM_F64; type <= SAMESUM_BF16; type++) {
        for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
            struct cell cell = cell_of(SAMESUM_SUM, (samesum_type)type, (samesum_level)level);
            size_t six = 6;
            char first[6 * 8], second[6 * 8];
            void *versions[] = {first, second};
            for (int i = 0; i < 6; i++) {
                size_t at = (size_t)i * element_bytes(cell.type);
                store_part(cell.type, first + at, 0, i + 1);
                store_part(cell.type, second + at, 0, i == 3 ? 100 : i + 1);
            }
            samesum_array host = {.type = cell.type, .dims = 1, .shape = &six};
            graph_of(&cell, host, NULL, 0, versions, 2, "1 to 6");
            double result[2] = {0};
            samesum_want want = cell_want(&cell, SAMESUM_BACKEND_AUTO, 1);
            host.x = second;
            ck_assert_int_eq(samesum_reduce_array(&host, NULL, 0, &want, result, NULL, NULL), 0);
            bool wide = cell.type == SAMESUM_F64 || cell.type == SAMESUM_F32_WIDE;
            ck_assert(bits_of(cell.type, result) ==
                      (wide ? bits_of_double(117) : bits_of_float(117)));
        }
    }
    all_were_same();
}
END_TEST

/* Elements made in three styles: near, special values, and ones whose squares overflow, so that
 * nrm2 has to rescale in one replay and not in another. */
static void three_versions(samesum_type type, size_t n, void *versions[3])
{
    static const enum style styles[] = {STYLE_NEAR, STYLE_SPECIAL, STYLE_HUGE};
    for (int v = 0; v < 3; v++) {
        versions[v] = malloc(n * element_bytes(type));
        ck_assert_ptr_nonnull(versions[v]);
        fill_elements(type, styles[v], n, versions[v]);
    }
}

START_TEST(every_operation)
{
    static const size_t lengths[] = {777, 70001};
    struct cell cell;
    for (size_t l = 0; l < by_depth(0, 1, 2); l++) {
        for (int i = -1; next_cell(&i, &cell);) {
            size_t n = lengths[l];
            void *versions[3];
            three_versions(cell.type, n, versions);
            samesum_array host = {.type = cell.type, .dims = 1, .shape = &n};
            graph_of(&cell, host, NULL, 0, versions, 3, "graph");
            for (int v = 0; v < 3; v++) {
                free(versions[v]);
            }
        }
    }
    all_were_same();
}
END_TEST

START_TEST(rows_and_columns)
{
    size_t shape[2] = {41, 515};
    struct cell cell;
    for (int i = -1; next_cell(&i, &cell);) {
        void *versions[3];
        three_versions(cell.type, shape[0] * shape[1], versions);
        samesum_array host = {.type = cell.type, .dims = 2, .shape = shape};
        for (int axis = 0; axis < 2; axis++) {
            graph_of(&cell, host, &axis, 1, versions, 3,
                     axis ? "graph of rows" : "graph of columns");
        }
        for (int v = 0; v < 3; v++) {
            free(versions[v]);
        }
    }
    all_were_same();
}
END_TEST

/* 5 * 2^1020 and 5 * 2^-1060, then 5. */
START_TEST(nrm2_rescales)
{
    for (int level = SAMESUM_TREE; level <= SAMESUM_EXACT; level++) {
        struct cell cell = cell_of(SAMESUM_NRM2, SAMESUM_F64, (samesum_level)level);
        size_t two = 2;
        double large[] = {ldexp(3, 1020), ldexp(4, 1020)},
               small[] = {ldexp(3, -1060), ldexp(4, -1060)};
        double plain[] = {3, 4};
        void *versions[] = {large, small, plain, large};
        samesum_array host = {.type = cell.type, .dims = 1, .shape = &two};
        graph_of(&cell, host, NULL, 0, versions, 4, "nrm2 in a graph");
    }
    all_were_same();
}
END_TEST

Suite *suite_cuda_graphs(void)
{
    TCase *tests;
    Suite *suite = new_suite("graphs", &tests);
    tcase_add_test(tests, one_to_six);
    tcase_add_test(tests, nrm2_rescales);
    if (depth == DEPTH_FULL) {
        tcase_add_test(tests, every_operation);
        tcase_add_test(tests, rows_and_columns);
    }
    return suite;
}
