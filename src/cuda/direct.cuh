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
enum {
    SS_DIRECT_WARPS = 4,
    SS_DIRECT_STAGES = 3,
    SS_DIRECT_BYTES = 4096,
    SS_DIRECT_DEPTH = 6 /* stages of a chunk, log2, at most */
};

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
    typedef ss_stage_ring<BYTES, SS_DIRECT_STAGES> ring;
    enum { ROOM = ring::ROOM, SHARED = SS_DIRECT_WARPS * STREAMS * ROOM };
};

/* ---- walks -------------------------------------------------------------------------------------
 *
 * A walk leads a warp through what it reads, stage by stage: once ahead for the copies, once
 * behind. A task of no numbers is one stage. */

/* Rows that lie at one distance, each a task, or cut into chunks. A block has s.turns tasks of each
 * of its warps, side by side; many blocks, so that the device shares them out. Nothing is called on
 * the way: a call would cost the loop its registers. */
template <class D> struct ss_even_walk {
    uint64_t task, tasks;
    uint64_t begin; /* of the task, in its row */
    const char *x, *y;
    int at, left; /* numbers of the task: behind, and from here on */

    __device__ __forceinline__ explicit ss_even_walk(const ss_row_sums &s)
    {
        task = (uint64_t)blockIdx.x * s.turns * SS_DIRECT_WARPS + threadIdx.x / 32;
        tasks = (uint64_t)(blockIdx.x + 1) * s.turns * SS_DIRECT_WARPS;
        tasks = tasks < s.tasks ? tasks : s.tasks;
        const uint64_t row = s.chunks > 1 ? task / s.chunks : task;
        begin = (task - row * s.chunks) << (s.chunk_log + 4);
        x = s.x + (ptrdiff_t)row * s.pitch[0];
        y = s.y + (ptrdiff_t)row * s.pitch[1];
        enter(s);
    }
    __device__ __forceinline__ void enter(const ss_row_sums &s)
    {
        const uint64_t most = (uint64_t)SS_LANES << s.chunk_log, rest = s.numbers - begin;
        left = (int)(rest < most ? rest : most);
        at = 0;
    }
    __device__ __forceinline__ bool done() const
    {
        return task >= tasks;
    }
    __device__ __forceinline__ int numbers() const
    {
        return left < D::NUMBERS ? left : (int)D::NUMBERS;
    }
    __device__ __forceinline__ bool last() const
    {
        return left <= D::NUMBERS;
    }
    __device__ __forceinline__ bool starts() const
    {
        return begin + at == 0;
    }
    __device__ __forceinline__ bool more() const
    {
        return left >= D::NUMBERS + 16;
    }
    __device__ __forceinline__ const char *here(const char *row) const
    {
        return row + (begin + at) * sizeof(typename D::element);
    }
    __device__ __forceinline__ void next(const ss_row_sums &s)
    {
        if (!last()) {
            at += D::NUMBERS;
            left -= D::NUMBERS;
            return;
        }
        const uint64_t end = s.chunks << (s.chunk_log + 4);
        task += SS_DIRECT_WARPS;
        x += (ptrdiff_t)s.step_rows * s.pitch[0];
        y += (ptrdiff_t)s.step_rows * s.pitch[1];
        begin += s.step_chunks << (s.chunk_log + 4);
        if (begin >= end) {
            begin -= end;
            x += s.pitch[0];
            y += s.pitch[1];
        }
        enter(s);
    }
};

/* What a warp reads of a task, in both streams. */
struct ss_chunk {
    uint64_t numbers;
    const char *x, *y;
};

/* Not inlined: it is long, needed once a chunk, and would lie in the middle of the stages' loop. */
template <class D>
static __device__ __noinline__ ss_chunk ss_chunk_at(const ss_sums &s, uint64_t task)
{
    const ss_task t = ss_task_at(s, task);
    if (t.none)
        return {0, NULL, NULL};
    const uint64_t chunk = (uint64_t)SS_LANES << s.chunk_log, begin = t.chunk * chunk;
    const uint64_t end = begin + chunk < t.numbers ? begin + chunk : t.numbers;
    const ss_cuda_row r = ss_cuda_row_at(s.view[0], t.row);
    const uint64_t at = (r.first * ss_cuda_per(s.view[0]) + begin) * sizeof(typename D::element);
    return {end - begin, r.place[s.view[0].first] + at, r.place[SS_Y] + at};
}

