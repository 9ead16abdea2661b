/* The kernel for series that lie side by side: each row of memory holds one element of every series
 * (the first axis of a C array). A thread takes one lane of one series; a block 32 series. */
#ifndef SS_CUDA_COLUMNS_CUH
#define SS_CUDA_COLUMNS_CUH

#include "cuda/elements.cuh"
#include "cuda/sums.cuh"

enum {
    SS_COLUMNS = 32,      /* series of a block */
    SS_COLUMNS_BLOCK = 8, /* tree rows that are taken at a time */
    SS_COLUMNS_LOG = 3,
    SS_COLUMNS_DEPTH = 6, /* of a chunk, log2, in such blocks */
    SS_COLUMNS_THREADS = SS_COLUMNS * SS_LANES
};

/* Pairs of binary64 need more registers than two blocks leave. */
template <class A, int LEVEL>
constexpr int ss_columns_blocks = sizeof(A) == 8 && LEVEL != SAMESUM_TREE ? 1 : 2;

/* s.tasks: (tile of series, chunk); a chunk of a series is numbered as everywhere. */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_COLUMNS_THREADS,
                                  (ss_columns_blocks<typename FROM::number, LEVEL>))
    ss_columns_kernel(const __grid_constant__ ss_sums s)
{
    typedef typename FROM::element E;
    typedef typename FROM::number A;
    typedef ss_node<A> N;
    __shared__ A shared_s[SS_LANES][SS_COLUMNS + 1], shared_e[SS_LANES][SS_COLUMNS + 1];
    const int warp = threadIdx.x / 32, thread = threadIdx.x % 32;
    const unsigned keep = s.leaf[0] == SS_LEAF_ASUM ? 0x7fffffffu : 0xffffffffu;
    const ss_cuda_view &v = s.view[0];
    const ptrdiff_t stride = v.row.axis[0].stride[v.first];
    const uint64_t chunk_rows = (uint64_t)1 << s.chunk_log;
    for (uint64_t task = blockIdx.x; task < s.tasks; task += gridDim.x) {
        const uint64_t tile = task / s.chunks, chunk = task - tile * s.chunks;
        const uint64_t series = tile * SS_COLUMNS + thread;
        uint64_t first = chunk * chunk_rows * SS_LANES, end = first + chunk_rows * SS_LANES;
        end = end < v.n ? end : v.n;
        const bool some = series < v.rows;
        const char *p =
            v.place[v.first] + (ptrdiff_t)(first + warp) * stride + (some ? series : 0) * sizeof(E);
        ss_counter<LEVEL, N, SS_COLUMNS_DEPTH> counter;
        N node = ss_neutral<A>();
        unsigned block = 0;
        for (uint64_t at = first; at < end; at += SS_COLUMNS_BLOCK * SS_LANES, block++) {
            const bool full = at + SS_COLUMNS_BLOCK * SS_LANES <= end;
            E in[SS_COLUMNS_BLOCK];
            bool absent[SS_COLUMNS_BLOCK];
#pragma unroll
            for (int i = 0; i < SS_COLUMNS_BLOCK; i++) {
                absent[i] = !some || (!full && at + i * SS_LANES + warp >= end);
                in[i] =
                    absent[i] ? (E)0 : __ldcs((const E *)(p + (ptrdiff_t)i * SS_LANES * stride));
            }
            p += (ptrdiff_t)SS_COLUMNS_BLOCK * SS_LANES * stride;
            node = ss_tree_of<LEVEL, SS_COLUMNS_BLOCK, N>(
                [&](int i) -> N {
                    if (absent[i])
                        return ss_neutral<A>();
                    A a = FROM::widen(in[i]);
                    return ss_leaf_at<KIND, LEVEL, A>(a, a, keep);
                },
                0, KIND == SS_KIND_LINEAR);
            node = counter.push(counter, node, block, SS_COLUMNS_LOG);
        }
        for (; block & (block - 1); block++)
            node = counter.push(counter, ss_neutral<A>(), block, SS_COLUMNS_LOG);
        shared_s[warp][thread] = node.s;
        if (LEVEL != SAMESUM_TREE)
            shared_e[warp][thread] = node.e;
        __syncthreads();
        for (int i = 0; i < SS_COLUMNS / SS_LANES; i++) {
            const int column = warp * (SS_COLUMNS / SS_LANES) + i;
            const uint64_t row = tile * SS_COLUMNS + column;
            if (row >= v.rows)
                break;
            N w = {shared_s[thread % 16][column],
                   LEVEL != SAMESUM_TREE ? shared_e[thread % 16][column] : (A)0};
            ss_task t = {row, chunk, s.chunks, row * s.chunks, v.n, 0, false};
            ss_complete<LEVEL, A>(s, t, w, 0);
        }
        __syncthreads();
    }
}

#endif
