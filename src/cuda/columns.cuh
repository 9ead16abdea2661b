/* The kernel for series that lie side by side: each row of memory holds one element of every series
 * (the first axis of a C array). A warp walks down one lane of a tile of series, each thread some
 * of them; a block has all 16 lanes of a chunk of the tile's series. */
#ifndef SS_CUDA_COLUMNS_CUH
#define SS_CUDA_COLUMNS_CUH

#include "cuda/beside.cuh"
#include "cuda/elements.cuh"
#include "cuda/sums.cuh"

enum {
    SS_COLUMNS_WARPS = 8,
    SS_COLUMNS_THREADS = 32 * SS_COLUMNS_WARPS,
    SS_COLUMNS_DEPTH = 5 /* turns of a chunk, log2, at most */
};

/* A thread's series: neighbours, which are loaded together (s.beside); or, where they cannot be, 32
 * apart, so that the warp's are neighbours. Beyond the last there is the last, in vain. */
template <int AT_ONCE> struct ss_series {
    uint64_t first;
    unsigned last; /* of all, from the first on */
    bool beside;

    __device__ __forceinline__ ss_series(const ss_row_sums &s, uint64_t tile)
    {
        const uint64_t at = tile + threadIdx.x % 32 * (s.beside ? AT_ONCE : 1);
        const uint64_t end = s.rows - (s.beside ? AT_ONCE : 1);
        beside = s.beside;
        first = at < end ? at : end;
        last = s.rows - 1 - first < 32 * AT_ONCE ? (unsigned)(s.rows - 1 - first) : 32 * AT_ONCE;
    }
    /* From the first to series k. */
    __device__ __forceinline__ unsigned apart(int k) const
    {
        const unsigned wish = beside ? k : 32 * k;
        return wish < last ? wish : last;
    }
    /* The place of series k in its tile. */
    __device__ __forceinline__ int in_tile(int k) const
    {
        const int thread = (int)(threadIdx.x % 32);
        return beside ? thread * AT_ONCE + k : thread + 32 * k;
    }
};

/* Numbers of a thread's series that lie `row` bytes apart: take(i, those of row i), i < full.
 * shared: one number is there for all series. */
template <class T, int ROWS, int AT_ONCE, class TAKE>
static __device__ __forceinline__ void ss_read_series(const ss_series<AT_ONCE> &series,
                                                      const char *from, ptrdiff_t row, int full,
                                                      bool shared, const TAKE &take)
{
    ss_few<T, AT_ONCE> f;
    if (shared) {
#pragma unroll
        for (int i = 0; i < ROWS; i++, from += row)
            if (i < full) {
                const T one = ss_read<T>(from);
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++)
                    f.of[k] = one;
                take(i, f);
            }
    } else if (series.beside) {
#pragma unroll
        for (int i = 0; i < ROWS; i++, from += row)
            if (i < full) {
                f.load = ss_read<decltype(f.load)>(from);
                take(i, f);
            }
    } else {
#pragma unroll
        for (int i = 0; i < ROWS; i++, from += row)
            if (i < full) {
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++)
                    f.of[k] = ss_read<T>(from + series.apart(k) * sizeof(T));
                take(i, f);
            }
    }
}

/* The nodes of all lanes of a block's series, of which each thread has AT_ONCE. */
template <class A, int AT_ONCE, int OF_TERMS, int LEVEL> struct ss_columns_nodes {
    typedef A number;
    enum {
        TERMS = OF_TERMS,
        SERIES = 32 * AT_ONCE,
        PITCH = SERIES + 16 / (int)sizeof(A), /* so that lanes are in different banks */
        PLANES = LEVEL == SAMESUM_TREE ? 1 : 2
    };
    A of[PLANES][TERMS][SS_LANES][PITCH]; /* s; e */

    __device__ __forceinline__ void put(int term, int lane, int series, ss_node<A> v)
    {
        of[0][term][lane][series] = v.s;
        if (LEVEL != SAMESUM_TREE)
            of[PLANES - 1][term][lane][series] = v.e;
    }
    __device__ __forceinline__ ss_node<A> get(int term, int lane, int series) const
    {
        return {of[0][term][lane][series],
                LEVEL != SAMESUM_TREE ? of[PLANES - 1][term][lane][series] : (A)0};
    }
};

/* AT_ONCE: series of a thread. A turn is what a thread has on its way at a time. */
template <class FROM, int AT_ONCE, int LEVEL> struct ss_columns_of {
    typedef typename FROM::element element;
    typedef typename FROM::number number;
    typedef ss_stack<LEVEL, number, AT_ONCE, 0, SS_COLUMNS_DEPTH, SS_COLUMNS_THREADS> stack;
    typedef ss_columns_nodes<number, AT_ONCE, 1, LEVEL> nodes;
    enum {
        LOAD = AT_ONCE * (int)sizeof(element),
        ROWS = 128 / LOAD > 16 ? 16 : 128 / LOAD, /* of the tree, in a turn */
        LOG = __builtin_ctz(ROWS)
    };
    struct room {
        nodes n;
        stack waiting;
    };
};

/* Blocks of a multiprocessor: what pairs need in registers and shared memory leaves fewer. */
template <int LEVEL> constexpr int ss_columns_blocks = LEVEL == SAMESUM_TREE ? 4 : 3;

/* The nodes of one lane of a thread's series: of `rows` rows of the tree, from p on, `step` bytes
 * apart. */
