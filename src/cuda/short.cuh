/* The kernel for short rows that lie one after the other without gaps: several of them in a stage
 * of the ring, and a half-warp for each. */
#ifndef SS_CUDA_SHORT_CUH
#define SS_CUDA_SHORT_CUH

#include "cuda/elements.cuh"
#include "cuda/ring.cuh"
#include "cuda/sums.cuh"

enum {
    SS_SHORT_BLOCK = 8, /* tree rows that are taken at a time */
    SS_SHORT_WARPS = 4,
    SS_SHORT_STAGES = 3
};

/* The warp's rings, one for each stream. */
template <class FROM, int KIND> struct ss_short {
    enum { STREAMS = KIND == SS_KIND_PRODUCT ? 2 : 1 };
    typedef ss_stage_ring<SS_SHORT_STAGE / STREAMS, SS_SHORT_STAGES> ring;
    enum { ROOM = ring::ROOM, SHARED = SS_SHORT_WARPS * STREAMS * ROOM };
};

/* The node of a row of n numbers at x (and y). */
template <class FROM, int KIND, int LEVEL>
static __device__ __forceinline__ ss_node<typename FROM::number>
ss_short_row(const typename FROM::element *x, const typename FROM::element *y, int n)
{
    typedef typename FROM::number A;
    typedef ss_node<A> N;
    const int lane = threadIdx.x % 16;
    ss_counter<LEVEL, N, 4> counter;
    N v = ss_neutral<A>();
    unsigned block = 0;
    for (int at = 0; at < n; at += SS_SHORT_BLOCK * SS_LANES, block++) {
        const bool full = at + SS_SHORT_BLOCK * SS_LANES <= n;
        v = ss_tree_of<LEVEL, SS_SHORT_BLOCK, N>(
            [&](int r) -> N {
                int i = at + r * SS_LANES + lane;
                if (!full && i >= n)
                    return ss_neutral<A>();
                A a = FROM::widen(x[i]);
                return ss_leaf_at<KIND, LEVEL, A>(a,
                                                  KIND == SS_KIND_PRODUCT ? FROM::widen(y[i]) : a);
            },
            0, ss_is_linear<KIND>);
        v = counter.push(counter, v, block, 3);
    }
    for (; block & (block - 1); block++)
        v = counter.push(counter, ss_neutral<A>(), block, 3);
    return v;
}

template <class A>
static __device__ __forceinline__ void ss_short_finish(const ss_row_sums &s, uint64_t row,
                                                       uint64_t n, A result)
{
    A sum[2] = {result, 0};
    if (s.even)
        ss_finish_even(s, row, result);
    else
        ss_finish_row(s, row, n, sum);
}

/* s.tasks: stages, of s.chunks rows each. */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_SHORT_WARPS * 32, 3)
    ss_short_kernel(const __grid_constant__ ss_row_sums s)
{
    typedef ss_short<FROM, KIND> D;
    typedef typename FROM::element E;
    typedef typename FROM::number A;
    extern __shared__ __align__(128) char shared[];
    const int warp = threadIdx.x / 32, thread = threadIdx.x % 32, half = thread / 16;
    const int n = (int)s.numbers, bytes = n * (int)sizeof(E);
    const int rows = (int)s.chunks;
    const char *px = s.x, *py = s.y;
    char *rx = shared + warp * D::STREAMS * D::ROOM, *ry = rx + (D::STREAMS - 1) * D::ROOM;
    const uint64_t step = (uint64_t)gridDim.x * SS_SHORT_WARPS;
    uint64_t in = (uint64_t)blockIdx.x * SS_SHORT_WARPS + warp, out = in;
    auto rows_of = [&](uint64_t task) { /* the last stage may have fewer */
                                        return task + 1 < s.tasks ? rows
                                                                  : (int)(s.rows - task * rows);
    };
    int filling = 0, using_ = 0;
    auto fill = [&] {
        if (in < s.tasks) {
            uint64_t at = in * rows * (uint64_t)bytes;
            int all = rows_of(in) * bytes;
            D::ring::fill(rx, filling, px + at, all, in == 0, in + 2 < s.tasks);
            if (KIND == SS_KIND_PRODUCT)
                D::ring::fill(ry, filling, py + at, all, in == 0, in + 2 < s.tasks);
            filling = (filling + 1) % SS_SHORT_STAGES;
            in += step;
        }
        D::ring::commit();
    };
#pragma unroll 1
    for (int i = 0; i < SS_SHORT_STAGES - 1; i++)
        fill();
    for (; out < s.tasks; out += step) {
        fill();
        D::ring::wait();
        uint64_t at = out * rows * (uint64_t)bytes;
        const E *x = (const E *)D::ring::at(rx, using_, (unsigned)(uintptr_t)(px + at) & 15);
        const E *y = (const E *)D::ring::at(ry, using_, (unsigned)(uintptr_t)(py + at) & 15);
        const int here = rows_of(out);
        A results = 0; /* of row `thread` of the last 32, to be written side by side */
        for (int first = 0; first < here; first += 2) {
            int row = first + half, mine = row < here ? row : here - 1; /* both go along */
            ss_node<A> v =
                ss_short_row<FROM, KIND, LEVEL>(x + (size_t)mine * n, y + (size_t)mine * n, n);
            A sum = ss_lanes_result<LEVEL>(v);
            A even = __shfl_sync(0xffffffffu, sum, 0), odd = __shfl_sync(0xffffffffu, sum, 16);
            if (thread / 2 == first / 2 % 16)
                results = thread % 2 ? odd : even;
            if (first % 32 == 30 || first + 2 >= here) {
                int at = first / 32 * 32 + thread;
                if (at < here && thread < first % 32 + 2)
                    ss_short_finish(s, out * rows + at, (uint64_t)n, results);
            }
        }
        using_ = (using_ + 1) % SS_SHORT_STAGES;
        __syncwarp();
    }
}

#endif
