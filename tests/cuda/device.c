#include "device.h"
#include "elements.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cuda_must(cudaError_t error, const char *call, const char *file, int line)
{
    if (error != cudaSuccess) {
        ck_abort_msg("%s:%d: %s: %s", file, line, call, cudaGetErrorString(error));
    }
}

/* ---- memory ---- */

enum { PIECES = 2048, ALIGNMENT = 256, DEVICES = 64 };
static const size_t arena_bytes = (size_t)1 << 28;
static struct arena {
    char *memory;
    size_t used;
} arenas[DEVICES];
static void *pieces[PIECES]; /* allocations of their own */
static int piece_count;

void *scratch(size_t bytes)
{
    int device = 0;
    CUDA(cudaGetDevice(&device));
    struct arena *arena = &arenas[device % DEVICES];
    if (depth == DEPTH_FULL && arena->memory == NULL) {
        CUDA(cudaMalloc((void **)&arena->memory, arena_bytes));
    }
    size_t rounded = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    if (depth == DEPTH_FULL && rounded <= arena_bytes - arena->used) {
        arena->used += rounded;
        return arena->memory + arena->used - rounded;
    }
    ck_assert_int_lt(piece_count, PIECES);
    CUDA(cudaMalloc(&pieces[piece_count], bytes == 0 ? 1 : bytes));
    return pieces[piece_count++];
}

