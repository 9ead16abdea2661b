/* The kernel for series side by side (columns.cuh) with what is done to their numbers on their way
 * (masked.cuh). A warp walks down one lane of a tile of series, a block all 16 of a chunk. */
#ifndef SS_CUDA_MASKED_COLUMNS_CUH
#define SS_CUDA_MASKED_COLUMNS_CUH

#include "cuda/columns.cuh"
#include "cuda/masked.cuh"

template <class FROM, int AT_ONCE, int MODE, int LEVEL> struct ss_masked_columns_of {
    typedef ss_masked_of<FROM, AT_ONCE, MODE, LEVEL> M;
    typedef typename M::template stack_of<SS_COLUMNS_DEPTH> stack;
    typedef ss_columns_nodes<typename FROM::number, AT_ONCE, M::TERMS, LEVEL> nodes;
    struct room {
        nodes n;
        stack waiting;
        unsigned present[nodes::SERIES];
    };
};

/* What a thread reads, as ss_masked_place: bytes from row to row of the tree. What all series share
 * is read once. */
template <class FROM, int AT_ONCE> struct ss_series_place {
    typedef typename FROM::element E;
    const char *x, *y;
    const char *mask;
    ptrdiff_t row_x, row_y, row_mask;
    bool y_shared, mask_shared;
    const ss_series<AT_ONCE> &series;

    __device__ __forceinline__ void advance(int rows)
    {
        x += rows * row_x;
        y += rows * row_y;
        mask += rows * row_mask;
    }
    template <int ROWS>
    __device__ __forceinline__ void read_x(ss_few<E, AT_ONCE> (&to)[ROWS], int full) const
    {
        ss_read_series<E, ROWS>(series, x, row_x, full, false,
                                [&](int i, ss_few<E, AT_ONCE> f) { to[i] = f; });
    }
    template <int ROWS>
    __device__ __forceinline__ void read_y(ss_few<E, AT_ONCE> (&to)[ROWS], int full) const
    {
        ss_read_series<E, ROWS>(series, y, row_y, full, y_shared,
                                [&](int i, ss_few<E, AT_ONCE> f) { to[i] = f; });
    }
    template <int ROWS>
    __device__ __forceinline__ void read_mask(unsigned (&to)[ROWS], int full) const
    {
        ss_read_series<unsigned char, ROWS>(
            series, mask, row_mask, full, mask_shared,
            [&](int i, ss_few<unsigned char, AT_ONCE> f) { to[i] = f.load; });
    }
    template <int ROWS> __device__ __forceinline__ void read_bits(unsigned (&)[ROWS], int) const
    {
    }
};

/* Number `at` of a thread's series. */
template <class FROM, int AT_ONCE>
static __device__ __forceinline__ ss_series_place<FROM, AT_ONCE>
ss_series_place_at(const ss_sums &s, const ss_series<AT_ONCE> &series, uint64_t at)
{
    const ss_cuda_view &v = s.view[0];
    const ss_axis &next = v.rest.axis[0], &step = v.row.axis[0];
    const ptrdiff_t first = (ptrdiff_t)series.first, from = (ptrdiff_t)at;
    return {v.place[SS_X] + first * next.stride[SS_X] + from * step.stride[SS_X],
            v.place[SS_Y] + first * next.stride[SS_Y] + from * step.stride[SS_Y],
            (const char *)v.mask + first * next.stride[SS_MASK] + from * step.stride[SS_MASK],
            SS_LANES * step.stride[SS_X],
            SS_LANES * step.stride[SS_Y],
            SS_LANES * step.stride[SS_MASK],
            next.stride[SS_Y] == 0,
            next.stride[SS_MASK] == 0,
            series};
}

/* Present numbers of each of a thread's series, of less than 2^16: series 0 and 2, and 1 and 3. */
template <int AT_ONCE> struct ss_series_counts {
    unsigned even = 0, odd = 0;
    template <class TURN> __device__ __forceinline__ void add(const TURN &in)
    {
        unsigned bytes = 0;
#pragma unroll
        for (int i = 0; i < TURN::M::ROWS; i++)
            bytes += in.present(i) >> 7;
        even += bytes & 0x00ff00ff;
        odd += bytes >> 8 & 0x00ff00ff;
    }
    __device__ __forceinline__ unsigned of(int k) const
    {
        return (k & 1 ? odd : even) >> 16 * (k / 2) & 0xffff;
    }
};

