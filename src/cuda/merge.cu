/* The kernels that merge the nodes of rows and series of several parts (direct.cuh, columns.cuh,
 * masked.cuh, masked_columns.cuh), and finish them. */
#include "cuda/kernels.h"
#include "cuda/overlap.cuh"

enum {
    SS_MERGE_WARPS = 16,
    SS_MERGE_HALVES = 2 * SS_MERGE_WARPS,
    SS_MERGE_LOG = 3, /* nodes that a half-warp loads at once, log2 */
    SS_MERGE_BATCH = 1 << SS_MERGE_LOG,
    SS_MERGE_DEPTH = 2,     /* batches of a half-warp, log2, at most */
    SS_MERGE_THREADS = 128, /* of a block that merges several rows */
    SS_MERGE_ROWS_DEPTH = 3 /* batches of a half-warp there */
};
static_assert(SS_MERGE_HALVES * SS_MERGE_BATCH << SS_MERGE_DEPTH == SS_MERGE_MOST, "a block's");

/* Some nodes of one level in memory: count of them, in slots first, first + step, ... */
struct nodes {
    uint64_t first, step;
    unsigned count;
    int level;
};

/* The node of 2^log batches from `begin` on; those from n.count on are absent. By a half-warp. */
template <int LEVEL, class A, int DEPTH>
static __device__ __forceinline__ ss_node<A> merge_batches(const ss_row_sums &s, const nodes &n,
                                                           unsigned begin, int log)
{
    typedef ss_node<A> N;
    ss_counter<LEVEL, N, DEPTH> counter;
    N v;
#pragma unroll 1
    for (unsigned b = 0; b < 1u << log; b++, begin += SS_MERGE_BATCH) {
        N in[SS_MERGE_BATCH];
#pragma unroll
        for (unsigned i = 0; i < SS_MERGE_BATCH; i++)
            in[i] = begin + i < n.count ? ss_load_node<LEVEL, A>(s, n.first + (begin + i) * n.step)
                                        : ss_neutral<A>();
        v = ss_tree_of<LEVEL, SS_MERGE_BATCH, N>([&](int i) { return in[i]; }, n.level, false);
        v = counter.push(counter, v, b, n.level + SS_MERGE_LOG);
    }
    return v;
}

/* Line i of nodes: of a row and term, those of a row one after the other. */
static __device__ __forceinline__ ss_task task_of(const ss_row_sums &s, uint64_t line)
{
    const uint64_t row = s.terms == 2 ? line / 2 : line;
    return {row, 0, s.parts, line * s.parts, s.numbers, s.terms == 2 ? (int)(line % 2) : 0, false};
}

/* A line's sum is there. By one thread. */
template <class A>
static __device__ __forceinline__ void finish(const ss_row_sums &s, const ss_task &t, A sum)
{
    if (s.even)
        ss_finish_even(s, t.row, sum);
    else
        ss_finish_term(s, t, sum);
}

template <class A> struct room {
    A s[SS_MERGE_WARPS][SS_LANES], e[SS_MERGE_WARPS][SS_LANES];
    bool last;
};

/* The node of both half-warps' nodes of this level, in the first half. */
template <int LEVEL, class N> static __device__ __forceinline__ N merge_halves(N v, int level)
{
    return ss_combine<LEVEL>(v, ss_from<LEVEL>(v, 16), level + 1);
}

/* The node of up to SS_MERGE_MOST nodes, in the first half of warp 0. By all of the block. Few
 * instructions: the kernel is short, and often runs alone, when none of them are at hand. */
template <int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> merge_block(const ss_row_sums &s, room<A> &r,
                                                         const nodes &n)
{
    typedef ss_node<A> N;
    const int half = threadIdx.x / 16, warp = half / 2, lane = threadIdx.x % 16;
    int log = 0; /* batches of each */
    while (n.count > (unsigned)SS_MERGE_HALVES * SS_MERGE_BATCH << log)
        log++;
    const int level = n.level + SS_MERGE_LOG + log;
    N v = merge_halves<LEVEL>(
        merge_batches<LEVEL, A, SS_MERGE_DEPTH>(s, n, half * SS_MERGE_BATCH << log, log), level);
    if (half % 2 == 0) {
        r.s[warp][lane] = v.s;
        r.e[warp][lane] = v.e;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        const int first = half * SS_MERGE_WARPS / 2;
        v = ss_tree_of<LEVEL, SS_MERGE_WARPS / 2, N>(
            [&](int i) -> N {
                return {r.s[first + i][lane], r.e[first + i][lane]};
            },
            level + 1, false);
        v = merge_halves<LEVEL>(v, level + __builtin_ctz(SS_MERGE_WARPS));
    }
    return v;
}

/* Nodes of a row that a block takes, log2: few, since more blocks load sooner; all of them, where
 * one block can; and never more blocks than one can merge. */
static __host__ __device__ inline int merge_log(unsigned parts)
{
    int log = parts > SS_MERGE_MOST ? 8 : 10;
    while (parts > (unsigned)SS_MERGE_MOST << log)
        log++;
    return log;
}
static __host__ __device__ inline unsigned merge_blocks(unsigned parts)
{
    const int log = merge_log(parts);
    return (parts >> log) + (parts & ((1u << log) - 1) ? 1 : 0);
}

