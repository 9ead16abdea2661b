#include "cuda/exact_rows.cuh"

cudaError_t ss_cuda_exact_every(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                                cudaStream_t stream)
{
    return ss_cuda_exact_start<void>(job, plan, stream);
}
