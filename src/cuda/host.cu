/* samesum_cuda_reduce_host(): checks, and which way the data go.
 *
 * A single row whose operation has states goes chunk by chunk, whatever its size. Other arrays go
 * to the device as a whole; where they do not fit, they are halved along the outermost axis that is
 * not reduced, until single rows are left. None of this changes a bit (SPEC.md, sections 1 and 7).
 */
#include <algorithm>
#include <memory>
#include <new>

#include <cstdlib>
#include <unistd.h>

#include "cuda/host.cuh"

namespace
{

/* ---- arguments --------------------------------------------------------------------------------
 */

/* What samesum_reduce_array() says of the same arguments, which it gets without elements. */
samesum_status check(const samesum_array *array, const int *axes, int axis_count,
                     const samesum_want *want, const void *results, size_t *rows)
{
    if (!want)
        return SAMESUM_ERR_NULL;
    samesum_status st = samesum_array_results(array, axes, axis_count, rows);
    if (st != SAMESUM_OK)
        return st;
    if (want->backend != SAMESUM_BACKEND_AUTO && want->backend != SAMESUM_BACKEND_CUDA)
        return SAMESUM_ERR_BACKEND;
    const size_t none = 0;
    samesum_array empty = *array;
    empty.dims = 1;
    empty.shape = &none;
    empty.strides = empty.y_strides = empty.weights_strides = empty.mask_strides = nullptr;
    samesum_want any = *want;
    any.backend = SAMESUM_BACKEND_SCALAR;
    double unused[2];
    st = samesum_reduce_array(&empty, nullptr, 0, &any, unused, nullptr, nullptr);
    if (st < 0 && st != SAMESUM_ERR_EMPTY)
        return st;
    uint64_t elements = 1;
    for (int k = 0; k < array->dims; k++)
        elements *= array->shape[k];
    if (elements > 0 && (!array->x || (want->op == SAMESUM_DOT && !array->y) ||
                         (array->mask_kind != SAMESUM_MASK_NONE && !array->mask)))
        return SAMESUM_ERR_NULL;
    return *rows > 0 && !results ? SAMESUM_ERR_NULL : SAMESUM_OK;
}

int has_states(const samesum_array *array, const samesum_want *want)
{
    switch (want->op) {
    case SAMESUM_ARGMIN:
    case SAMESUM_ARGMAX:
        return 0;
    case SAMESUM_NRM2:
    case SAMESUM_VAR:
    case SAMESUM_STD:
        return want->level == SAMESUM_EXACT;
    default:
        return !array->weights;
    }
}

/* A number from the environment; 0 where there is none. */
size_t setting(const char *name)
{
    const char *text = getenv(name);
    return text ? (size_t)strtoull(text, nullptr, 10) : 0;
}

samesum_status start(ss_host_call *call, const samesum_array *array, const int *axes,
                     int axis_count, const samesum_want *want)
{
    call->want = want;
    call->axes = axes;
    call->axis_count = axis_count;
    for (int k = 0; k < array->dims; k++)
        call->kept[k] = axis_count > 0;
    for (int i = 0; i < axis_count; i++)
        call->kept[axes[i] < 0 ? axes[i] + array->dims : axes[i]] = 0;
    call->states = has_states(array, want);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    call->threads = want->threads > 0 ? want->threads : (int)std::min(cores, 8L);
    call->chunk = setting("SAMESUM_CUDA_CHUNK");
    call->result_bytes = samesum_result_bytes(want, array->type);
    size_t free_bytes = 0, all_bytes = 0;
    samesum_status st = ss_cuda_said(cudaMemGetInfo(&free_bytes, &all_bytes));
    call->budget = free_bytes - free_bytes / 16; /* the rest for workspaces */
    const size_t limit = setting("SAMESUM_CUDA_MEMORY");
    if (limit > 0)
        call->budget = std::min(call->budget, limit);
    return st;
}

/* ---- statuses ---------------------------------------------------------------------------------
 */

samesum_status worse(samesum_status a, samesum_status b)
{
    if (a < 0 || b < 0)
        return a < 0 && a != SAMESUM_ERR_EMPTY ? a : b < 0 ? b : a;
    return a == SAMESUM_OK ? b : a;
}

/* The elements that a result needs at least. */
uint64_t least(const samesum_want *want)
{
    switch (want->op) {
    case SAMESUM_VAR:
    case SAMESUM_STD:
        return (uint64_t)want->ddof + 1;
    case SAMESUM_MEAN:
    case SAMESUM_MIN:
    case SAMESUM_MAX:
    case SAMESUM_MINMAX:
    case SAMESUM_ARGMIN:
    case SAMESUM_ARGMAX:
        return 1;
    default:
        return 0;
    }
}

/* The device does not tell which rows lack elements because of a mask. */
samesum_status status_of(const samesum_want *want, const samesum_counts *counts, size_t rows)
{
    const bool index = want->op == SAMESUM_ARGMIN || want->op == SAMESUM_ARGMAX;
    for (size_t i = 0; i < rows; i++)
        if (counts[i].present < least(want))
            return index ? SAMESUM_ERR_EMPTY : SAMESUM_NO_VALUE;
    return SAMESUM_OK;
}

/* ---- the ways ---------------------------------------------------------------------------------
 */

/* Results that the kept axes make. */
size_t rows_of(const ss_host_call *call, const ss_host_array *h)
{
    size_t rows = 1;
    for (int k = 0; k < h->dims; k++)
        rows *= call->kept[k] ? h->shape[k] : 1;
    return rows;
}

samesum_status whole(ss_host_call *call, const ss_host_array *h, size_t rows, void *results,
                     samesum_counts *counts)
{
    const bool absent = h->operand[SS_MASK].at || h->described.missing != SAMESUM_MISSING_NONE;
    std::unique_ptr<samesum_counts[]> own;
    if (!counts && absent && least(call->want) > 0) {
        own.reset(new (std::nothrow) samesum_counts[rows]);
        if (!own)
            return SAMESUM_ERR_NOMEM;
        counts = own.get();
    }
    const samesum_status st = ss_host_whole(call, h, rows, results, counts);
    if (st != SAMESUM_OK || !counts)
        return st;
    return status_of(call->want, counts, rows);
}

samesum_status reduce(ss_host_call *call, const ss_host_array *h, char *results,
                      samesum_counts *counts)
{
    const size_t rows = rows_of(call, h);
    if (rows == 1 && call->states)
        return ss_host_stream(call, h, results, counts);
    const samesum_status st = whole(call, h, rows, results, counts);
    if (st != SAMESUM_ERR_NOMEM)
        return st;
    int axis = 0;
    while (axis < h->dims && !(call->kept[axis] && h->shape[axis] > 1))
        axis++;
    if (axis == h->dims)
        return SAMESUM_ERR_NOMEM; /* a single row that cannot be cut */
    const size_t extent = h->shape[axis], half = extent / 2, before = rows / extent * half;
    ss_host_array part;
    ss_host_cut(&part, h, axis, 0, half);
    const samesum_status first = reduce(call, &part, results, counts);
    if (first < 0 && first != SAMESUM_ERR_EMPTY)
        return first;
    ss_host_cut(&part, h, axis, half, extent - half);
    return worse(first, reduce(call, &part, results + before * call->result_bytes,
                               counts ? counts + before : nullptr));
}

} // namespace

samesum_status samesum_cuda_reduce_host(const samesum_array *array, const int *axes, int axis_count,
                                        const samesum_want *want, void *results,
                                        samesum_counts *counts)
{
    size_t rows = 0;
    samesum_status st = check(array, axes, axis_count, want, results, &rows);
    if (st == SAMESUM_OK)
        st = samesum_cuda_status(nullptr);
    if (st != SAMESUM_OK)
        return st;
    ss_host_array h;
    ss_host_array_make(&h, array, want);
    if (h.elements == 0) { /* nothing to send: the results of nothing */
        samesum_want any = *want;
        any.backend = SAMESUM_BACKEND_SCALAR;
        return samesum_reduce_array(array, axes, axis_count, &any, results, counts, nullptr);
    }
    ss_host_call call = {};
    st = start(&call, array, axes, axis_count, want);
    return st == SAMESUM_OK ? reduce(&call, &h, (char *)results, counts) : st;
}
