/* The calls of samesum_cuda.h that launch reductions. */
#include "cuda/check.h"

/* One call: what was asked for, and what it is made of. */
struct call {
    const samesum_array *array;
    const size_t *offsets; /* of segments, or NULL */
    const samesum_want *want;
    const samesum_cuda_out *out;
    void *workspace;
    size_t *workspace_bytes;
    cudaStream_t stream;
    ss_rows rows;
};

static ss_cuda_sink sink_of(const samesum_want *want, samesum_type type,
                            const samesum_cuda_out *out)
{
    const ss_format format = ss_result_format(type, want->result);
    ss_cuda_sink sink;
    sink.results = (char *)out->results;
    sink.copies = out->copies > 1 ? out->copies : 1;
    sink.copy_bytes = out->copy_bytes;
    sink.format = (ss_cuda_format)format;
    sink.bytes = ss_is_index(want->op) ? 8 : ss_format_of(format).bytes;
    sink.numbers = ss_is_index(want->op) ? 1 : ss_result_numbers(want, type);
    return sink;
}

/* What the shape alone tells: SAMESUM_NO_VALUE, or SAMESUM_ERR_EMPTY (samesum_cuda.h). */
static samesum_status of_shape(const call &c, const samesum_want &want)
{
    uint64_t least = ss_is_index(want.op) || want.op == SAMESUM_MEAN || want.op >= SAMESUM_MIN ? 1
                     : want.op == SAMESUM_VAR || want.op == SAMESUM_STD ? (uint64_t)want.ddof + 1
                                                                        : 0;
    if (c.rows.results == 0 || c.offsets || c.rows.n >= least)
        return SAMESUM_OK;
    return ss_is_index(want.op) ? SAMESUM_ERR_EMPTY : SAMESUM_NO_VALUE;
}

static samesum_status check_results(const ss_cuda_sink &sink)
{
    if (sink.copies > 1 && sink.copy_bytes % (size_t)sink.bytes != 0)
        return SAMESUM_ERR_POINTER;
    return ss_cuda_check_pointer(sink.results, (size_t)sink.bytes);
}

static samesum_status check_out(const call &c, const ss_cuda_sink &sink)
{
    samesum_status st = SAMESUM_OK;
    if (c.rows.results == 0)
        return SAMESUM_OK;
    st = check_results(sink);
    if (st == SAMESUM_OK && c.out->counts)
        st = ss_cuda_check_pointer(c.out->counts, sizeof(uint64_t));
    if (st == SAMESUM_OK && c.offsets)
        st = ss_cuda_check_pointer(c.offsets, sizeof *c.offsets);
    return st;
}

/* rows have been split. */
static samesum_status run(const call &c)
{
    samesum_want want;
    ss_job job;
    ss_plan plan;
    samesum_status st = ss_cuda_job_want(c.want, c.array->type, &want);
    if (st == SAMESUM_OK)
        st = ss_cuda_job(c.array, &c.rows, &want, &job);
    if (st == SAMESUM_OK)
        st = samesum_cuda_status(NULL);
    if (st != SAMESUM_OK)
        return st;
    const ss_cuda_sink sink = sink_of(&want, c.array->type, c.out);
    st = ss_plan_make(plan, job, c.rows, c.offsets, sink, c.out->counts);
    if (st != SAMESUM_OK)
        return st;
    ss_plan_place(plan, (char *)c.workspace);
    if (!c.workspace) {
        *c.workspace_bytes = plan.bytes;
        return SAMESUM_OK;
    }
    if (c.rows.results > 0 && !c.out->results)
        return SAMESUM_ERR_NULL;
    st = ss_cuda_check_pointer(c.workspace, 256);
    if (st == SAMESUM_OK)
        st = ss_cuda_check_view(plan.whole);
    if (st == SAMESUM_OK)
        st = check_out(c, sink);
    if (st == SAMESUM_OK && *c.workspace_bytes < plan.bytes)
        st = SAMESUM_ERR_SIZE;
    if (st != SAMESUM_OK)
        return st;
    return ss_plan_launch(plan, c.workspace, c.stream) == cudaSuccess ? of_shape(c, want)
                                                                      : SAMESUM_ERR_CUDA;
}

samesum_status samesum_cuda_reduce_array(const samesum_array *array, const int *axes,
                                         int axis_count, const samesum_want *want,
                                         const samesum_cuda_out *out, void *workspace,
                                         size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!array || !want || !out || !workspace_bytes)
        return SAMESUM_ERR_NULL;
    call c = {array, NULL, want, out, workspace, workspace_bytes, stream, {}};
    samesum_status st = ss_cuda_job_split(array, axes, axis_count, &c.rows);
    return st == SAMESUM_OK ? run(c) : st;
}

samesum_status samesum_cuda_reduce_segments(const samesum_array *array, const size_t *offsets,
                                            size_t segments, const samesum_want *want,
                                            const samesum_cuda_out *out, void *workspace,
                                            size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!array || !offsets || !want || !out || !workspace_bytes)
        return SAMESUM_ERR_NULL;
    if (array->dims != 1)
        return SAMESUM_ERR_SHAPE;
    call c = {array, offsets, want, out, workspace, workspace_bytes, stream, {}};
    samesum_status st = ss_cuda_job_split(array, NULL, 0, &c.rows);
    if (st != SAMESUM_OK)
        return st;
    c.rows.results = segments;
    return run(c);
}

/* Whether it is a call for ss_flat, without a fault, and was launched. */
static bool was_flat(const samesum_data &data, const samesum_want &asked,
                     const samesum_cuda_out &out, void *workspace, size_t workspace_bytes,
                     cudaStream_t stream)
{
    samesum_want want;
    ss_flat flat;
    int device;
    const bool one_sum = asked.op <= SAMESUM_DOT || asked.op == SAMESUM_MEAN;
    if (!one_sum || asked.level >= SAMESUM_EXACT || data.n == 0 || data.n > PTRDIFF_MAX / 16 ||
        out.counts || ss_cuda_job_want(&asked, data.type, &want) != SAMESUM_OK ||
        ss_is_complex(data.type) || ss_cuda_device(&device, NULL) != SAMESUM_OK)
        return false;
    const size_t align = samesum_element_size(data.type);
    const ss_cuda_sink sink = sink_of(&want, data.type, &out);
    return ss_flat_make(flat, data, want, sink, device, (char *)workspace) == SAMESUM_OK &&
           workspace_bytes >= flat.bytes && ss_cuda_check_pointer(workspace, 256) == SAMESUM_OK &&
           ss_cuda_check_pointer(data.x, align) == SAMESUM_OK &&
           (want.op != SAMESUM_DOT || ss_cuda_check_pointer(data.y, align) == SAMESUM_OK) &&
           check_results(sink) == SAMESUM_OK && ss_flat_launch(flat, stream) == cudaSuccess;
}

samesum_status samesum_cuda_reduce(const samesum_data *data, const samesum_want *want,
                                   const samesum_cuda_out *out, void *workspace,
                                   size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!data || !want)
        return SAMESUM_ERR_NULL;
    if (out && workspace && workspace_bytes &&
        was_flat(*data, *want, *out, workspace, *workspace_bytes, stream))
        return SAMESUM_OK;
    size_t shape[1] = {data->n};
    samesum_array array = {};
    array.x = data->x;
    array.y = want->op == SAMESUM_DOT ? data->y : NULL;
    array.type = data->type;
    array.dims = 1;
    array.shape = shape;
    return samesum_cuda_reduce_array(&array, NULL, 0, want, out, workspace, workspace_bytes,
                                     stream);
}
