/* Exact sums of several places, added and finished. */
#include "cuda/exact_rows.cuh"

struct exact_join {
    ss_cuda_exact_job job;
    const char *images;
    size_t stride, at;
    uint64_t count, rows;
    const int *bad;
};

static __device__ __forceinline__ const ss_exact *sum_at(const exact_join &j, uint64_t image,
                                                         uint64_t row, int i)
{
    return (const ss_exact *)(j.images + image * j.stride + j.at) + row * j.job.sums + i;
}

static __device__ __forceinline__ int64_t digit_of(const ss_exact *acc, int k)
{
    return k >= acc->low && k < acc->high ? acc->digit[k] : 0;
}

/* Sum i of a row in all images. Of each digit the lower half is added there, the rest one further
 * up, so that none overflows; digits beyond the last one there is no need of. */
static __device__ void add_up(const exact_join &j, uint64_t row, int i, ss_exact *to, unsigned lane)
{
    for (int k = (int)lane; k < SS_EXACT_DIGITS; k += SS_CUDA_WARP) {
        int64_t digit = 0;
        for (uint64_t p = 0; p < j.count; p++) {
            const ss_exact *acc = sum_at(j, p, row, i);
            const int64_t here = digit_of(acc, k);
            digit += k + 1 < SS_EXACT_DIGITS ? here & 0xffffffff : here;
            digit += k > 0 ? digit_of(acc, k - 1) >> 32 : 0;
        }
        to->digit[k] = digit;
    }
    if (lane > 0)
        return;
    ss_exact_init(to);
    for (uint64_t p = 0; p < j.count; p++) {
        const ss_exact *acc = sum_at(j, p, row, i);
        to->count += acc->count;
        to->nan |= acc->nan;
        to->plus_inf |= acc->plus_inf;
        to->minus_inf |= acc->minus_inf;
        to->other_than_minus_zero |= acc->other_than_minus_zero;
    }
    to->high = SS_EXACT_DIGITS;
    to->pending = SS_EXACT_PENDING;
}

__global__ void __launch_bounds__(SS_CUDA_EXACT_WARPS *SS_CUDA_WARP)
    ss_cuda_exact_join_kernel(const __grid_constant__ exact_join j)
{
    __shared__ ss_cuda_exact_finish finish[SS_CUDA_EXACT_WARPS];
    const unsigned warp = threadIdx.x / SS_CUDA_WARP, lane = threadIdx.x % SS_CUDA_WARP;
    ss_cuda_exact_finish &f = finish[warp];
    const uint64_t warps = (uint64_t)gridDim.x * SS_CUDA_EXACT_WARPS;
    for (uint64_t row = (uint64_t)blockIdx.x * SS_CUDA_EXACT_WARPS + warp; row < j.rows;
         row += warps) {
        if (j.bad && *j.bad) {
            for (int i = 0; i < j.job.sink.numbers && lane == 0; i++)
                ss_cuda_write(j.job.sink, row, i, NAN);
            continue;
        }
        for (int i = 0; i < j.job.sums; i++)
            add_up(j, row, i, &f.acc[i], lane);
        __syncwarp();
        if (lane == 0)
            ss_cuda_exact_write(j.job, row, &f);
        __syncwarp();
    }
}

cudaError_t ss_cuda_exact_join_launch(const ss_cuda_exact_job &job, const char *images,
                                      size_t stride, uint64_t count, size_t at, uint64_t rows,
                                      const int *bad, cudaStream_t stream)
{
    const exact_join j = {job, images, stride, at, count, rows, bad};
    const uint64_t blocks = (rows + SS_CUDA_EXACT_WARPS - 1) / SS_CUDA_EXACT_WARPS;
    if (rows == 0)
        return cudaSuccess;
    ss_cuda_exact_join_kernel<<<(unsigned)(blocks < 4096 ? blocks : 4096),
                                SS_CUDA_EXACT_WARPS * SS_CUDA_WARP, 0, stream>>>(j);
    return cudaGetLastError();
}
