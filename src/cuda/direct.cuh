/* The kernels for rows whose numbers lie side by side in memory: a warp takes a chunk of a row,
 * tile by tile. Enough warps are at work at once that their loads keep the memory busy. */
#ifndef SS_CUDA_DIRECT_CUH
#define SS_CUDA_DIRECT_CUH

#include "cuda/sums.cuh"
#include "cuda/tile.cuh"

enum { SS_DIRECT_WARPS = 8, SS_DIRECT_DEPTH = 6 /* tiles of a chunk, log2, at most */ };

/* Part of a row, of a chunk at most: its first numbers in both streams, and how many. readable: how
 * many the row has from there, or a tile more than the part has. */
struct ss_span {
    const char *x, *y;
    int numbers, readable;
    bool first; /* of the row */
};

static __device__ __forceinline__ ss_span ss_span_at(const char *x, const char *y, uint64_t begin,
                                                     uint64_t end, uint64_t numbers, int bytes)
{
    enum { MORE = 4096 };
    const uint64_t readable = numbers - end > MORE ? end + MORE - begin : numbers - begin;
    return {x + begin * bytes, y + begin * bytes, (int)(end - begin), (int)readable, begin == 0};
}

template <class FROM, int KIND, int LEVEL>
static __device__ __forceinline__ ss_node<typename FROM::number> ss_tile_at(const ss_span &span)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename T::element E;
    const E absent = KIND == SS_KIND_SQUARE ? (E)0 : FROM::negative_zero();
    const bool inside = !span.first && span.readable >= T::NUMBERS + T::PER;
    const int bytes = span.numbers < T::NUMBERS ? span.numbers * (int)sizeof(E) : (int)T::BYTES;
    ss_vector x[T::LOADS], y[T::LOADS];
    ss_load_tile(x, span.x, bytes, inside, absent);
    if (KIND == SS_KIND_PRODUCT)
        ss_load_tile(y, span.y, bytes, inside, (E)0);
    return ss_tile_node<FROM, KIND, LEVEL>(x, y);
}

/* Nodes that wait for their right neighbours, of each level above a tile's: in shared memory, since
 * they are needed once a tile, and registers are for loads. */
template <class A> struct ss_waiting {
    ss_node<A> node[SS_DIRECT_DEPTH + 1][SS_DIRECT_WARPS * 32];
};

/* The node of a span that begins at a multiple of a chunk: lane j in the threads j and j + 16. */
template <class FROM, int KIND, int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> ss_span_node(ss_waiting<A> &waiting, ss_span span)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef ss_node<A> N;
    unsigned tiles = 0;
#pragma unroll 1
    for (; span.numbers > 0; tiles++) {
        N v = ss_tile_at<FROM, KIND, LEVEL>(span);
        int up = 0;
#pragma unroll 1
        for (; tiles >> up & 1; up++)
            v = ss_combine<LEVEL>(waiting.node[up][threadIdx.x], v, T::LOG + up + 1);
        waiting.node[up][threadIdx.x] = v;
        span.x += T::BYTES;
        span.y += T::BYTES;
        span.numbers -= T::NUMBERS;
        span.readable -= T::NUMBERS;
        span.first = false;
    }
    N v = ss_neutral<A>();
    bool some = false;
#pragma unroll 1
    for (int up = 0; tiles >> up; up++)
        if (tiles >> up & 1) { /* what is missing at its right changes nothing */
            const N left = waiting.node[up][threadIdx.x];
            v = some ? ss_combine<LEVEL>(left, v, T::LOG + up + 1) : left;
            some = true;
        }
    const int thread = ss_tile_thread<T>(threadIdx.x % 16);
    v.s = __shfl_sync(0xffffffffu, v.s, thread);
    if (LEVEL != SAMESUM_TREE)
        v.e = __shfl_sync(0xffffffffu, v.e, thread);
    return v;
}

/* ---- rows at one distance ---------------------------------------------------------------------
 */

/* Nodes of a block's warps, on their way to one. */
template <class A> struct ss_block_nodes {
    A s[SS_DIRECT_WARPS][SS_LANES], e[SS_DIRECT_WARPS][SS_LANES];
};

/* The node of the nodes of level `level` of the block's warps, for all threads. */
template <int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> ss_merge_warps(ss_block_nodes<A> &nodes, ss_node<A> v,
                                                            int level)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 16;
    if (threadIdx.x % 32 < 16) {
        nodes.s[warp][lane] = v.s;
        if (LEVEL != SAMESUM_TREE)
            nodes.e[warp][lane] = v.e;
    }
    __syncthreads();
    return ss_tree_of<LEVEL, SS_DIRECT_WARPS, ss_node<A>>(
        [&](int i) -> ss_node<A> {
            return {nodes.s[i][lane], LEVEL != SAMESUM_TREE ? nodes.e[i][lane] : (A)0};
        },
        level, false);
}

