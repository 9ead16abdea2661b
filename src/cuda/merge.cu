/* The kernel that merges the nodes of rows that were cut into chunks (direct.cuh), and finishes
 * them. */
#include "cuda/kernels.h"

enum {
    SS_MERGE_WARPS = 16,
    SS_MERGE_HALVES = 2 * SS_MERGE_WARPS,
    SS_MERGE_EACH = 32, /* nodes that a half-warp merges at a time */
    SS_MERGE_NODES = SS_MERGE_EACH * SS_MERGE_HALVES
};

/* The node of a half-warp's nodes: SS_MERGE_EACH of level `level`, in slots first, first + step,
 * ...; those from `count` on are absent. */
template <int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> merge_each(const ss_row_sums &s, uint64_t first,
                                                        uint64_t step, uint64_t count, int level)
{
    typedef ss_node<A> N;
    N in[SS_MERGE_EACH];
#pragma unroll
    for (int i = 0; i < SS_MERGE_EACH; i++)
        in[i] = (uint64_t)i < count ? ss_load_node<LEVEL, A>(s, first + i * step) : ss_neutral<A>();
    return ss_tree_of<LEVEL, SS_MERGE_EACH, N>([&](int i) { return in[i]; }, level, false);
}

/* Line i of nodes: of a row and term, those of a row one after the other. */
static __device__ __forceinline__ ss_task task_of(const ss_row_sums &s, uint64_t line)
{
    const uint64_t row = s.terms == 2 ? line / 2 : line;
    return {row,  0, s.chunks, line * s.chunks, s.numbers, s.terms == 2 ? (int)(line % 2) : 0,
            false};
}

template <class A> struct room {
    A s[SS_MERGE_HALVES][SS_LANES], e[SS_MERGE_HALVES][SS_LANES];
    bool last;
};

/* The node of up to SS_MERGE_NODES nodes, in the first half of warp 0. By all of the block. */
template <int LEVEL, class A>
static __device__ ss_node<A> merge_block(const ss_row_sums &s, room<A> &r, uint64_t first,
                                         uint64_t step, uint64_t count, int level)
{
    typedef ss_node<A> N;
    const int half = threadIdx.x / 16, lane = threadIdx.x % 16, begin = half * SS_MERGE_EACH;
    const uint64_t mine = count > (uint64_t)begin ? count - begin : 0;
    N v = merge_each<LEVEL, A>(s, first + begin * step, step, mine, level);
    r.s[half][lane] = v.s;
    r.e[half][lane] = v.e;
    __syncthreads();
    if (threadIdx.x < 32)
        v = ss_tree_of<LEVEL, SS_MERGE_HALVES, N>(
            [&](int i) -> N {
                return {r.s[i][lane], r.e[i][lane]};
            },
            level + 5, false);
    __syncthreads();
    return v;
}

/* Rows of more than SS_MERGE_NODES chunks: a block for each so many of a row, and the last of the
 * row's merges what they made. */
template <class A, int LEVEL>
__global__ void __launch_bounds__(SS_MERGE_WARPS * 32)
    ss_merge_kernel(const __grid_constant__ ss_row_sums s, uint64_t parts)
{
    __shared__ room<A> r;
    const uint64_t line = blockIdx.x / parts, part = blockIdx.x - line * parts;
    const uint64_t slot = line * s.chunks, begin = part * SS_MERGE_NODES;
    const ss_task t = task_of(s, line);
    if (!ss_is_wanted(s, t.row))
        return;
    uint64_t left = s.chunks - begin, step = SS_MERGE_NODES, count = parts;
    ss_node<A> v = merge_block<LEVEL, A>(
        s, r, slot + begin, 1, left < SS_MERGE_NODES ? left : SS_MERGE_NODES, s.chunk_log);
    if (parts > 1) {
        if (threadIdx.x < 32) {
            ss_store_node<LEVEL, A>(s, slot + begin, v);
            bool last = ss_arrive(&s.ticket[line], (unsigned)parts);
            if (threadIdx.x == 0)
                r.last = last;
        }
        __syncthreads();
        if (!r.last)
            return;
        __threadfence();
        int level = s.chunk_log + 10;
        while (count > SS_MERGE_NODES) { /* more than 2^20 chunks */
            uint64_t groups = (count + SS_MERGE_NODES - 1) / SS_MERGE_NODES;
            for (uint64_t g = 0; g < groups; g++) {
                uint64_t rest = count - g * SS_MERGE_NODES;
                v = merge_block<LEVEL, A>(s, r, slot + g * SS_MERGE_NODES * step, step,
                                          rest < SS_MERGE_NODES ? rest : SS_MERGE_NODES, level);
                if (threadIdx.x < 32)
                    ss_store_node<LEVEL, A>(s, slot + g * SS_MERGE_NODES * step, v);
                __syncthreads();
            }
            step *= SS_MERGE_NODES;
            count = groups;
            level += 10;
        }
        v = merge_block<LEVEL, A>(s, r, slot, step, count, level);
    }
    if (threadIdx.x < 32)
        ss_complete_row<LEVEL, A>(s, t, v);
}

/* Rows of few chunks: a warp for each. */
template <class A, int LEVEL>
__global__ void __launch_bounds__(128) ss_merge_rows_kernel(const __grid_constant__ ss_row_sums s)
{
    const uint64_t step = (uint64_t)gridDim.x * 4;
    uint64_t line = (uint64_t)blockIdx.x * 4 + threadIdx.x / 32;
    for (; line < s.rows * s.terms; line += step) {
        const ss_task t = task_of(s, line);
        if (ss_is_wanted(s, t.row))
            ss_complete_row<LEVEL, A>(
                s, t, ss_merge<LEVEL, A>(s, t.slot, 1, (unsigned)s.chunks, s.chunk_log));
    }
}

template <class A, int LEVEL> static cudaError_t launch(const ss_row_sums &s, cudaStream_t stream)
{
    const uint64_t parts = (s.chunks + SS_MERGE_NODES - 1) / SS_MERGE_NODES;
    const uint64_t rows = s.rows * s.terms;
    if (s.chunks <= SS_MERGE_EACH && rows > 1) {
        uint64_t blocks = (rows + 3) / 4;
        ss_merge_rows_kernel<A, LEVEL>
            <<<(unsigned)(blocks < 8192 ? blocks : 8192), 128, 0, stream>>>(s);
    } else {
        ss_merge_kernel<A, LEVEL>
            <<<(unsigned)(rows * parts), SS_MERGE_WARPS * 32, 0, stream>>>(s, parts);
    }
    return cudaGetLastError();
}

template <class A> static cudaError_t of_level(const ss_row_sums &s, int level, cudaStream_t stream)
{
    return level == SAMESUM_TREE    ? launch<A, SAMESUM_TREE>(s, stream)
           : level == SAMESUM_KAHAN ? launch<A, SAMESUM_KAHAN>(s, stream)
                                    : launch<A, SAMESUM_COMPENSATED>(s, stream);
}

cudaError_t ss_merge_launch(const ss_row_sums &s, bool wide, int level, cudaStream_t stream)
{
    return wide ? of_level<double>(s, level, stream) : of_level<float>(s, level, stream);
}
