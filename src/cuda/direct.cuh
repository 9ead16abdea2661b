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
    SS_DIRECT_WARPS = 4, /* that stream; one more joins their nodes */
    SS_DIRECT_WARPS_LOG = 2,
    SS_DIRECT_STAGES = 4,
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

/* The tasks that a block shares: neighbours, so that what is left to merge at its end are few rows'
 * groups. */
static __device__ __forceinline__ uint64_t ss_first_task(const ss_sums &s, unsigned block)
{
    return s.tasks / gridDim.x * block + (s.tasks % gridDim.x * block) / gridDim.x;
}

/* Rows that lie at one distance: tasks that a block shares, each warp a part of each; or each row a
 * task. Nothing is called on the way: a call would cost the loop its registers. */
template <class D> struct ss_even_walk {
    uint64_t task, end;
    uint64_t part; /* the first number, in its row, of what this warp reads of the task */
    const char *x, *y;
    int at, left; /* numbers: behind, and from here on */

    __device__ __forceinline__ explicit ss_even_walk(const ss_sums &s)
    {
        const int warp = threadIdx.x / 32;
        task =
            s.shared ? ss_first_task(s, blockIdx.x) : (uint64_t)blockIdx.x * SS_DIRECT_WARPS + warp;
        end = s.shared ? ss_first_task(s, blockIdx.x + 1) : s.tasks;
        const uint64_t row = s.shared ? task / s.chunks : task;
        part = s.shared ? ((task - row * s.chunks) << (s.chunk_log + 4)) + warp * share(s) : 0;
        x = s.view[0].place[s.view[0].first] + (ptrdiff_t)row * s.pitch[0];
        y = s.view[0].place[SS_Y] + (ptrdiff_t)row * s.pitch[1];
        enter(s);
    }
    static __device__ __forceinline__ uint64_t share(const ss_sums &s)
    {
        return (uint64_t)SS_LANES / SS_DIRECT_WARPS << s.chunk_log;
    }
    __device__ __forceinline__ void enter(const ss_sums &s)
    {
        const uint64_t most = s.shared ? share(s) : s.numbers;
        const uint64_t rest = s.numbers > part ? s.numbers - part : 0;
        left = (int)(rest < most ? rest : most);
        at = 0;
    }
    __device__ __forceinline__ bool done() const
    {
        return task >= end;
    }
    __device__ __forceinline__ int numbers() const
    {
        return left < D::NUMBERS ? left : (int)D::NUMBERS;
    }
    __device__ __forceinline__ bool last() const
    {
        return left <= D::NUMBERS;
    }
    __device__ __forceinline__ const char *here(const char *row) const
    {
        return row + (part + at) * sizeof(typename D::element);
    }
    __device__ __forceinline__ void next(const ss_sums &s)
    {
        if (!last()) {
            at += D::NUMBERS;
            left -= D::NUMBERS;
            return;
        }
        if (s.shared) {
            task++;
            part += (uint64_t)SS_LANES << s.chunk_log;
            if (part >= s.chunks << (s.chunk_log + 4)) {
                part = threadIdx.x / 32 * share(s);
                x += s.pitch[0];
                y += s.pitch[1];
            }
        } else {
            const unsigned step = gridDim.x * SS_DIRECT_WARPS;
            task += step;
            x += (ptrdiff_t)step * s.pitch[0];
            y += (ptrdiff_t)step * s.pitch[1];
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
    __device__ __forceinline__ const char *here(const char *p) const
    {
        return p;
    }
    __device__ __forceinline__ void next(const ss_sums &s)
    {
        if (!last()) {
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

/* ---- tasks that a block shares ----------------------------------------------------------------
 *
 * A fence waits for the copies that its warp has under way. So the warps that stream leave their
 * nodes in shared memory, and one more warp of the block joins them, writes the task's node and
 * takes its ticket. Two buffers, and named barriers: `full` of the whole block for each buffer,
 * `empty` of each streaming warp and the joining one. */
template <class A> struct ss_exchange {
    A s[2][SS_DIRECT_WARPS][SS_LANES], e[2][SS_DIRECT_WARPS][SS_LANES];
};

enum { SS_DIRECT_THREADS = (SS_DIRECT_WARPS + 1) * 32, SS_BAR_FULL = 1, SS_BAR_EMPTY = 3 };

static __device__ __forceinline__ void ss_bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
static __device__ __forceinline__ void ss_bar_arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/* A streaming warp's node of the block's turn-th task. */
template <int LEVEL, class A>
static __device__ __forceinline__ void ss_hand_over(ss_exchange<A> &x, unsigned turn, ss_node<A> v)
{
    const int warp = threadIdx.x / 32, buffer = turn & 1;
    if (turn >= 2)
        ss_bar_sync(SS_BAR_EMPTY + 2 * warp + buffer, 64);
    if (threadIdx.x % 32 < SS_LANES) {
        x.s[buffer][warp][threadIdx.x % 32] = v.s;
        if (LEVEL != SAMESUM_TREE)
            x.e[buffer][warp][threadIdx.x % 32] = v.e;
    }
    ss_bar_arrive(SS_BAR_FULL + buffer, SS_DIRECT_THREADS);
}

/* The joining warp. Rows that lie between two blocks are completed at the end. */
template <int LEVEL, class A>
static __device__ __noinline__ void ss_join(const ss_sums &s, ss_exchange<A> &x)
{
    typedef ss_node<A> N;
    const int lane = threadIdx.x % 16;
    const uint64_t begin = ss_first_task(s, blockIdx.x), end = ss_first_task(s, blockIdx.x + 1);
    uint64_t row_begin = begin; /* the first task of the row that is at hand */
    for (uint64_t task = begin; task < end; task++) {
        const int buffer = (int)(task - begin & 1);
        ss_bar_sync(SS_BAR_FULL + buffer, SS_DIRECT_THREADS);
        N v = ss_tree_of<LEVEL, SS_DIRECT_WARPS, N>(
            [&](int w) -> N {
                return {x.s[buffer][w][lane], LEVEL != SAMESUM_TREE ? x.e[buffer][w][lane] : (A)0};
            },
            s.chunk_log - SS_DIRECT_WARPS_LOG, false);
        if (task + 2 < end)
            for (int w = 0; w < SS_DIRECT_WARPS; w++)
                ss_bar_arrive(SS_BAR_EMPTY + 2 * w + buffer, 64);
        if (s.chunks == 1) {
            ss_complete_task<LEVEL, A>(s, task, v);
            continue;
        }
        ss_store_node<LEVEL, A>(s, task, v); /* one term: a task's number is its slot */
        if ((task + 1) % s.chunks == 0 || task + 1 == end) {
            ss_complete_run<LEVEL, A>(s, row_begin, task + 1);
            row_begin = task + 1;
        }
    }
}

/* One lane of a half-warp's rows of a stage. Pairs take a few rows at a time: more would not stay
 * in registers. */
template <class FROM, int KIND, int LEVEL>
static __device__ __forceinline__ ss_node<typename FROM::number>
ss_direct_stage(const typename FROM::element *x, const typename FROM::element *y, unsigned keep)
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
                return ss_leaf_at<KIND, LEVEL, A>(a, b, keep);
            },
            0, KIND == SS_KIND_LINEAR);
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
template <class FROM, int KIND, int LEVEL, class WALK, class DONE>
static __device__ __forceinline__ void ss_stream(const ss_sums &s, char *room, const DONE &done)
{
    typedef ss_direct<FROM, KIND> D;
    typedef typename D::number A;
    typedef typename D::element E;
    typedef ss_node<A> N;
    const int half = threadIdx.x % 32 / 16, lane = threadIdx.x % 16;
    char *rx = room, *ry = room + (D::STREAMS - 1) * D::ROOM;
    const unsigned keep = s.leaf[0] == SS_LEAF_ASUM ? 0x7fffffffu : 0xffffffffu;
    WALK in(s), out = in;
    int filling = 0, using_ = 0;
    auto fill = [&] {
        if (!in.done()) {
            int bytes = in.numbers() * (int)sizeof(E);
            D::ring::fill(rx, filling, in.here(in.x), bytes);
            if (KIND == SS_KIND_PRODUCT)
                D::ring::fill(ry, filling, in.here(in.y), bytes);
            filling = (filling + 1) % SS_DIRECT_STAGES;
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
                                                 (const E *)y + half * D::ROWS * SS_LANES + lane,
                                                 keep);
        v = ss_combine<LEVEL>(v, ss_from<LEVEL>(v, 16), D::STAGE_LOG);
        v = counter.push(counter, v, stage, D::STAGE_LOG);
        using_ = (using_ + 1) % SS_DIRECT_STAGES;
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

/* Blocks of a multiprocessor: pairs of binary64 need more registers than three leave. */
template <class A, int LEVEL>
constexpr int ss_direct_blocks = sizeof(A) == 8 && LEVEL != SAMESUM_TREE ? 2 : 3;

/* Rows at one distance whose sums are the results, or are joined by the block's last warp. */
template <class FROM, int KIND, int LEVEL>
__global__ void __launch_bounds__(SS_DIRECT_THREADS,
                                  (ss_direct_blocks<typename FROM::number, LEVEL>))
    ss_even_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_direct<FROM, KIND> D;
    typedef typename D::number A;
    extern __shared__ __align__(16) char shared[];
    __shared__ ss_exchange<A> exchange;
    const int warp = threadIdx.x / 32;
    if (warp == SS_DIRECT_WARPS) {
        if (s.shared)
            ss_join<LEVEL, A>(s, exchange);
        return;
    }
    unsigned turn = 0;
    ss_stream<FROM, KIND, LEVEL, ss_even_walk<D>>(
        s, shared + warp * D::STREAMS * D::ROOM, [&](const ss_even_walk<D> &walk, ss_node<A> v) {
            if (s.shared) {
                ss_hand_over<LEVEL, A>(exchange, turn++, v);
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
    extern __shared__ __align__(16) char shared[];
    ss_stream<FROM, KIND, LEVEL, ss_any_walk<D>>(s,
                                                 shared + threadIdx.x / 32 * D::STREAMS * D::ROOM,
                                                 [&](const ss_any_walk<D> &walk, ss_node<A> v) {
                                                     ss_complete_task<LEVEL, A>(s, walk.task, v);
                                                 });
}

#endif
