/* The state of a range (SPEC.md, section 7), and the result of several. */
#include "cuda/device_state.h"

#include "cuda/check.h"
#include "cuda/join.cuh"
#include "cuda/range.cuh"

/* What is known of a state beforehand. */
struct ss_cuda_state_job {
    ss_cuda_state *state;
    samesum_want want;
    samesum_type type;
    uint64_t begin, end;
};

/* All but what its kernels write. */
__global__ void ss_state_head(const __grid_constant__ ss_cuda_state_job job)
{
    ss_cuda_state *s = job.state;
    s->magic = SS_CUDA_STATE_MAGIC;
    s->want = job.want;
    s->type = job.type;
    s->begin = job.begin;
    s->end = job.end;
}

/* ---- making one --------------------------------------------------------------------------------
 */

static ss_image_form form_of_states()
{
    return ss_image_form_of(SS_CUDA_STATE_LEVELS, sizeof(ss_lanes));
}

samesum_status samesum_cuda_state_bytes(const samesum_want *want, samesum_type type, size_t *bytes)
{
    samesum_want checked;
    if (!want || !bytes)
        return SAMESUM_ERR_NULL;
    samesum_status st = ss_cuda_job_want(want, type, &checked);
    if (st == SAMESUM_OK)
        st = ss_cuda_state_settle(&checked, type, 0, &checked);
    if (st == SAMESUM_OK)
        *bytes = sizeof(ss_cuda_state);
    return st;
}

/* Bytes of workspace of what is reduced; of the counts, behind them. */
static size_t reducing_bytes(const ss_plan &plan, ss_range_plan &range)
{
    return plan.exact      ? ss_cuda_exact_workspace(plan.exact_job)
           : plan.extremes ? ss_cuda_extremes_workspace(plan.extremes_job)
                           : ss_range_place(range, NULL);
}

static cudaError_t run(const ss_cuda_state_job &job, const ss_plan &plan, ss_range_plan &range,
                       char *workspace, size_t reducing, cudaStream_t stream)
{
    cudaError_t e;
    uint64_t *present = &job.state->present;
    if (plan.exact) {
        e = ss_cuda_exact_state_launch(plan.exact_job, job.state->acc, present, workspace, stream);
    } else if (plan.extremes) {
        e = ss_cuda_extremes_state_launch(plan.extremes_job, &job.state->found, present, workspace,
                                          stream);
    } else {
        ss_range_place(range, workspace);
        range.job.image = (char *)job.state->node;
        range.job.form = form_of_states();
        range.job.present = (unsigned long long *)present;
        e = ss_range_launch(range, stream);
    }
    if (e != cudaSuccess)
        return e;
    ss_state_head<<<1, 1, 0, stream>>>(job);
    e = cudaGetLastError();
    if (e == cudaSuccess && plan.counts)
        e = ss_cuda_counts_launch(plan.whole, plan.counts, workspace + reducing, stream);
    return e;
}

