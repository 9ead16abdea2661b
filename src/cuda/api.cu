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
    const ss_cuda_sink sink = ss_cuda_sink_of(want, c.array->type, *c.out);
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
        st = ss_cuda_check_out(*c.out, sink, c.rows.results);
    if (st == SAMESUM_OK && c.offsets && c.rows.results > 0)
        st = ss_cuda_check_pointer(c.offsets, sizeof *c.offsets);
    if (st == SAMESUM_OK && *c.workspace_bytes < plan.bytes)
        st = SAMESUM_ERR_SIZE;
    if (st != SAMESUM_OK)
        return st;
    if (ss_plan_launch(plan, c.workspace, c.stream) != cudaSuccess)
        return SAMESUM_ERR_CUDA;
    return c.offsets || c.rows.results == 0 ? SAMESUM_OK : ss_cuda_status_of(want, c.rows.n);
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

samesum_status samesum_cuda_reduce(const samesum_data *data, const samesum_want *want,
                                   const samesum_cuda_out *out, void *workspace,
                                   size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!data || !want)
        return SAMESUM_ERR_NULL;
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
