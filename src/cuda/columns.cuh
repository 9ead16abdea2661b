/* The kernel for series that lie side by side: each row of memory holds one element of every series
 * (the first axis of a C array). A thread takes one lane of several series, whose elements it loads
 * together; a warp one lane, and a block all 16. */
#ifndef SS_CUDA_COLUMNS_CUH
#define SS_CUDA_COLUMNS_CUH

#include "cuda/elements.cuh"
#include "cuda/sums.cuh"

enum {
    SS_COLUMNS_DEPTH = 6, /* of a chunk, log2, in turns of a thread */
    SS_COLUMNS_THREADS = 32 * SS_LANES
};

/* AT_ONCE: series of a thread. A block has a multiprocessor for itself: its counters are not to
 * leave the registers. */
template <class FROM, int AT_ONCE, int LEVEL> struct ss_columns_of {
    typedef typename FROM::element element;
    typedef typename FROM::number number;
    /* what a thread loads at once, and how much it has on its way: as many tree rows a turn */
    enum {
        LOAD = AT_ONCE * (int)sizeof(element),
        BYTES = LEVEL == SAMESUM_TREE ? 128 : 64,
        ROWS = BYTES / LOAD > 16 ? 16 : BYTES / LOAD,
        LOG = __builtin_ctz(ROWS),
        SERIES = 32 * AT_ONCE /* of a block */
    };
};

template <int BYTES> struct ss_loaded;
template <> struct ss_loaded<16> {
    typedef uint4 type;
};
template <> struct ss_loaded<8> {
    typedef uint2 type;
};
template <> struct ss_loaded<4> {
    typedef unsigned type;
};
template <> struct ss_loaded<2> {
    typedef unsigned short type;
};

/* The lanes' nodes of a tile's series are in shared memory: s, and e. All series of a tile have the
 * same chunks, so that a tile takes one ticket for them. */
template <class C, int LEVEL, class A>
static __device__ __noinline__ void
ss_columns_complete(const ss_sums &s, uint64_t tile, uint64_t chunk, const A (*ns)[C::SERIES + 1],
                    const A (*ne)[C::SERIES + 1])
{
    typedef ss_node<A> N;
    __shared__ bool last;
    const int warp = threadIdx.x / 32, half = threadIdx.x % 32 / 16, lane = threadIdx.x % 16;
    const uint64_t first = tile * C::SERIES, rows = s.view[0].rows;
    for (int pair = 2 * warp; pair < C::SERIES; pair += 2 * SS_LANES) { /* each half-warp one */
        const uint64_t row = first + pair + half;
        N v = {ns[lane][pair + half], LEVEL != SAMESUM_TREE ? ne[lane][pair + half] : (A)0};
        if (s.chunks > 1) {
            if (row < rows)
                ss_store_lane<LEVEL, A>(s, row * s.chunks + chunk, lane, v);
            continue;
        }
        A sum[2] = {ss_lanes_result<LEVEL>(v), 0};
        if (lane == 0 && row < rows)
            ss_finish_row(s, row, s.view[0].n, sum);
    }
    if (s.chunks == 1)
        return;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&s.ticket[tile], 1u) == s.chunks - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    for (int column = warp; column < C::SERIES && first + column < rows; column += SS_LANES) {
        const uint64_t row = first + column;
        const ss_task t = {row, 0, s.chunks, row * s.chunks, s.view[0].n, 0, false};
        N v = ss_merge<LEVEL, A>(s, t.slot, 1, (unsigned)s.chunks, s.chunk_log);
        ss_complete_row<LEVEL, A>(s, t, v);
    }
}

/* s.tasks: (tile of series, chunk); a chunk of a series is numbered as everywhere. */
template <class FROM, int AT_ONCE, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_COLUMNS_THREADS, 1)
    ss_columns_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_columns_of<FROM, AT_ONCE, LEVEL> C;
    typedef typename FROM::element E;
    typedef typename FROM::number A;
    typedef ss_node<A> N;
    typedef typename ss_loaded<C::LOAD>::type L;
    union loaded {
        L load;
        E element[AT_ONCE];
    } pad; /* what changes no sum */
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        pad.element[k] = KIND == SS_KIND_SQUARE ? (E)0 : FROM::negative_zero();
    extern __shared__ __align__(128) char shared[]; /* the lanes' nodes of each series: s, then e */
    A(*const ns)[C::SERIES + 1] = (A(*)[C::SERIES + 1]) shared;
    A(*const ne)[C::SERIES + 1] = ns + SS_LANES;
    const int warp = threadIdx.x / 32, thread = threadIdx.x % 32;
    const ss_cuda_view &v = s.view[0];
    const ptrdiff_t stride = v.row.axis[0].stride[v.first];
    const uint64_t chunk_numbers = (uint64_t)SS_LANES << s.chunk_log;
    for (uint64_t task = blockIdx.x; task < s.tasks; task += gridDim.x) {
        const uint64_t tile = task / s.chunks, chunk = task - tile * s.chunks;
        const uint64_t series = tile * C::SERIES + thread * AT_ONCE;
        uint64_t first = chunk * chunk_numbers, end = first + chunk_numbers;
        end = end < v.n ? end : v.n;
        const bool some = series < v.rows; /* then all of this thread's: passes.cu sees to it */
        const char *p =
            v.place[v.first] + (ptrdiff_t)(first + warp) * stride + (some ? series : 0) * sizeof(E);
        ss_counter<LEVEL, N, SS_COLUMNS_DEPTH> counter[AT_ONCE];
        N node[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            node[k] = ss_neutral<A>();
        unsigned turn = 0;
        for (uint64_t at = first; at < end; at += C::ROWS * SS_LANES, turn++) {
            const bool full = at + C::ROWS * SS_LANES <= end;
            loaded in[C::ROWS];
#pragma unroll
            for (int i = 0; i < C::ROWS; i++) {
                bool absent = !some || (!full && at + i * SS_LANES + warp >= end);
                in[i].load =
                    absent ? pad.load : __ldcs((const L *)(p + (ptrdiff_t)i * SS_LANES * stride));
            }
            p += (ptrdiff_t)C::ROWS * SS_LANES * stride;
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                node[k] = ss_tree_of<LEVEL, C::ROWS, N>(
                    [&](int i) -> N {
                        A a = FROM::widen(in[i].element[k]);
                        return ss_leaf_at<KIND, LEVEL, A>(a, a);
                    },
                    0, ss_is_linear<KIND>);
                node[k] = counter[k].push(counter[k], node[k], turn, C::LOG);
            }
        }
#pragma unroll 1
        for (; turn & (turn - 1); turn++)
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
                node[k] = counter[k].push(counter[k], ss_neutral<A>(), turn, C::LOG);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            ns[warp][thread * AT_ONCE + k] = node[k].s;
            if (LEVEL != SAMESUM_TREE)
                ne[warp][thread * AT_ONCE + k] = node[k].e;
        }
        __syncthreads();
        ss_columns_complete<C, LEVEL, A>(s, tile, chunk, ns, ne);
        __syncthreads();
    }
}

#endif
