/* The kernel for rows whose numbers lie side by side in memory: a warp streams its chunks through a
 * ring in shared memory; there a half-warp takes 16 lanes of rows, each thread one lane, so that
 * the tree up to a stage's node is made in registers. */
#ifndef SS_CUDA_DIRECT_CUH
#define SS_CUDA_DIRECT_CUH

#include "cuda/elements.cuh"
#include "cuda/ring.cuh"
#include "cuda/sums.cuh"

/* Stages of 4 KiB, or of two streams of 2 KiB; what bandwidth needs is about 48 KiB on their way in
 * each multiprocessor. */
enum { SS_DIRECT_WARPS = 4, SS_DIRECT_STAGES = 4, SS_DIRECT_BYTES = 4096, SS_DIRECT_DEPTH = 8 };

template <class FROM, int KIND> struct ss_direct {
    typedef typename FROM::element element;
    typedef typename FROM::number number;
    enum {
        STREAMS = KIND == SS_KIND_PRODUCT ? 2 : 1,
        BYTES = SS_DIRECT_BYTES / STREAMS,
        ROWS = BYTES / (int)sizeof(element) / (2 * SS_LANES), /* of a half-warp in a stage */
        NUMBERS = 2 * ROWS * SS_LANES,
        STAGE_LOG = __builtin_ctz(2 * ROWS)
    };
    typedef ss_ring<BYTES, SS_DIRECT_STAGES> ring;
    enum { ROOM = ring::ROOM, SHARED = SS_DIRECT_WARPS * STREAMS * ROOM };
};

/* Walks a warp through its tasks, stage by stage: once ahead for the copies, once behind. */
template <class D> struct ss_direct_walk {
    uint64_t task, step;
    uint64_t left; /* numbers of the chunk that are still to come */
    const char *x, *y;
    ss_task t;

    __device__ __forceinline__ bool done(const ss_sums &s) const
    {
        return task >= s.tasks;
    }
    __device__ __forceinline__ void enter(const ss_sums &s)
    {
        for (left = 0; task < s.tasks; task += step) {
            t = ss_task_at(s, task);
            if (t.none)
                continue;
            uint64_t begin = t.chunk * ((uint64_t)SS_LANES << s.chunk_log);
            uint64_t end = begin + ((uint64_t)SS_LANES << s.chunk_log);
            left = (end < t.numbers ? end : t.numbers) - begin;
            ss_cuda_row r = ss_cuda_row_at(s.view[0], t.row);
            uint64_t at = (r.first * ss_cuda_per(s.view[0]) + begin) * sizeof(typename D::element);
            x = r.place[s.view[0].first] + at;
            y = r.place[SS_Y] + at;
            return;
        }
    }
    /* Numbers of this stage. */
    __device__ __forceinline__ int numbers() const
    {
        return left < D::NUMBERS ? (int)left : (int)D::NUMBERS;
    }
    __device__ __forceinline__ bool last() const
    {
        return left <= D::NUMBERS;
    }
    __device__ __forceinline__ void next(const ss_sums &s)
    {
        if (last()) {
            task += step;
            enter(s);
        } else {
            left -= D::NUMBERS;
            x += D::BYTES;
            y += D::BYTES;
        }
    }
};

/* Fills the places of a stage behind its numbers with what changes no sum. */
template <class FROM, int KIND, class D>
static __device__ __noinline__ void ss_direct_pad(char *x, char *y, int numbers)
{
    typename D::element *ex = (typename D::element *)x, *ey = (typename D::element *)y;
    for (int i = numbers + (int)(threadIdx.x % 32); i < D::NUMBERS; i += 32) {
        ex[i] = KIND == SS_KIND_SQUARE ? (typename D::element)0 : FROM::negative_zero();
        if (KIND == SS_KIND_PRODUCT)
            ey[i] = 0;
    }
    __syncwarp();
}

template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, 3)
    ss_direct_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_direct<FROM, KIND> D;
    typedef typename D::number A;
    typedef typename D::element E;
    typedef ss_node<A> N;
    extern __shared__ __align__(16) char shared[];
    const int warp = threadIdx.x / 32, half = threadIdx.x % 32 / 16, lane = threadIdx.x % 16;
    char *rx = shared + warp * D::STREAMS * D::ROOM, *ry = rx + (D::STREAMS - 1) * D::ROOM;
    const unsigned keep = s.leaf[0] == SS_LEAF_ASUM ? 0x7fffffffu : 0xffffffffu;
    ss_direct_walk<D> in, out;
    in.task = out.task = (uint64_t)blockIdx.x * SS_DIRECT_WARPS + warp;
    in.step = out.step = (uint64_t)gridDim.x * SS_DIRECT_WARPS;
    in.enter(s);
    out.enter(s);
    int filling = 0, using_ = 0;
    auto fill = [&] {
        if (!in.done(s)) {
            int bytes = in.numbers() * (int)sizeof(E);
            D::ring::fill(rx, filling, in.x, bytes);
            if (KIND == SS_KIND_PRODUCT)
                D::ring::fill(ry, filling, in.y, bytes);
            filling = (filling + 1) % SS_DIRECT_STAGES;
            in.next(s);
        }
        D::ring::commit();
    };
    for (int i = 0; i < SS_DIRECT_STAGES - 1; i++)
        fill();
    ss_counter<LEVEL, N, SS_DIRECT_DEPTH> counter;
    unsigned stage = 0; /* of the chunk */
    while (!out.done(s)) {
        fill();
        D::ring::wait();
        char *x = (char *)D::ring::at(rx, using_, (unsigned)(uintptr_t)out.x & 15);
        char *y = (char *)D::ring::at(ry, using_, (unsigned)(uintptr_t)out.y & 15);
        if (out.numbers() < D::NUMBERS)
            ss_direct_pad<FROM, KIND, D>(x, y, out.numbers());
        const E *ex = (const E *)x + half * D::ROWS * SS_LANES + lane;
        const E *ey = (const E *)y + half * D::ROWS * SS_LANES + lane;
        N v = ss_tree_of<LEVEL, D::ROWS, N>(
            [&](int r) {
                A a = FROM::widen(ex[r * SS_LANES]);
                A b = KIND == SS_KIND_PRODUCT ? FROM::widen(ey[r * SS_LANES]) : a;
                return ss_leaf_at<KIND, LEVEL, A>(a, b, keep);
            },
            0, KIND == SS_KIND_LINEAR);
        v = ss_combine<LEVEL>(v, ss_from<LEVEL>(v, 16), D::STAGE_LOG);
        v = counter.push(counter, v, stage, D::STAGE_LOG);
        using_ = (using_ + 1) % SS_DIRECT_STAGES;
        stage++;
        if (out.last()) {
            /* what came of the last push is not the root where the chunk is not full */
            for (; stage & (stage - 1); stage++)
                v = counter.push(counter, ss_neutral<A>(), stage, D::STAGE_LOG);
            ss_complete<LEVEL, A>(s, out.t, v, 0);
            stage = 0;
        }
        out.next(s);
        __syncwarp(); /* before the stage is filled again */
    }
}

#endif