/* Rows of more than SS_MERGE_MOST parts: several blocks, and the last to come merges what they
 * made.
 */
template <class A, int LEVEL>
__global__ void __launch_bounds__(SS_MERGE_WARPS * 32)
    ss_merge_kernel(const __grid_constant__ ss_row_sums s)
{
    __shared__ room<A> r;
    const unsigned blocks = merge_blocks(s.parts), line = blockIdx.x / blocks;
    const int log = merge_log(s.parts);
    const unsigned begin = (blockIdx.x - line * blocks) << log, left = s.parts - begin;
    const ss_task t = task_of(s, line);
    ss_wait_for_grid();
    ss_let_next_come();
    if (!ss_is_wanted(s, t.row))
        return;
    ss_node<A> v = merge_block<LEVEL, A>(
        s, r, {t.slot + begin, 1, left < 1u << log ? left : 1u << log, s.part_log});
    if (blocks > 1) {
        if (threadIdx.x < 32) {
            ss_store_node<LEVEL, A>(s, t.slot + begin, v);
            bool last = ss_arrive(&s.ticket[line], blocks);
            if (threadIdx.x == 0)
                r.last = last;
        }
        __syncthreads();
        if (!r.last)
            return;
        __threadfence();
        v = merge_block<LEVEL, A>(s, r, {t.slot, UINT64_C(1) << log, blocks, s.part_log + log});
    }
    if (threadIdx.x >= 32)
        return;
    const A sum = ss_lanes_result<LEVEL>(v);
    if (threadIdx.x == 0)
        finish(s, t, sum);
}

/* Rows of few parts, or many rows: a half-warp for each. */
template <class A, int LEVEL>
__global__ void __launch_bounds__(SS_MERGE_THREADS, sizeof(A) == 8 ? 6 : 12)
    ss_merge_rows_kernel(const __grid_constant__ ss_row_sums s)
{
    const uint64_t lines = s.rows * s.terms, step = (uint64_t)gridDim.x * (SS_MERGE_THREADS / 16);
    uint64_t at = (uint64_t)blockIdx.x * (SS_MERGE_THREADS / 16) + threadIdx.x / 16;
    int log = 0; /* batches of a row */
    while (s.parts > (unsigned)SS_MERGE_BATCH << log)
        log++;
    ss_wait_for_grid();
    ss_let_next_come();
#pragma unroll 1
    for (; at - threadIdx.x % 32 / 16 < lines; at += step) { /* both halves go along */
        const ss_task t = task_of(s, at < lines ? at : lines - 1);
        const ss_node<A> v = merge_batches<LEVEL, A, SS_MERGE_ROWS_DEPTH>(
            s, {t.slot, 1, s.parts, s.part_log}, 0, log);
        const A sum = ss_lanes_result<LEVEL>(v);
        if (threadIdx.x % 16 == 0 && at < lines && ss_is_wanted(s, t.row))
            finish(s, t, sum);
    }
}

/* Whether half-warps merge the rows: not where they would take longer than blocks do. */
static bool by_half_warps(uint64_t lines, unsigned parts)
{
    return lines > 1 && (parts <= SS_MERGE_BATCH ||
                         (parts <= SS_MERGE_BATCH << SS_MERGE_ROWS_DEPTH && lines >= 16 * parts));
}

template <class A, int LEVEL>
static cudaError_t launch(const ss_row_sums &s, bool overlaps, cudaStream_t stream)
{
    void *arguments[] = {(void *)&s};
    const uint64_t lines = s.rows * s.terms;
    if (!by_half_warps(lines, s.parts))
        return ss_launch_overlapped(overlaps, (const void *)ss_merge_kernel<A, LEVEL>,
                                    (unsigned)(lines * merge_blocks(s.parts)), SS_MERGE_WARPS * 32,
                                    arguments, stream);
    const uint64_t blocks = (lines + SS_MERGE_THREADS / 16 - 1) / (SS_MERGE_THREADS / 16);
    return ss_launch_overlapped(overlaps, (const void *)ss_merge_rows_kernel<A, LEVEL>,
                                blocks < 8192 ? (unsigned)blocks : 8192, SS_MERGE_THREADS,
                                arguments, stream);
}

template <class A>
static cudaError_t of_level(const ss_row_sums &s, int level, bool overlaps, cudaStream_t stream)
{
    return level == SAMESUM_TREE    ? launch<A, SAMESUM_TREE>(s, overlaps, stream)
           : level == SAMESUM_KAHAN ? launch<A, SAMESUM_KAHAN>(s, overlaps, stream)
                                    : launch<A, SAMESUM_COMPENSATED>(s, overlaps, stream);
}

cudaError_t ss_merge_launch(const ss_row_sums &s, bool wide, int level, bool overlaps,
                            cudaStream_t stream)
{
    return wide ? of_level<double>(s, level, overlaps, stream)
                : of_level<float>(s, level, overlaps, stream);
}
