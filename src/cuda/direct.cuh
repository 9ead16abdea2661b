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
    SS_DIRECT_BLOCKS = 3, /* of a multiprocessor, as registers allow */
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

/* Tiles at one distance: of a part of a row, side by side; or rows of one tile each. */
struct ss_span {
    const char *x, *y;        /* the first number, in both streams */
    ptrdiff_t step_x, step_y; /* bytes from tile to tile */
    int rest;  /* numbers that the row has from the first tile on, or a tile more than the span */
    int fewer; /* at each further tile */
    int tiles;
    bool first; /* the first tile is a row's first */

    /* Goes on by so many tiles. */
    __device__ __forceinline__ void skip(int count)
    {
        x += count * step_x;
        y += count * step_y;
        rest -= count * fewer;
        tiles -= count;
        first = first && (fewer == 0 || count == 0);
    }
};

template <class T>
static __device__ __forceinline__ ss_span ss_span_at(const char *x, const char *y, uint64_t rest,
                                                     unsigned most, bool first)
{
    const uint64_t enough = (uint64_t)(most + 1) * T::NUMBERS;
    const int here = (int)(rest < enough ? rest : enough);
    const int tiles = (here + T::NUMBERS - 1) / T::NUMBERS;
    return {x,    y, T::BYTES, T::BYTES, here, T::NUMBERS, tiles < (int)most ? tiles : (int)most,
            first};
}

/* Whether the span's first tile is whole and aligned, in all its streams. */
template <class T> static __device__ __forceinline__ bool ss_is_plain(const ss_span &span)
{
    const uintptr_t places = (uintptr_t)span.x | (T::STREAMS == 2 ? (uintptr_t)span.y : 0);
    return span.rest >= T::NUMBERS && (places & 15) == 0;
}

/* The span's first tile, whatever it is. */
template <class FROM, int KIND, class T>
static __device__ __forceinline__ void ss_load_first(const ss_span &span, ss_vector (&x)[T::LOADS],
                                                     ss_vector (&y)[T::LOADS])
{
    typedef typename T::element E;
    const E absent = KIND == SS_KIND_SQUARE ? (E)0 : FROM::negative_zero();
    const int bytes = (span.rest < T::NUMBERS ? span.rest : (int)T::NUMBERS) * (int)sizeof(E);
    const bool inside = !span.first && span.rest >= T::NUMBERS + T::PER;
    ss_load_tile(x, span.x, bytes, inside, absent);
    if (KIND == SS_KIND_PRODUCT)
        ss_load_tile(y, span.y, bytes, inside, (E)0);
}

/* Whether there are registers for loading a tile while the one before is at work. */
template <int KIND, int LEVEL>
constexpr bool ss_loads_ahead = KIND != SS_KIND_PRODUCT &&LEVEL != SAMESUM_COMPENSATED;

/* The span's tiles from, from + step, ...: done(t, node of tile t). Where that is possible, the
 * loads of a plain tile are started as soon as the vectors of the one before are free. */