/* The nodes of one lane of a thread's series, of `rows` rows of the tree. */
template <class FROM, int AT_ONCE, int MODE, int LEVEL, class STACK, class RULES>
static __device__ __forceinline__ typename ss_masked_of<FROM, AT_ONCE, MODE, LEVEL>::nodes
ss_masked_columns_lane(STACK &stack, ss_series_place<FROM, AT_ONCE> p, const RULES &rules, int rows,
                       bool masked, ss_series_counts<AT_ONCE> &counts)
{
    typedef ss_masked_of<FROM, AT_ONCE, MODE, LEVEL> M;
    typename M::nodes pending;
    unsigned turn = 0;
#pragma unroll 1
    for (; rows > 0; rows -= M::ROWS, turn++) {
        ss_masked_turn<FROM, AT_ONCE, MODE, LEVEL> in;
        const bool full = rows >= M::ROWS;
        if (full) {
            in.read(p, rules.mask_kind, M::ROWS);
        } else {
            in.clear();
            in.read(p, rules.mask_kind, rows);
        }
        p.advance(M::ROWS);
        if (masked) {
            in.sift(rules);
            counts.add(in);
        }
        stack.push(pending, in.node(rules, full && !masked), turn, M::LOG);
    }
    return stack.root(pending, turn, M::LOG);
}

/* s.tasks: (chunk, tile of series), tiles side by side. */
template <class FROM, int AT_ONCE, int MODE, int LEVEL>
__global__ void __launch_bounds__(SS_COLUMNS_THREADS, (ss_masked_blocks<MODE, LEVEL>))
    ss_masked_columns_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_masked_columns_of<FROM, AT_ONCE, MODE, LEVEL> C;
    typedef typename C::nodes nodes;
    typedef typename FROM::number A;
    extern __shared__ __align__(128) char shared[];
    typename C::room &room = *(typename C::room *)shared;
    const int warp = threadIdx.x / 32, me = threadIdx.x;
    const uint64_t tiles = (s.rows + nodes::SERIES - 1) / nodes::SERIES;
    const uint64_t most = (uint64_t)SS_LANES << s.chunk_log;
    const ss_cuda_view &view = s.view[0];
    for (uint64_t task = blockIdx.x; task < s.tasks; task += gridDim.x) {
        const uint64_t chunk = task / tiles, tile = (task - chunk * tiles) * nodes::SERIES;
        const uint64_t begin = chunk * most, rest = s.numbers - begin;
        const int numbers = (int)(rest < most ? rest : most);
        const ss_series<AT_ONCE> series(s, tile);
        ss_masked_rules<A, AT_ONCE> rules;
        ss_masked_common_rules(s, rules);
        rules.factor[0] = rules.factor[1] = 1;
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            rules.centre[k] = view.map == SS_MAP_DEVIATE
                                  ? (A)view.parameter[series.first + series.apart(k)]
                                  : (A)0;
        if (s.masked && me < nodes::SERIES)
            room.present[me] = 0;
        __syncthreads();
        ss_series_counts<AT_ONCE> counts;
#pragma unroll 1
        for (int lane = warp; lane < SS_LANES; lane += SS_COLUMNS_WARPS) {
            const auto v = ss_masked_columns_lane<FROM, AT_ONCE, MODE, LEVEL>(
                room.waiting, ss_series_place_at<FROM>(s, series, begin + lane), rules,
                (numbers - lane + SS_LANES - 1) / SS_LANES, s.masked, counts);
#pragma unroll
            for (int i = 0; i < C::M::TERMS * AT_ONCE; i++)
                room.n.put(i / AT_ONCE, lane, series.in_tile(i % AT_ONCE), v.of[i]);
        }
        if (s.masked)
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
                atomicAdd(&room.present[series.in_tile(k)], counts.of(k));
        __syncthreads();
        if (s.masked && me < nodes::SERIES && tile + me < s.rows)
            atomicAdd(&s.present[tile + me], (unsigned long long)room.present[me]);
        if (s.chunks > 1)
            ss_columns_store<LEVEL>(s, room.n, tile, chunk);
        else
            ss_columns_finish<LEVEL>(s, room.n, tile);
        __syncthreads();
    }
}

#endif