samesum_status samesum_cuda_state_reduce(const samesum_array *chunk, uint64_t begin,
                                         const samesum_want *want, void *state,
                                         samesum_counts *counts, void *workspace,
                                         size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!chunk || !want || !workspace_bytes)
        return SAMESUM_ERR_NULL;
    if (chunk->weights)
        return SAMESUM_ERR_OPTION;
    ss_cuda_state_job job;
    samesum_want checked;
    ss_rows rows;
    ss_job j;
    samesum_status st = ss_cuda_job_want(want, chunk->type, &checked);
    if (st == SAMESUM_OK)
        st = ss_cuda_state_settle(&checked, chunk->type, begin, &job.want);
    if (st == SAMESUM_OK)
        st = ss_cuda_job_split(chunk, NULL, 0, &rows);
    if (st == SAMESUM_OK)
        st = ss_cuda_job(chunk, &rows, &checked, &j);
    const uint64_t per = ss_cuda_state_numbers(want->op, chunk->type);
    if (st == SAMESUM_OK && rows.n > UINT64_MAX / per - begin)
        st = SAMESUM_ERR_RANGE;
    if (st == SAMESUM_OK)
        st = samesum_cuda_status(NULL);
    if (st != SAMESUM_OK)
        return st;

    ss_plan plan = {};
    plan.counts = counts;
    plan.whole = ss_plan_view(j.row, rows.rest, 1, NULL);
    plan.extremes = want->op >= SAMESUM_MIN;
    plan.exact = !plan.extremes && want->level == SAMESUM_EXACT;
    plan.sums = !plan.extremes && !plan.exact;
    if (plan.exact)
        ss_plan_exact_job(plan.exact_job, j, rows.rest, 1, NULL);
    plan.extremes_job.view = plan.whole;
    plan.extremes_job.op = want->op;
    plan.extremes_job.nan = want->nan;
    ss_range_plan range;
    if (plan.sums) {
        ss_sums sums = {};
        ss_plan_terms(
            sums, j, chunk->type == SAMESUM_F32_WIDE ? SAMESUM_F32_WIDE : ss_real_type(chunk->type),
            rows.rest, 1, NULL);
        st = ss_range_make(range, sums, chunk->type, job.want.level, begin);
        if (st != SAMESUM_OK)
            return st;
    }
    job.state = (ss_cuda_state *)state;
    job.type = chunk->type;
    job.begin = begin;
    job.end = begin + rows.n;
    const size_t reducing = reducing_bytes(plan, range);
    size_t need = reducing + (counts ? ss_cuda_counts_workspace(plan.whole) : 0);
    need = need > 0 ? need : 256;
    if (!workspace) {
        *workspace_bytes = need;
        return SAMESUM_OK;
    }
    if (*workspace_bytes < need)
        return SAMESUM_ERR_SIZE;
    if (!state)
        return SAMESUM_ERR_NULL;
    st = ss_cuda_check_pointer(workspace, 256);
    if (st == SAMESUM_OK)
        st = ss_cuda_check_pointer(state, 16);
    if (st == SAMESUM_OK && counts)
        st = ss_cuda_check_pointer(counts, sizeof(uint64_t));
    if (st == SAMESUM_OK)
        st = ss_cuda_check_view(plan.whole);
    if (st != SAMESUM_OK)
        return st;
    return run(job, plan, range, (char *)workspace, reducing, stream) == cudaSuccess
               ? SAMESUM_OK
               : SAMESUM_ERR_CUDA;
}

/* ---- finishing several -------------------------------------------------------------------------
 */

struct states {
    const char *first;
    size_t count, stride;
    samesum_want want;
    samesum_type type;
    int *bad;
};

static __device__ __forceinline__ const ss_cuda_state &state_at(const states &s, uint64_t i)
{
    return *(const ss_cuda_state *)(s.first + i * s.stride);
}

/* Whether state i is one of these, and the next one follows it. */
static __device__ bool fits(const states &s, uint64_t i)
{
    const ss_cuda_state &a = state_at(s, i);
    if (a.magic != SS_CUDA_STATE_MAGIC || a.type != s.type || a.want.op != s.want.op ||
        a.want.level != s.want.level || a.want.nan != s.want.nan ||
        a.want.result != s.want.result || a.want.ddof != s.want.ddof ||
        !a.want.conj != !s.want.conj || a.begin > a.end)
        return false;
    return s.want.level == SAMESUM_EXACT || i + 1 == s.count || a.end == state_at(s, i + 1).begin;
}

__global__ void ss_states_check(const __grid_constant__ states s)
{
    __shared__ int bad;
    if (threadIdx.x == 0)
        bad = 0;
    __syncthreads();
    for (uint64_t i = threadIdx.x; i < s.count; i += blockDim.x)
        if (!fits(s, i))
            bad = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        *s.bad = bad;
}