void *scratch_copy(const void *host, size_t bytes)
{
    void *device = scratch(bytes);
    CUDA(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    return device;
}

void scratch_end(void)
{
    for (int i = 0; i < DEVICES; i++) {
        arenas[i].used = 0;
    }
    while (piece_count > 0) {
        CUDA(cudaFree(pieces[--piece_count]));
    }
}

void device_get(void *host, const void *device, size_t bytes)
{
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

static size_t elements_of(const samesum_array *a)
{
    size_t n = 1;
    for (int d = 0; d < a->dims; d++) {
        n *= a->shape[d];
    }
    return n;
}

bool operands_anywhere = true;

/* Copies what an operand spans; unit: of its alignment. */
static const void *operand_on_device(const samesum_array *a, const void *first,
                                     const ptrdiff_t *strides, size_t bytes, size_t unit)
{
    size_t n = elements_of(a), before = 0, behind = n * bytes;
    if (first == NULL) {
        return NULL;
    }
    if (n > 0 && strides != NULL) {
        behind = bytes;
        for (int d = 0; d < a->dims; d++) {
            ptrdiff_t reach = strides[d] * (ptrdiff_t)(a->shape[d] - 1);
            before += reach < 0 ? (size_t)-reach : 0;
            behind += reach > 0 ? (size_t)reach : 0;
        }
    }
    size_t offset = operands_anywhere ? random_below(8) * unit : 0;
    char *block = (char *)scratch(offset + before + behind + unit) + offset;
    CUDA(cudaMemcpy(block, (const char *)first - before, before + behind, cudaMemcpyHostToDevice));
    return block + before;
}

samesum_array array_on_device(const samesum_array *host)
{
    samesum_array a = *host;
    size_t bytes = element_bytes(a.type), unit = part_bytes(a.type);
    a.x = operand_on_device(host, a.x, a.strides, bytes, unit);
    a.y = operand_on_device(host, a.y, a.y_strides, bytes, unit);
    a.weights = operand_on_device(host, a.weights, a.weights_strides, bytes, unit);
    if (a.mask_kind == SAMESUM_MASK_BITS && a.mask != NULL) {
        a.mask = scratch_copy(a.mask, (elements_of(host) + 7) / 8);
    } else {
        a.mask = operand_on_device(host, a.mask, a.mask_strides, 1, 1);
    }
    return a;
}

/* ---- calls ---- */

samesum_status device_launch(const struct device_call *call, void *workspace, size_t *bytes,
                             samesum_cuda_stream stream)
{
    if (call->data != NULL) {
        return samesum_cuda_reduce(call->data, &call->want, &call->out, workspace, bytes, stream);
    }
    if (call->offsets != NULL) {
        return samesum_cuda_reduce_segments(call->array, call->offsets, call->segments, &call->want,
                                            &call->out, workspace, bytes, stream);
    }
    return samesum_cuda_reduce_array(call->array, call->axes, call->axis_count, &call->want,
                                     &call->out, workspace, bytes, stream);
}

/* Fills a workspace, which needs no preparation; not where initcheck is to see what is read. */
static void spoil(void *workspace, size_t bytes)
{
    static const unsigned char with[] = {0xff, 0x00, 0x7f, 0x01, 0x5a};
    if (depth == DEPTH_FULL) {
        CUDA(cudaMemset(workspace, with[random_below(5)], bytes));
    }
}

samesum_status device_run(const struct device_call *call)
{
    size_t bytes = 0;
    samesum_status status = device_launch(call, NULL, &bytes, NULL);
    if (status < 0 && status != SAMESUM_ERR_EMPTY) {
        return status;
    }
    void *workspace = scratch(bytes);
    spoil(workspace, bytes);
    status = device_launch(call, workspace, &bytes, NULL);
    CUDA(cudaDeviceSynchronize());
    return status;
}

void device_state(const samesum_array *host, uint64_t begin, const samesum_want *want, void *image,
                  size_t image_bytes, samesum_counts *counts)
{
    size_t bytes = 0;
    samesum_array chunk = array_on_device(host);
    memset(image, 0x5a, image_bytes);
    void *state = scratch_copy(image, image_bytes);
    samesum_counts *device_counts = counts ? scratch_copy(counts, sizeof *counts) : NULL;
    samesum_status status =
        samesum_cuda_state_reduce(&chunk, begin, want, state, device_counts, NULL, &bytes, NULL);
    ck_assert_msg(status == SAMESUM_OK, "op %d type %d: %s", want->op, host->type,
                  samesum_strerror(status));
    status = samesum_cuda_state_reduce(&chunk, begin, want, state, device_counts, scratch(bytes),
                                       &bytes, NULL);
    ck_assert_msg(status == SAMESUM_OK, "op %d type %d: %s", want->op, host->type,
                  samesum_strerror(status));
    device_get(image, state, image_bytes);
    if (counts != NULL) {
        device_get(counts, device_counts, sizeof *counts);
    }
    scratch_end();
}

/* ---- comparison ---- */

static long bits_compared;

long device_bits(void)
{
    return bits_compared;
}

void count_bits(long more)
{
    bits_compared += more;
}

samesum_status status_by_shape(const struct cell *cell, const samesum_array *array, const int *axes,
                               int axis_count)
{
    bool reduced[SAMESUM_MAX_DIMS] = {false};
    size_t n = 1, results = 1;
    for (int i = 0; i < axis_count; i++) {
        reduced[axes[i] < 0 ? axes[i] + array->dims : axes[i]] = true;
    }
    for (int d = 0; d < array->dims; d++) {
        *(axis_count == 0 || reduced[d] ? &n : &results) *= array->shape[d];
    }
    bool index = cell->op == SAMESUM_ARGMIN || cell->op == SAMESUM_ARGMAX;
    bool deviation = cell->op == SAMESUM_VAR || cell->op == SAMESUM_STD;
    bool few =
        deviation ? n <= cell->ddof : n == 0 && (cell->op == SAMESUM_MEAN || cell_extreme(cell));
    return !few || results == 0 ? SAMESUM_OK : index ? SAMESUM_ERR_EMPTY : SAMESUM_NO_VALUE;
}

size_t number_bytes(const struct cell *cell)
{
    bool two = cell->op == SAMESUM_MINMAX ||
               (is_complex(cell->type) && cell->op != SAMESUM_SUMSQ && cell->op != SAMESUM_NRM2);
    return result_bytes(cell) / (two ? 2 : 1);
}

long device_compare(const struct answer *expected, const struct cell *cell,
                    const samesum_array *host, const int *axes, int axis_count,
                    const size_t *offsets, size_t segments, const char *name)
{
    struct written to = written_make(expected);
    size_t unit = number_bytes(cell);
    samesum_array array = array_on_device(host);
    struct device_call call = {.array = &array,
                               .axes = axes,
                               .axis_count = axis_count,
                               .segments = segments,
                               .want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0)};
    call.offsets = offsets ? scratch_copy(offsets, (segments + 1) * sizeof *offsets) : NULL;
    call.out.results = (char *)scratch(to.results_bytes + 8 * unit) + random_below(8) * unit;
    CUDA(cudaMemcpy(call.out.results, to.results, to.results_bytes, cudaMemcpyHostToDevice));
    call.out.counts = to.with_counts ? scratch_copy(to.counts, to.counts_bytes) : NULL;
    samesum_status status = device_run(&call);
    device_get(to.results, call.out.results, to.results_bytes);
    if (to.with_counts) {
        device_get(to.counts, call.out.counts, to.counts_bytes);
    }
    scratch_end();
    struct answer told = *expected;
    /* offsets are not read by the host */
    told.status = offsets ? SAMESUM_OK : status_by_shape(cell, host, axes, axis_count);
    to.ran.backend = SAMESUM_BACKEND_CUDA;
    long bits = written_judge(&to, status, &told, cell, SAMESUM_BACKEND_CUDA, 0, name);
    count_bits(bits);
    return bits;
}

struct answer cpu_answer(const struct cell *cell, const samesum_array *host, const int *axes,
                         int axis_count)
{
    size_t results = 0;
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, 0);
    ck_assert_int_eq(samesum_array_results(host, axes, axis_count, &results), SAMESUM_OK);
    struct answer answer = answer_make(cell, results);
    answer.status =
        samesum_reduce_array(host, axes, axis_count, &want, answer.values, answer.counts, NULL);
    ck_assert_msg(answer.status >= 0 || answer.status == SAMESUM_ERR_EMPTY, "the CPU refuses: %s",
                  samesum_strerror(answer.status));
    return answer;
}

