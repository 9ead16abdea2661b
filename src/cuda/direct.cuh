/* The kernels for rows whose numbers lie side by side in memory: warps make the nodes of tiles,
 * which meet in shared memory. Enough warps are at work at once that their loads keep the memory
 * busy. */
#ifndef SS_CUDA_DIRECT_CUH
#define SS_CUDA_DIRECT_CUH

#include "cuda/overlap.cuh"
#include "cuda/sums.cuh"
#include "cuda/tile.cuh"

enum {
    SS_DIRECT_WARPS = 8,
    SS_DIRECT_HALVES = 2 * SS_DIRECT_WARPS,
    SS_DIRECT_DEPTH = 4, /* tiles that a warp makes, log2, at most */
    SS_DIRECT_TILES = 1 << SS_DIRECT_DEPTH
};

/* ---- nodes of tiles ---------------------------------------------------------------------------
 */

template <class A, int LEVEL> struct ss_tile_nodes {
    enum { TILES = SS_DIRECT_WARPS * SS_DIRECT_TILES, ERRORS = LEVEL == SAMESUM_TREE ? 1 : TILES };
    A s[TILES][SS_LANES], e[ERRORS][SS_LANES];

    __device__ __forceinline__ void put(int tile, int lane, ss_node<A> v)
    {
        s[tile][lane] = v.s;
        if (LEVEL != SAMESUM_TREE)
            e[tile][lane] = v.e;
    }
    __device__ __forceinline__ ss_node<A> get(int tile, int lane) const
    {
        return {s[tile][lane], LEVEL == SAMESUM_TREE ? (A)0 : e[tile][lane]};
    }
};

/* The node of the nodes of `tiles` tiles from `first` on, of level `level`: lane j in the threads j
 * and j + 16 of a warp. By the half-warps 0 ... halves - 1 of a block or warp, which merge into the
 * first of each two, until there are LAST; a missing right neighbour changes nothing. */
template <int LEVEL, int LAST, class A, class SYNC>
static __device__ __forceinline__ ss_node<A> ss_merge_tiles(ss_tile_nodes<A, LEVEL> &nodes,
                                                            int first, int tiles, int level,
                                                            int half, int halves, const SYNC &sync)
{
    const int lane = threadIdx.x % SS_LANES;
    int step = 1;
    sync();
#pragma unroll 1
    for (; step * LAST < tiles; step *= 2) {
        level++;
        for (int i = half * 2 * step; i + step < tiles; i += halves * 2 * step)
            nodes.put(first + i, lane,
                      ss_combine<LEVEL>(nodes.get(first + i, lane),
                                        nodes.get(first + i + step, lane), level));
        sync();
    }
    return ss_tree_of<LEVEL, LAST, ss_node<A>>(
        [&](int i) {
            return i * step < tiles ? nodes.get(first + i * step, lane) : ss_neutral<A>();
        },
        level, false);
}

/* Part of a row: its first numbers in both streams, and how many the row has from there. */
struct ss_span {
    const char *x, *y;
    uint64_t rest;
    int tiles;
    bool first; /* of the row */
};

/* Makes the nodes of the span's tiles from, from + step, ...; tile t's is put at slot + t. */
template <class FROM, int KIND, int LEVEL, class A>
static __device__ __forceinline__ void ss_make_tiles(ss_tile_nodes<A, LEVEL> &nodes, int slot,
                                                     const ss_span &span, int from, int step)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename T::element E;
    const E absent = KIND == SS_KIND_SQUARE ? (E)0 : FROM::negative_zero();
    const int lane = ss_tile_lane<T>();
    const bool puts = !(threadIdx.x & T::TEAM);
#pragma unroll 1
    for (int t = from; t < span.tiles; t += step) {
        const uint64_t rest = span.rest - (uint64_t)t * T::NUMBERS;
        const bool inside = !(span.first && t == 0) && rest >= T::NUMBERS + T::PER;
        const int bytes = rest < T::NUMBERS ? (int)rest * (int)sizeof(E) : (int)T::BYTES;
        ss_vector x[T::LOADS], y[T::LOADS];
        ss_load_tile(x, span.x + t * T::BYTES, bytes, inside, absent);
        if (KIND == SS_KIND_PRODUCT)
            ss_load_tile(y, span.y + t * T::BYTES, bytes, inside, (E)0);
        const ss_node<A> v = ss_tile_node<FROM, KIND, LEVEL>(x, y);
        if (puts)
            nodes.put(slot + t, lane, v);
    }
}