/* Of a state's sums. */
static ss_join_job join_of(const states &s, const ss_cuda_sink &sink, char *room)
{
    ss_join_job job = {};
    job.sums.rows = 1;
    job.sums.terms = sink.numbers;
    job.sums.per = (int)ss_cuda_state_numbers(s.want.op, s.type);
    job.sums.masked = true; /* as present says */
    job.sums.finish = s.want.op == SAMESUM_MEAN ? SS_FINISH_MEAN : SS_FINISH_SUM;
    job.sums.sink = sink;
    job.sums.present = (unsigned long long *)room;
    job.images = s.first;
    job.stride = s.stride;
    job.count = s.count;
    job.span_at = offsetof(ss_cuda_state, begin);
    job.present_at = offsetof(ss_cuda_state, present);
    job.lines_at = offsetof(ss_cuda_state, node);
    job.form = form_of_states();
    job.bad = s.bad;
    job.wide = ss_is_wide(s.type);
    job.level = s.want.level;
    job.room = room + 256;
    return job;
}

static ss_cuda_exact_job exact_of(const states &s, const ss_cuda_sink &sink)
{
    ss_cuda_exact_job job = {};
    job.kind = s.want.op == SAMESUM_VAR || s.want.op == SAMESUM_STD ? SS_EXACT_SPREAD
               : sink.numbers == 2                                  ? SS_EXACT_PARTS
                                                                    : SS_EXACT_ONE;
    job.sums = job.kind == SS_EXACT_ONE ? 1 : 2;
    job.op = s.want.op;
    job.ddof = s.want.ddof;
    job.sink = sink;
    return job;
}

static cudaError_t finish(const states &s, const ss_cuda_sink &sink, const ss_join_job &join,
                          cudaStream_t stream)
{
    ss_states_check<<<1, 256, 0, stream>>>(s);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess)
        return e;
    if (s.want.op >= SAMESUM_MIN) {
        ss_cuda_extremes_job job;
        job.op = s.want.op;
        job.nan = s.want.nan;
        job.sink = sink;
        return ss_cuda_extremes_finish_launch(job, s.first, s.stride, s.count,
                                              offsetof(ss_cuda_state, found), s.bad, stream);
    }
    if (s.want.level == SAMESUM_EXACT)
        return ss_cuda_exact_join_launch(exact_of(s, sink), s.first, s.stride, s.count,
                                         offsetof(ss_cuda_state, acc), 1, s.bad, stream);
    return ss_join_launch(join, stream);
}

samesum_status samesum_cuda_state_finish(const void *first, size_t count, size_t stride,
                                         const samesum_want *want, samesum_type type,
                                         const samesum_cuda_out *out, void *workspace,
                                         size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!want || !out || !workspace_bytes)
        return SAMESUM_ERR_NULL;
    samesum_want checked;
    states s = {(const char *)first, count, stride, {}, type, (int *)workspace};
    samesum_status st = ss_cuda_job_want(want, type, &checked);
    if (st == SAMESUM_OK)
        st = ss_cuda_state_settle(&checked, type, 0, &s.want);
    if (st == SAMESUM_OK && count == 0)
        st = SAMESUM_ERR_RANGE;
    if (st == SAMESUM_OK && count > 1 && stride < sizeof(ss_cuda_state))
        st = SAMESUM_ERR_SIZE;
    if (st == SAMESUM_OK)
        st = samesum_cuda_status(NULL);
    if (st != SAMESUM_OK)
        return st;
    const ss_cuda_sink sink = ss_cuda_sink_of(checked, type, *out);
    const ss_join_job join = join_of(s, sink, (char *)workspace + 256);
    const size_t need = 512 + ss_join_workspace(join);
    if (!workspace) {
        *workspace_bytes = need;
        return SAMESUM_OK;
    }
    if (!first || !out->results)
        return SAMESUM_ERR_NULL;
    if (*workspace_bytes < need)
        return SAMESUM_ERR_SIZE;
    samesum_cuda_out results = *out;
    results.counts = NULL;
    st = ss_cuda_check_pointer(workspace, 256);
    if (st == SAMESUM_OK)
        st = ss_cuda_check_pointer(first, 16);
    if (st == SAMESUM_OK && count > 1 && stride % 16 != 0)
        st = SAMESUM_ERR_POINTER;
    if (st == SAMESUM_OK)
        st = ss_cuda_check_out(results, sink, 1);
    if (st != SAMESUM_OK)
        return st;
    return finish(s, sink, join, stream) == cudaSuccess ? SAMESUM_OK : SAMESUM_ERR_CUDA;
}