long device_as_cpu(const struct cell *cell, const samesum_array *host, const int *axes,
                   int axis_count, const char *name)
{
    struct answer expected = cpu_answer(cell, host, axes, axis_count);
    long bits = device_compare(&expected, cell, host, axes, axis_count, NULL, 0, name);
    answer_free(&expected);
    return bits;
}

/* ---- batches ---- */

enum { BATCH = 4096, SLOT = 16 };
static struct {
    struct cell cell;
    char expected[SLOT];
    size_t n;
    const char *name;
} batch[BATCH];
static int batch_used;
static char *batch_results;
static void *batch_workspace;
static size_t batch_workspace_bytes;

/* Calls ordered by one stream may share a workspace. */
static void *shared_workspace(size_t bytes)
{
    if (batch_workspace == NULL || batch_workspace_bytes < bytes) {
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaFree(batch_workspace));
        batch_workspace_bytes = bytes + bytes / 2 + 256;
        CUDA(cudaMalloc(&batch_workspace, batch_workspace_bytes));
        spoil(batch_workspace, batch_workspace_bytes);
    }
    return batch_workspace;
}

void batch_call(struct device_call call, const struct cell *cell, const char *expected, size_t n,
                const char *name)
{
    if (batch_results == NULL) {
        CUDA(cudaMalloc((void **)&batch_results, (size_t)BATCH * SLOT));
    }
    if (batch_used == 0) {
        CUDA(cudaMemset(batch_results, 0x5a, (size_t)BATCH * SLOT));
    }
    size_t bytes = 0;
    samesum_array vector = {.dims = 1, .shape = &n};
    samesum_status due = status_by_shape(cell, &vector, NULL, 0);
    call.want = cell_want(cell, SAMESUM_BACKEND_CUDA, 0);
    call.out = (samesum_cuda_out){.results = batch_results + batch_used * SLOT};
    samesum_status status = device_launch(&call, NULL, &bytes, NULL);
    if (status >= 0 || status == SAMESUM_ERR_EMPTY) {
        status = device_launch(&call, shared_workspace(bytes), &bytes, NULL);
    }
    ck_assert_msg(status == due, "%s %s level %d %s n=%zu: %s, not %s", cell->op_name,
                  cell->type_name, cell->level, name, n, samesum_strerror(status),
                  samesum_strerror(due));
    batch[batch_used].cell = *cell;
    batch[batch_used].n = n;
    batch[batch_used].name = name;
    memcpy(batch[batch_used].expected, expected, result_bytes(cell));
    if (++batch_used == BATCH) {
        batch_end();
    }
}

void batch_vector(const struct cell *cell, const void *x, const void *y, const void *host_x,
                  const void *host_y, size_t n, const char *name)
{
    char expected[SLOT] = {0};
    samesum_want want = cell_want(cell, SAMESUM_BACKEND_AUTO, n < 100000 ? 1 : 0);
    samesum_data data = {.x = host_x, .y = cell_pairs(cell) ? host_y : NULL, .n = n};
    data.type = cell->type;
    samesum_status status = samesum_reduce(&data, &want, expected, NULL);
    if (status == SAMESUM_ERR_EMPTY) {
        memset(expected, 0xff, sizeof(uint64_t));
    }
    data.x = x;
    data.y = cell_pairs(cell) ? y : NULL;
    batch_call((struct device_call){.data = &data}, cell, expected, n, name);
}

void batch_end(void)
{
    static char got[BATCH * SLOT];
    device_get(got, batch_results, (size_t)batch_used * SLOT);
    for (int i = 0; i < batch_used; i++) {
        size_t bytes = result_bytes(&batch[i].cell);
        char behind[SLOT];
        memset(behind, 0x5a, sizeof behind);
        count_bits(compare_values(&batch[i].cell, got + i * SLOT, batch[i].expected, bytes,
                                  batch[i].n, SAMESUM_BACKEND_CUDA, 0, batch[i].name));
        ck_assert_msg(memcmp(behind, got + i * SLOT + bytes, SLOT - bytes) == 0,
                      "%s: writes behind its result", batch[i].name);
    }
    batch_used = 0;
}

/* ---- cells ---- */

struct cell cell_of(samesum_op op, samesum_type type, samesum_level level)
{
    return (struct cell){
        .op_name = "", .type_name = "", .level_name = "", .op = op, .type = type, .level = level};
}

bool next_cell(int *i, struct cell *cell)
{
    while (++*i < CELLS) {
        *cell = cell_at(*i);
        if (!cell->weighted && cell_refusal(cell, NULL) == SAMESUM_OK) {
            return true;
        }
    }
    return false;
}