/* The slots of a warp that makes a span alone, and its merge. */
static __device__ __forceinline__ int ss_slot_of_warp()
{
    return (int)(threadIdx.x / 32) * SS_DIRECT_TILES;
}
template <class T, int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> ss_merge_warp(ss_tile_nodes<A, LEVEL> &nodes,
                                                           int tiles)
{
    const ss_node<A> v =
        ss_merge_tiles<LEVEL, 1>(nodes, ss_slot_of_warp(), tiles, T::LOG,
                                 (int)(threadIdx.x % 32 / 16), 2, [] { __syncwarp(); });
    __syncwarp(); /* before the next span's */
    return v;
}
template <class T, int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> ss_merge_block(ss_tile_nodes<A, LEVEL> &nodes,
                                                            int tiles)
{
    return ss_merge_tiles<LEVEL, 8>(nodes, 0, tiles, T::LOG, (int)(threadIdx.x / 16),
                                    SS_DIRECT_HALVES, [] { __syncthreads(); });
}

/* ---- rows at one distance ---------------------------------------------------------------------
 */

/* Blocks of a multiprocessor: pairs need more registers than four leave. */
template <int LEVEL> constexpr int ss_direct_blocks = LEVEL == SAMESUM_COMPENSATED ? 3 : 4;

/* The block's part of a row. */
template <class T>
static __device__ __forceinline__ ss_span ss_part_at(const ss_row_sums &s, uint64_t row,
                                                     uint64_t part)
{
    const uint64_t begin = part << (s.part_log + 4), rest = s.numbers - begin;
    const uint64_t tiles = (rest + T::NUMBERS - 1) / T::NUMBERS, most = 1u << (s.part_log - T::LOG);
    const uint64_t at = begin * sizeof(typename T::element);
    return {s.x + (ptrdiff_t)row * s.pitch[0] + at, s.y + (ptrdiff_t)row * s.pitch[1] + at, rest,
            (int)(tiles < most ? tiles : most), begin == 0};
}

/* s.parts 0: each warp takes s.turns rows, of more than two tiles. Else a block takes a part of a
 * row; the nodes of rows of several parts are merged by another kernel (merge.cu). */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, ss_direct_blocks<LEVEL>)
    ss_even_kernel(const __grid_constant__ ss_row_sums s)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename FROM::number A;
    __shared__ ss_tile_nodes<A, LEVEL> nodes;
    const int warp = (int)(threadIdx.x / 32);
    const bool by_block = s.parts > 0;
    ss_let_next_come();
    uint64_t row = !by_block     ? (uint64_t)blockIdx.x * s.turns * SS_DIRECT_WARPS + warp
                   : s.rows == 1 ? 0 /* a division less */
                                 : blockIdx.x / s.parts;
    ss_span span = ss_part_at<T>(s, row, by_block ? blockIdx.x - (unsigned)row * s.parts : 0);
    ss_wait_for_grid();
    if (blockIdx.x == 0 && s.ticket)
        for (uint64_t i = threadIdx.x; i < s.rows; i += blockDim.x)
            s.ticket[i] = 0; /* for the kernel that merges */
    for (unsigned turn = 0; turn < s.turns && row < s.rows; turn++) {
        ss_make_tiles<FROM, KIND, LEVEL>(nodes, by_block ? 0 : ss_slot_of_warp(), span,
                                         by_block ? warp : 0, by_block ? SS_DIRECT_WARPS : 1);
        ss_node<A> v;
        if (by_block) {
            v = ss_merge_block<T, LEVEL>(nodes, span.tiles);
            if (warp > 0)
                return;
            if (s.parts > 1) {
                ss_store_node<LEVEL, A>(s, blockIdx.x, v);
                return;
            }
        } else {
            v = ss_merge_warp<T, LEVEL>(nodes, span.tiles);
        }
        ss_finish_even_row<LEVEL, A>(s, row, v);
        row += SS_DIRECT_WARPS;
        span.x += SS_DIRECT_WARPS * s.pitch[0];
        span.y += SS_DIRECT_WARPS * s.pitch[1];
    }
}

/* ---- rows of one tile or two ------------------------------------------------------------------
 */

/* Whether there are registers for loading a tile while the one before is at work. */
template <int KIND, int LEVEL>
constexpr bool ss_loads_ahead = KIND != SS_KIND_PRODUCT &&LEVEL != SAMESUM_COMPENSATED;