template <class FROM, int KIND, int LEVEL, class DONE>
static __device__ __forceinline__ void ss_make_tiles(ss_span span, int from, int step,
                                                     const DONE &done)
{
    typedef ss_tile_of<FROM, KIND> T;
    ss_vector x[T::LOADS], y[T::LOADS];
    bool loaded = false;
    span.skip(from);
#pragma unroll 1
    for (int t = from; span.tiles > 0; t += step) {
        if (!loaded)
            ss_load_first<FROM, KIND, T>(span, x, y);
        ss_met_tile<FROM, KIND, LEVEL> met(x, y);
        span.skip(step);
        loaded = ss_loads_ahead<KIND, LEVEL> && span.tiles > 0 && ss_is_plain<T>(span);
        if (loaded)
            ss_load_plain(x, span.x);
        done(t, met.node());
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

/* The block's part of a row, or what a warp takes of rows of several tiles. */
template <class T>
static __device__ __forceinline__ ss_span ss_part_at(const ss_row_sums &s, uint64_t row,
                                                     uint64_t part)
{
    const uint64_t begin = part << (s.part_log + 4), at = begin * sizeof(typename T::element);
    return ss_span_at<T>(s.x + (ptrdiff_t)row * s.pitch[0] + at,
                         s.y + (ptrdiff_t)row * s.pitch[1] + at, s.numbers - begin,
                         1u << (s.part_log - T::LOG), begin == 0);
}

/* s.parts 0: each warp takes s.turns rows. Else a block takes a part of a row; the nodes of rows of
 * several parts are merged by another kernel (merge.cu). */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, SS_DIRECT_BLOCKS)
    ss_even_kernel(const __grid_constant__ ss_row_sums s)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename FROM::number A;
    __shared__ ss_tile_nodes<A, LEVEL> nodes;
    const int warp = (int)(threadIdx.x / 32), lane = ss_tile_lane<T>();
    const bool by_block = s.parts > 0, puts = !(threadIdx.x & T::TEAM);
    ss_let_next_come();
    uint64_t row = !by_block     ? (uint64_t)blockIdx.x * s.turns * SS_DIRECT_WARPS + warp
                   : s.rows == 1 ? 0 /* a division less */
                                 : blockIdx.x / s.parts;
    ss_span span = ss_part_at<T>(s, row, by_block ? blockIdx.x - (unsigned)row * s.parts : 0);
    unsigned turns = s.turns;
    const bool alone = !by_block && span.tiles == 1; /* the turns' rows are the span's tiles */
    if (alone) {
        const uint64_t left = (s.rows - row + SS_DIRECT_WARPS - 1) / SS_DIRECT_WARPS;
        span.step_x = SS_DIRECT_WARPS * s.pitch[0];
        span.step_y = SS_DIRECT_WARPS * s.pitch[1];
        span.fewer = 0;
        span.tiles = row < s.rows ? (int)(left < turns ? left : turns) : 0;
        turns = 1;
    }
    ss_wait_for_grid();
    if (blockIdx.x == 0 && s.ticket)
        for (uint64_t i = threadIdx.x; i < s.rows; i += blockDim.x)
            s.ticket[i] = 0; /* for the kernel that merges */
    for (; turns > 0 && row < s.rows; turns--) {
        ss_make_tiles<FROM, KIND, LEVEL>(
            span, by_block ? warp : 0, by_block ? SS_DIRECT_WARPS : 1, [&](int t, ss_node<A> v) {
                if (alone)
                    ss_finish_even_sum(s, row + (uint64_t)t * SS_DIRECT_WARPS,
                                       ss_tile_result<T, LEVEL>(v));
                else if (puts)
                    nodes.put(by_block ? t : ss_slot_of_warp() + t, lane, v);
            });
        if (alone)
            return;
        const ss_node<A> v = by_block ? ss_merge_block<T, LEVEL>(nodes, span.tiles)
                                      : ss_merge_warp<T, LEVEL>(nodes, span.tiles);
        if (by_block && warp > 0)
            return;
        if (s.parts > 1)
            ss_store_node<LEVEL, A>(s, blockIdx.x, v);
        else
            ss_finish_even_sum(s, row, ss_lanes_result<LEVEL>(v));
        row += SS_DIRECT_WARPS;
        span.x += SS_DIRECT_WARPS * s.pitch[0];
        span.y += SS_DIRECT_WARPS * s.pitch[1];
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
    const ss_cuda_row r = ss_cuda_row_at(s.view[0], t.row);
    const uint64_t at = (r.first * ss_cuda_per(s.view[0]) + begin) * sizeof(typename T::element);
    return ss_span_at<T>(r.place[s.view[0].first] + at, r.place[SS_Y] + at, t.numbers - begin,
                         1u << (s.chunk_log - T::LOG), begin == 0);
}

/* A warp takes chunks; the last to come to a group of a row's merges them (sums.cuh). */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, SS_DIRECT_BLOCKS)
    ss_direct_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename FROM::number A;
    __shared__ ss_tile_nodes<A, LEVEL> nodes;
    const int lane = ss_tile_lane<T>();
    const bool puts = !(threadIdx.x & T::TEAM);
    uint64_t task = (uint64_t)blockIdx.x * SS_DIRECT_WARPS + threadIdx.x / 32;
    for (; task < s.tasks; task += (uint64_t)gridDim.x * SS_DIRECT_WARPS) {
        const ss_span span = ss_span_of<T>(s, task);
        ss_make_tiles<FROM, KIND, LEVEL>(span, 0, 1, [&](int t, ss_node<A> v) {
            if (puts)
                nodes.put(ss_slot_of_warp() + t, lane, v);
        });
        ss_complete_task<LEVEL, A>(s, task, ss_merge_warp<T, LEVEL>(nodes, span.tiles));
    }
}

#endif