/* The row's node is there, in a warp. */
template <int LEVEL, class A>
static __device__ __forceinline__ void ss_finish_row_of(const ss_row_sums &s, uint64_t row,
                                                        ss_node<A> v)
{
    A sum[2] = {ss_lanes_result<LEVEL>(v), 0};
    if (threadIdx.x % 32 != 0)
        return;
    if (s.even)
        ss_finish_even(s, row, sum[0]);
    else
        ss_finish_row(s, row, s.numbers, sum);
}

/* Blocks of a multiprocessor: pairs need more registers than four leave. */
template <int LEVEL> constexpr int ss_direct_blocks = LEVEL == SAMESUM_COMPENSATED ? 3 : 4;

/* s.parts 0: each warp takes s.turns rows. Else a block takes a part of a row, of a chunk for each
 * of its warps; the nodes of rows of several parts are merged by another kernel (merge.cu). */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, ss_direct_blocks<LEVEL>)
    ss_even_kernel(const __grid_constant__ ss_row_sums s)
{
    typedef typename FROM::number A;
    __shared__ ss_block_nodes<A> nodes;
    __shared__ ss_waiting<A> waiting;
    const unsigned warp = threadIdx.x / 32;
    if (blockIdx.x == 0 && s.parts > 1)
        for (uint64_t row = threadIdx.x; row < s.rows; row += blockDim.x)
            s.ticket[row] = 0; /* for the kernel that merges */
    uint64_t row, begin = 0, end = s.numbers;
    if (s.parts > 0) {
        row = blockIdx.x / s.parts;
        begin = ((blockIdx.x - row * s.parts) * SS_DIRECT_WARPS + warp) << (s.chunk_log + 4);
        begin = begin < end ? begin : end;
        const uint64_t most = (uint64_t)SS_LANES << s.chunk_log;
        end = end - begin > most ? begin + most : end;
    } else {
        row = (uint64_t)blockIdx.x * s.turns * SS_DIRECT_WARPS + warp;
    }
    for (unsigned turn = 0; turn < s.turns && row < s.rows; turn++, row += SS_DIRECT_WARPS) {
        ss_node<A> v = ss_span_node<FROM, KIND, LEVEL>(
            waiting,
            ss_span_at(s.x + (ptrdiff_t)row * s.pitch[0], s.y + (ptrdiff_t)row * s.pitch[1], begin,
                       end, s.numbers, (int)sizeof(typename FROM::element)));
        if (s.parts > 0) {
            v = ss_merge_warps<LEVEL, A>(nodes, v, s.chunk_log);
            if (warp > 0)
                return;
            if (s.parts > 1) {
                ss_store_node<LEVEL, A>(s, blockIdx.x, v);
                return;
            }
        }
        ss_finish_row_of<LEVEL, A>(s, row, v);
    }
}

/* ---- any other rows ---------------------------------------------------------------------------
 */

/* Not inlined: it is long, and needed once a chunk. */
static __device__ __noinline__ ss_span ss_span_of(const ss_sums &s, uint64_t task, int bytes)
{
    const ss_task t = ss_task_at(s, task);
    if (t.none)
        return {};
    const uint64_t chunk = (uint64_t)SS_LANES << s.chunk_log, begin = t.chunk * chunk;
    const uint64_t end = begin + chunk < t.numbers ? begin + chunk : t.numbers;
    const ss_cuda_row r = ss_cuda_row_at(s.view[0], t.row);
    const uint64_t at = r.first * ss_cuda_per(s.view[0]) * bytes;
    return ss_span_at(r.place[s.view[0].first] + at, r.place[SS_Y] + at, begin, end, t.numbers,
                      bytes);
}

/* A warp takes chunks; the last to come to a group of a row's merges them (sums.cuh). */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, ss_direct_blocks<LEVEL>)
    ss_direct_kernel(const __grid_constant__ ss_sums s)
{
    typedef typename FROM::number A;
    __shared__ ss_waiting<A> waiting;
    uint64_t task = (uint64_t)blockIdx.x * SS_DIRECT_WARPS + threadIdx.x / 32;
    for (; task < s.tasks; task += (uint64_t)gridDim.x * SS_DIRECT_WARPS) {
        const ss_span span = ss_span_of(s, task, (int)sizeof(typename FROM::element));
        ss_complete_task<LEVEL, A>(s, task, ss_span_node<FROM, KIND, LEVEL>(waiting, span));
    }
}

#endif