/* Rows at one distance, of two tiles at most: a warp takes s.turns of them. The next tile's loads
 * are started as soon as the vectors of the one before are free. */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, 3)
    ss_tile_kernel(const __grid_constant__ ss_row_sums s)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename T::element E;
    const E absent = KIND == SS_KIND_SQUARE ? (E)0 : FROM::negative_zero();
    const bool two = s.numbers > T::NUMBERS;
    const int last = ((int)s.numbers - (two ? (int)T::NUMBERS : 0)) * (int)sizeof(E); /* bytes */
    ss_let_next_come();
    uint64_t row = (uint64_t)blockIdx.x * s.turns * SS_DIRECT_WARPS + threadIdx.x / 32;
    const uint64_t end = row + (uint64_t)s.turns * SS_DIRECT_WARPS;
    const uint64_t rows = end < s.rows ? end : s.rows;
    const char *px = s.x + (ptrdiff_t)row * s.pitch[0], *py = s.y + (ptrdiff_t)row * s.pitch[1];
    ss_vector x[T::LOADS], y[T::LOADS];
    ss_node<typename FROM::number> left = ss_neutral<typename FROM::number>();
    bool loaded = false, first = two; /* of two */
    ss_wait_for_grid();
#pragma unroll 1
    while (row < rows) {
        if (!loaded) {
            const int bytes = first ? (int)T::BYTES : last;
            ss_load_tile(x, px, bytes, false, absent);
            if (KIND == SS_KIND_PRODUCT)
                ss_load_tile(y, py, bytes, false, (E)0);
        }
        ss_met_tile<FROM, KIND, LEVEL> met(x, y);
        const uint64_t here = row;
        const bool ends = !first;
        px += ends ? SS_DIRECT_WARPS * s.pitch[0] - (two ? (int)T::BYTES : 0) : (int)T::BYTES;
        py += ends ? SS_DIRECT_WARPS * s.pitch[1] - (two ? (int)T::BYTES : 0) : (int)T::BYTES;
        row += ends ? SS_DIRECT_WARPS : 0;
        first = two && ends;
        loaded = ss_loads_ahead<KIND, LEVEL> && row < rows && (first || last == T::BYTES) &&
                 ((uintptr_t)px & 15) == 0;
        if (loaded)
            ss_load_plain(x, px);
        const auto v = met.node();
        if (ends)
            ss_finish_even_sum(
                s, here,
                ss_tile_result<T, LEVEL>(two ? ss_combine<LEVEL>(left, v, T::LOG + 1) : v));
        left = v;
    }
}

/* ---- any other rows ---------------------------------------------------------------------------
 */

/* Not inlined: it is long, and needed once a chunk. */
template <class T>
static __device__ __noinline__ ss_span ss_span_of(const ss_sums &s, uint64_t task)
{
    const ss_task t = ss_task_at(s, task);
    if (t.none)
        return {};
    const uint64_t chunk = (uint64_t)SS_LANES << s.chunk_log, begin = t.chunk * chunk;
    const uint64_t rest = t.numbers - begin, here = rest < chunk ? rest : chunk;
    const ss_cuda_row r = ss_cuda_row_at(s.view[0], t.row);
    const uint64_t at = (r.first * ss_cuda_per(s.view[0]) + begin) * sizeof(typename T::element);
    return {r.place[s.view[0].first] + at, r.place[SS_Y] + at, rest,
            (int)((here + T::NUMBERS - 1) / T::NUMBERS), begin == 0};
}

/* A warp takes chunks; the last to come to a group of a row's merges them (sums.cuh). */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, ss_direct_blocks<LEVEL>)
    ss_direct_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename FROM::number A;
    __shared__ ss_tile_nodes<A, LEVEL> nodes;
    uint64_t task = (uint64_t)blockIdx.x * SS_DIRECT_WARPS + threadIdx.x / 32;
    for (; task < s.tasks; task += (uint64_t)gridDim.x * SS_DIRECT_WARPS) {
        const ss_span span = ss_span_of<T>(s, task);
        ss_make_tiles<FROM, KIND, LEVEL>(nodes, ss_slot_of_warp(), span, 0, 1);
        ss_complete_task<LEVEL, A>(s, task, ss_merge_warp<T, LEVEL>(nodes, span.tiles));
    }
}

#endif
