/* The kernel for rows of any view. */
#include "cuda/packed.cuh"
#include "cuda/kernels.h"

template <class A, int LEVEL>
__global__ void __launch_bounds__(SS_PACKED_WARPS * 32)
    ss_packed_kernel(const __grid_constant__ ss_sums s)
{
    __shared__ ss_packed_room<A> rooms[SS_PACKED_WARPS];
    const int warp = threadIdx.x / 32;
    const uint64_t step = (uint64_t)gridDim.x * SS_PACKED_WARPS;
    for (uint64_t task = (uint64_t)blockIdx.x * SS_PACKED_WARPS + warp; task < s.tasks;
         task += step) {
        ss_task t = ss_task_at(s, task);
        if (t.none)
            continue;
        const uint64_t chunk = (uint64_t)SS_LANES << s.chunk_log;
        ss_packed_span span = {t.chunk * chunk, 0, (t.chunk + 1) * chunk, 0};
        span.from = span.first;
        span.to = span.to < t.numbers ? span.to : t.numbers;
        unsigned seen = 0;
        ss_node<A> v = ss_packed_chunk<A, LEVEL>(s.view[t.term], t.row, s.leaf[t.term], span,
                                                 rooms[warp], seen);
        unsigned present = __reduce_add_sync(0xffffffffu, seen) / ss_cuda_per(s.view[t.term]);
        ss_complete<LEVEL, A>(s, t, v, present);
    }
}

template <class A> static ss_launchable of_level(int level)
{
    static void (*const kernel[])(ss_sums) = {ss_packed_kernel<A, SAMESUM_TREE>,
                                              ss_packed_kernel<A, SAMESUM_KAHAN>,
                                              ss_packed_kernel<A, SAMESUM_COMPENSATED>};
    return {(const void *)kernel[level],
            SS_PACKED_WARPS * 32,
            0,
            SS_PACKED_WARPS,
            SS_PACKED_LOG,
            SS_PACKED_DEPTH,
            1};
}

ss_launchable ss_packed(bool wide, int level)
{
    return wide ? of_level<double>(level) : of_level<float>(level);
}