template <class FROM, int AT_ONCE, int KIND, int LEVEL>
static __device__ __forceinline__ ss_beside<typename FROM::number, AT_ONCE>
ss_columns_lane(typename ss_columns_of<FROM, AT_ONCE, LEVEL>::stack &stack,
                const ss_series<AT_ONCE> &series, const char *p, ptrdiff_t step, int rows)
{
    typedef ss_columns_of<FROM, AT_ONCE, LEVEL> C;
    typedef typename FROM::number A;
    typedef typename FROM::element E;
    typedef ss_beside<A, AT_ONCE> N;
    const E absent = KIND == SS_KIND_SQUARE ? (E)0 : FROM::negative_zero();
    unsigned turn = 0;
    N pending;
#pragma unroll 1
    for (; rows > 0; rows -= C::ROWS, turn++, p += C::ROWS * step) {
        ss_few<E, AT_ONCE> in[C::ROWS];
        const auto take = [&](int i, ss_few<E, AT_ONCE> f) { in[i] = f; };
        if (rows >= C::ROWS) {
            ss_read_series<E, C::ROWS>(series, p, step, C::ROWS, false, take);
        } else { /* what is absent changes no sum */
#pragma unroll
            for (int i = 0; i < C::ROWS; i++)
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++)
                    in[i].of[k] = absent;
            ss_read_series<E, C::ROWS>(series, p, step, rows, false, take);
        }
        N v = ss_tree_of<LEVEL, C::ROWS, N>(
            [&](int i) -> N {
                N leaf;
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++) {
                    A a = FROM::widen(in[i].of[k]);
                    leaf.of[k] = ss_leaf_at<KIND, LEVEL, A>(a, a);
                }
                return leaf;
            },
            0, ss_is_linear<KIND>);
        stack.push(pending, v, turn, C::LOG);
    }
    return stack.root(pending, turn, C::LOG);
}

/* What becomes of the nodes of a block's series. */
template <int LEVEL, class NODES>
static __device__ __forceinline__ void ss_columns_store(const ss_row_sums &s, const NODES &n,
                                                        uint64_t first, uint64_t chunk)
{
    typedef typename NODES::number A;
    const int half = threadIdx.x / 16, lane = threadIdx.x % 16;
    if (chunk == 0 && s.ticket && threadIdx.x < NODES::SERIES && first + threadIdx.x < s.rows)
        for (int t = 0; t < NODES::TERMS; t++) /* for the kernel that merges */
            s.ticket[(first + threadIdx.x) * NODES::TERMS + t] = 0;
    for (int i = half; i < NODES::SERIES && first + i < s.rows; i += SS_COLUMNS_THREADS / 16)
#pragma unroll
        for (int t = 0; t < NODES::TERMS; t++)
            ss_store_lane<LEVEL, A>(s, ((first + i) * NODES::TERMS + t) * s.chunks + chunk, lane,
                                    n.get(t, lane, i));
}
template <int LEVEL, class NODES>
static __device__ __forceinline__ void ss_columns_finish(const ss_row_sums &s, const NODES &n,
                                                         uint64_t first)
{
    typedef typename NODES::number A;
    const uint64_t row = first + threadIdx.x;
    if (threadIdx.x >= NODES::SERIES || row >= s.rows)
        return;
    A sum[2] = {0, 0};
#pragma unroll
    for (int t = 0; t < NODES::TERMS; t++) /* pairs at kahan, too (SPEC.md 4.3) */
        sum[t] = ss_value<LEVEL>(ss_tree_of<LEVEL, SS_LANES, ss_node<A>>(
            [&](int lane) { return n.get(t, lane, threadIdx.x); }, SS_SEGMENT_LEVEL, false));
    if (s.even)
        ss_finish_even(s, row, sum[0]);
    else
        ss_finish_row(s, row, s.numbers, sum);
}

/* s.tasks: (chunk, tile of series), tiles side by side; s.pitch[0]: from number to number of a
 * series. */
template <class FROM, int AT_ONCE, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_COLUMNS_THREADS, (ss_columns_blocks<LEVEL>))
    ss_columns_kernel(const __grid_constant__ ss_row_sums s)
{
    typedef ss_columns_of<FROM, AT_ONCE, LEVEL> C;
    typedef typename FROM::number A;
    extern __shared__ __align__(128) char shared[];
    typename C::room &room = *(typename C::room *)shared;
    const int warp = threadIdx.x / 32;
    const uint64_t tiles = (s.rows + C::nodes::SERIES - 1) / C::nodes::SERIES;
    const uint64_t most = (uint64_t)SS_LANES << s.chunk_log;
    for (uint64_t task = blockIdx.x; task < s.tasks; task += gridDim.x) {
        const uint64_t chunk = task / tiles, first = (task - chunk * tiles) * C::nodes::SERIES;
        const uint64_t begin = chunk * most, rest = s.numbers - begin;
        const int numbers = (int)(rest < most ? rest : most);
        const ss_series<AT_ONCE> series(s, first);
        const char *p = s.x + (ptrdiff_t)begin * s.pitch[0] +
                        (ptrdiff_t)(series.first * sizeof(typename C::element));
#pragma unroll 1
        for (int lane = warp; lane < SS_LANES; lane += SS_COLUMNS_WARPS) {
            const ss_beside<A, AT_ONCE> v = ss_columns_lane<FROM, AT_ONCE, KIND, LEVEL>(
                room.waiting, series, p + lane * s.pitch[0], SS_LANES * s.pitch[0],
                (numbers - lane + SS_LANES - 1) / SS_LANES);
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
                room.n.put(0, lane, series.in_tile(k), v.of[k]);
        }
        __syncthreads();
        if (s.chunks > 1)
            ss_columns_store<LEVEL>(s, room.n, first, chunk);
        else
            ss_columns_finish<LEVEL>(s, room.n, first);
        __syncthreads();
    }
}

#endif