/* Any other rows: a chunk of a row a task. */
template <class D> struct ss_any_walk {
    uint64_t task, end, left;
    const char *x, *y;
    bool first; /* stage of the chunk */

    __device__ __forceinline__ explicit ss_any_walk(const ss_sums &s)
    {
        task = (uint64_t)blockIdx.x * SS_DIRECT_WARPS + threadIdx.x / 32;
        end = s.tasks;
        enter(s);
    }
    __device__ __forceinline__ void enter(const ss_sums &s)
    {
        if (done())
            return;
        const ss_chunk chunk = ss_chunk_at<D>(s, task);
        left = chunk.numbers;
        x = chunk.x;
        y = chunk.y;
        first = true;
    }
    __device__ __forceinline__ bool done() const
    {
        return task >= end;
    }
    __device__ __forceinline__ int numbers() const
    {
        return left < D::NUMBERS ? (int)left : (int)D::NUMBERS;
    }
    __device__ __forceinline__ bool last() const
    {
        return left <= D::NUMBERS;
    }
    __device__ __forceinline__ bool starts() const
    {
        return first;
    }
    __device__ __forceinline__ bool more() const
    {
        return left >= D::NUMBERS + 16;
    }
    __device__ __forceinline__ const char *here(const char *p) const
    {
        return p;
    }
    __device__ __forceinline__ void next(const ss_sums &s)
    {
        if (!last()) {
            first = false;
            left -= D::NUMBERS;
            x += D::BYTES;
            y += D::BYTES;
            return;
        }
        task += gridDim.x * SS_DIRECT_WARPS;
        enter(s);
    }
};

/* Fills the places of a stage behind its numbers with what changes no sum. */
template <class FROM, int KIND, class D>
static __device__ __forceinline__ void ss_direct_pad(char *x, char *y, int numbers)
{
    typename D::element *ex = (typename D::element *)x, *ey = (typename D::element *)y;
    for (int i = numbers + (int)(threadIdx.x % 32); i < D::NUMBERS; i += 32) {
        ex[i] = KIND == SS_KIND_SQUARE ? (typename D::element)0 : FROM::negative_zero();
        if (KIND == SS_KIND_PRODUCT)
            ey[i] = 0;
    }
    __syncwarp();
}

/* One lane of a half-warp's rows of a stage. Pairs take a few rows at a time: more would not stay
 * in registers. */
template <class FROM, int KIND, int LEVEL>
static __device__ __forceinline__ ss_node<typename FROM::number>
ss_direct_stage(const typename FROM::element *x, const typename FROM::element *y)
{
    typedef ss_direct<FROM, KIND> D;
    typedef typename FROM::number A;
    typedef ss_node<A> N;
    enum {
        FEW = LEVEL == SAMESUM_TREE ? D::ROWS : 64 / (int)sizeof(A),
        PART = (int)FEW < (int)D::ROWS ? (int)FEW : (int)D::ROWS,
        PARTS = D::ROWS / PART
    };
    ss_counter<LEVEL, N, __builtin_ctz(PARTS)> counter;
    N v;
#pragma unroll 1
    for (unsigned part = 0; part < PARTS; part++) {
        v = ss_tree_of<LEVEL, PART, N>(
            [&](int r) {
                A a = FROM::widen(x[r * SS_LANES]);
                A b = KIND == SS_KIND_PRODUCT ? FROM::widen(y[r * SS_LANES]) : a;
                return ss_leaf_at<KIND, LEVEL, A>(a, b);
            },
            0, ss_is_linear<KIND>);
        v = counter.push(counter, v, part, __builtin_ctz(PART));
        x += PART * SS_LANES;
        y += PART * SS_LANES;
    }
    return v;
}

/* ---- the stream -------------------------------------------------------------------------------
 *
 * room: the warp's rings. done(walk, node): what becomes of a task's node, whose lane j is in
 * thread j < 16. */
