#include "cuda/exact_rows.cuh"

cudaError_t ss_cuda_exact_f64(const ss_cuda_exact_job &job, const ss_cuda_exact_plan &plan,
                              cudaStream_t stream)
{
    return ss_cuda_exact_start<ss_ring_f64>(job, plan, stream);
}
