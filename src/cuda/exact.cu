/* Level exact on the host's side: which kernel, and how many warps for a row. */
#include "cuda/exact_rows.cuh"

static uint64_t over(uint64_t a, uint64_t b) /* rounded up */
{
    return a / b + (a % b != 0);
}

/* Whether a row's numbers lie side by side, and nothing has to be done with them. */
static bool is_side_by_side(const ss_cuda_view &v)
{
    const ptrdiff_t bytes = ss_cuda_bytes(ss_cuda_real(v.type)) * ss_cuda_per(v);
    const ptrdiff_t *stride = v.row.axis[0].stride;
    return !ss_cuda_masked(v) && v.map == SS_MAP_NONE && v.part < 0 && v.factor < 0 &&
           v.row.dims == 1 && stride[v.first] == bytes && (!v.pair || stride[SS_Y] == bytes);
}

/* The warps that share a row, of all that the device runs at once. */
static uint64_t parts_of(const ss_cuda_view &v, uint64_t warps)
{
    const uint64_t small = 8192, piece = 65536; /* bytes that are worth a warp, and a turn */
    const uint64_t n = v.offsets && v.rows > 0 ? v.n / v.rows : v.n;
    const uint64_t bytes = n * (uint64_t)(ss_cuda_bytes(ss_cuda_real(v.type)) * ss_cuda_per(v));
    uint64_t parts, most;
    if (v.rows <= 4) { /* each warp has one part of one row */
        parts = warps / (v.rows > 0 ? v.rows : 1);
        most = over(bytes, small);
    } else { /* several turns, so that all warps are busy until nearly the end */
        parts = v.rows >= 8 * warps ? 1 : over(4 * warps, v.rows);
        most = over(bytes, piece);
    }
    parts = parts < most ? parts : most;
    return parts > 0 ? parts : 1;
}

static cudaError_t decide(const ss_cuda_exact_job &job, ss_cuda_exact_plan *plan)
{
    int device, processors;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    plan->side_by_side = true;
    for (int i = 0; i < job.sums; i++)
        plan->side_by_side = plan->side_by_side && is_side_by_side(job.view[i]);
    /* the ring's shared memory is enough for 3 blocks; without, registers are for 4 */
    const uint64_t blocks = (uint64_t)processors * (plan->side_by_side ? 3 : 4);
    plan->parts = parts_of(job.view[0], blocks * SS_CUDA_EXACT_WARPS);
    const uint64_t needed = over(job.view[0].rows * plan->parts, SS_CUDA_EXACT_WARPS);
    plan->blocks = (unsigned)(needed < blocks ? needed : blocks);
    plan->row = NULL;
    plan->state = NULL;
    plan->present = NULL;
    return cudaSuccess;
}

static size_t row_bytes(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan)
{
    return plan.parts > 1 ? job.view[0].rows * (size_t)job.sums * sizeof(ss_cuda_row_sum) : 0;
}

size_t ss_cuda_exact_workspace(const ss_cuda_exact_job &job)
{
    ss_cuda_exact_plan plan;
    if (decide(job, &plan) != cudaSuccess)
        return 0;
    return (row_bytes(job, plan) + 255) / 256 * 256;
}

static cudaError_t start(const ss_cuda_exact_job &job, ss_cuda_exact_plan &plan, void *workspace,
                         cudaStream_t stream)
{
    if (plan.blocks == 0)
        return cudaSuccess;
    if (plan.parts > 1) {
        plan.row = (ss_cuda_row_sum *)workspace;
        cudaError_t error = cudaMemsetAsync(workspace, 0, row_bytes(job, plan), stream);
        if (error != cudaSuccess)
            return error;
    }
    if (!plan.side_by_side)
        return ss_cuda_exact_every(job, plan, stream);
    switch (ss_cuda_real(job.view[0].type)) {
    case SAMESUM_F64:
        return ss_cuda_exact_f64(job, plan, stream);
    case SAMESUM_F32:
        return ss_cuda_exact_f32(job, plan, stream);
    case SAMESUM_F16:
        return ss_cuda_exact_f16(job, plan, stream);
    default:
        return ss_cuda_exact_bf16(job, plan, stream);
    }
}

cudaError_t ss_cuda_exact_launch(const ss_cuda_exact_job &job, void *workspace, cudaStream_t stream)
{
    ss_cuda_exact_plan plan;
    cudaError_t error = decide(job, &plan);
    return error != cudaSuccess ? error : start(job, plan, workspace, stream);
}

cudaError_t ss_cuda_exact_state_launch(const ss_cuda_exact_job &job, ss_exact *acc,
                                       uint64_t *present, void *workspace, cudaStream_t stream)
{
    ss_cuda_exact_plan plan;
    cudaError_t error = decide(job, &plan);
    plan.state = acc;
    plan.present = present;
    return error != cudaSuccess ? error : start(job, plan, workspace, stream);
}