template <class FROM, int KIND, int LEVEL, class WALK, class SUMS, class DONE>
static __device__ __forceinline__ void ss_stream(const SUMS &s, char *room, const DONE &done)
{
    typedef ss_direct<FROM, KIND> D;
    typedef typename D::number A;
    typedef typename D::element E;
    typedef ss_node<A> N;
    const int half = threadIdx.x % 32 / 16, lane = threadIdx.x % 16;
    char *rx = room, *ry = room + (D::STREAMS - 1) * D::ROOM;
    WALK in(s), out = in;
    int filling = 0, using_ = 0;
    auto fill = [&] {
        if (!in.done()) {
            int bytes = in.numbers() * (int)sizeof(E);
            D::ring::fill(rx, filling, in.here(in.x), bytes, in.starts(), in.more());
            if (KIND == SS_KIND_PRODUCT)
                D::ring::fill(ry, filling, in.here(in.y), bytes, in.starts(), in.more());
            filling = filling + 1 == SS_DIRECT_STAGES ? 0 : filling + 1;
            in.next(s);
        }
        D::ring::commit();
    };
#pragma unroll 1
    for (int i = 0; i < SS_DIRECT_STAGES - 1; i++)
        fill();
    ss_counter<LEVEL, N, SS_DIRECT_DEPTH> counter;
    unsigned stage = 0; /* of the task */
    while (!out.done()) {
        fill();
        D::ring::wait();
        char *x = (char *)D::ring::at(rx, using_, (unsigned)(uintptr_t)out.here(out.x) & 15);
        char *y = (char *)D::ring::at(ry, using_, (unsigned)(uintptr_t)out.here(out.y) & 15);
        if (out.numbers() < D::NUMBERS)
            ss_direct_pad<FROM, KIND, D>(x, y, out.numbers());
        N v = ss_direct_stage<FROM, KIND, LEVEL>((const E *)x + half * D::ROWS * SS_LANES + lane,
                                                 (const E *)y + half * D::ROWS * SS_LANES + lane);
        v = ss_combine<LEVEL>(v, ss_from<LEVEL>(v, 16), D::STAGE_LOG);
        v = counter.push(counter, v, stage, D::STAGE_LOG);
        using_ = using_ + 1 == SS_DIRECT_STAGES ? 0 : using_ + 1;
        stage++;
        if (out.last()) {
            /* what came of the last push is not the root where the chunk is not full */
#pragma unroll 1
            for (; stage & (stage - 1); stage++)
                v = counter.push(counter, ss_neutral<A>(), stage, D::STAGE_LOG);
            stage = 0;
            done(out, v);
        }
        out.next(s);
        __syncwarp(); /* before the stage is filled again */
    }
}

/* Blocks of a multiprocessor: pairs of binary64 need more registers than four leave. */
template <class A, int LEVEL>
constexpr int ss_direct_blocks = sizeof(A) == 8 && LEVEL != SAMESUM_TREE ? 3 : 4;

/* Rows at one distance, whose sums are the results, or whose chunks' nodes another kernel merges:
 * tickets need fences, and a fence waits for the copies under way. */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32,
                                  (ss_direct_blocks<typename FROM::number, LEVEL>))
    ss_even_kernel(const __grid_constant__ ss_row_sums s)
{
    typedef ss_direct<FROM, KIND> D;
    typedef typename D::number A;
    extern __shared__ __align__(128) char shared[];
    if (blockIdx.x == 0 && s.chunks > 1)
        for (uint64_t row = threadIdx.x; row < s.rows; row += blockDim.x)
            s.ticket[row] = 0; /* for the kernel that merges */
    ss_stream<FROM, KIND, LEVEL, ss_even_walk<D>>(s,
                                                  shared + threadIdx.x / 32 * D::STREAMS * D::ROOM,
                                                  [&](const ss_even_walk<D> &walk, ss_node<A> v) {
                                                      if (s.chunks > 1) {
                                                          ss_store_node<LEVEL, A>(s, walk.task, v);
                                                          return;
                                                      }
                                                      A sum = ss_lanes_result<LEVEL>(v);
                                                      if (threadIdx.x % 32 == 0)
                                                          ss_finish_even(s, walk.task, sum);
                                                  });
}

/* All others. */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_WARPS * 32, 3)
    ss_direct_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_direct<FROM, KIND> D;
    typedef typename D::number A;
    extern __shared__ __align__(128) char shared[];
    ss_stream<FROM, KIND, LEVEL, ss_any_walk<D>>(s,
                                                 shared + threadIdx.x / 32 * D::STREAMS * D::ROOM,
                                                 [&](const ss_any_walk<D> &walk, ss_node<A> v) {
                                                     ss_complete_task<LEVEL, A>(s, walk.task, v);
                                                 });
}

#endif
