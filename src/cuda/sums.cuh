/* Sums of rows in the fixed tree: what all kernels share. A row is cut into parts of a power of two
 * of the tree's rows each, a block's or a warp's (chunks), whose nodes go to the workspace. There
 * another kernel merges them (merge.cu), or the warp that comes last to a group of chunks (integer
 * tickets). Who comes last changes no bit. */
#ifndef SS_CUDA_SUMS_CUH
#define SS_CUDA_SUMS_CUH

#include "cuda/node.cuh"
#include "cuda/sink.cuh"
#include "cuda/view.cuh"

/* What becomes of a row's sums. */
enum ss_finish {
    SS_FINISH_SUM,      /* they are the result */
    SS_FINISH_MEAN,     /* SPEC.md 6.2 */
    SS_FINISH_QUOTIENT, /* SPEC.md 6.7 */
    SS_FINISH_NRM2,     /* SPEC.md 6.1 step 3; asks for step 4 through `wanted` */
    SS_FINISH_SCALED,   /* SPEC.md 6.1 step 4 */
    SS_FINISH_CENTRE,   /* the mean, for the second pass of SPEC.md 6.3 */
    SS_FINISH_VAR,      /* SPEC.md 6.3 */
    SS_FINISH_STD       /* SPEC.md 6.4 */
};

/* What kernels need that know how rows lie: little, since a kernel waits for what it is handed. */
struct ss_row_sums {
    const char *x, *y; /* the first row, in both streams, where rows lie side by side */
    uint64_t rows;
    int per;     /* numbers of an element */
    bool masked; /* some elements may be absent */
    ss_leaf leaf[2];
    int terms;
    int chunk_log;          /* tree rows of a chunk, log2 */
    uint64_t numbers;       /* of each row, where rows are alike */
    uint64_t chunks, tasks; /* of each such row; (row, chunk, term) in all */
    bool even;              /* a row's sum is its result */
    ptrdiff_t pitch[2];     /* bytes from row to row, where they lie at one distance; or from number
                             * to number, where series lie side by side */
    unsigned parts;         /* nodes of a row and term that another kernel merges; of even rows: one
                             * of a block; 0: a warp takes `turns` rows */
    int part_log;           /* tree rows of a part, log2 */
    unsigned turns;         /* of masked rows: 0: a row for each group of a warp's threads */
    bool beside;            /* of series: a thread's are loaded together */
    /* workspace */
    unsigned *ticket; /* zero at first; 2 for each task, or one for each row of parts */
    unsigned *row_ticket;
    unsigned long long *present; /* zero at first; of each row, where elements may be absent */
    double *sum;                 /* of each row and term, where there are two */
    void *node;                  /* 16 nodes for each task, or part, where rows have several */
    /* between passes: of each row */
    double *parameter; /* the centre, or the largest magnitude */
    int *wanted;       /* whether SPEC.md 6.1 step 4 is to be done; NULL: for all rows */
    ss_finish finish;
    unsigned ddof;
    ss_cuda_sink sink;
};

struct ss_sums : ss_row_sums {
    ss_cuda_view view[2]; /* of each term; the same rows */
};

/* ---- tasks ------------------------------------------------------------------------------------
 */

struct ss_task {
    uint64_t row, chunk, chunks; /* chunks of this row */
    uint64_t slot;               /* of the row's first chunk among all */
    uint64_t numbers;            /* of the row */
    int term;
    bool none; /* nothing to do */
};

/* Whether a row's sums are of use: not where SPEC.md 6.1 step 4 is not to be done. */
static __device__ __forceinline__ bool ss_is_wanted(const ss_row_sums &s, uint64_t row)
{
    return !s.wanted || s.finish != SS_FINISH_SCALED || s.wanted[row];
}

/* The first slot of segment i: floor(offset / chunk) + i never gives two segments one slot, and
 * none fewer than it has chunks. */
static __device__ __forceinline__ uint64_t ss_segment_slot(const ss_sums &s, uint64_t i)
{
    uint64_t at = s.view[0].offsets[i];
    at = at < s.view[0].n ? at : s.view[0].n;
    return ((at * ss_cuda_per(s.view[0])) >> (s.chunk_log + 4)) + i;
}

/* The segment whose slots hold `slot`. */
static __device__ inline uint64_t ss_segment_of(const ss_sums &s, uint64_t slot)
{
    uint64_t low = 0, high = s.view[0].rows;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (ss_segment_slot(s, middle) <= slot)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static __device__ inline ss_task ss_task_at(const ss_sums &s, uint64_t task)
{
    const ss_cuda_view &v = s.view[0];
    const uint64_t chunk_numbers = (uint64_t)SS_LANES << s.chunk_log;
    ss_task t;
    t.term = s.terms == 2 ? (int)(task & 1) : 0;
    task = s.terms == 2 ? task >> 1 : task;
    if (v.offsets) {
        t.row = ss_segment_of(s, task);
        t.slot = ss_segment_slot(s, t.row);
        t.chunk = task - t.slot;
        uint64_t from = v.offsets[t.row], to = v.offsets[t.row + 1];
        t.numbers = from < to && to <= v.n ? (to - from) * ss_cuda_per(v) : 0;
        t.chunks = t.numbers > 0 ? (t.numbers + chunk_numbers - 1) / chunk_numbers : 1;
    } else {
        t.chunks = s.chunks;
        t.row = s.chunks == 1 ? task : task / s.chunks;
        t.chunk = task - t.row * s.chunks;
        t.slot = t.row * s.chunks;
        t.numbers = v.n * ss_cuda_per(v);
    }
    t.none = t.chunk >= t.chunks || !ss_is_wanted(s, t.row);
    return t;
}

/* ---- results ----------------------------------------------------------------------------------
 */

static __device__ __forceinline__ double ss_of_count(double, uint64_t n)
{
    return __ull2double_rn(n);
}
static __device__ __forceinline__ float ss_of_count(float, uint64_t n)
{
    return __ull2float_rn(n);
}

/* SPEC.md 6.1 step 3, or what asks for step 4. */
template <class A>
static __device__ void ss_finish_nrm2(const ss_row_sums &s, uint64_t row, A sumsq, uint64_t n)
{
    const A least = sizeof(A) == 8 ? (A)0x1p-960 : (A)0x1p-100;
    bool plain = n == 0 || (isfinite(sumsq) && sumsq >= least);
    if (plain)
        ss_cuda_write(s.sink, row, 0, n == 0 ? (A)0 : ss_sqrt(sumsq));
    s.wanted[row] = !plain;
}

/* SPEC.md 6.1 step 4; step 1 where the largest is no finite number. */
template <class A>
static __device__ void ss_finish_scaled(const ss_row_sums &s, uint64_t row, A sumsq)
{
    double most = s.parameter[row];
    double r = most;
    if (isfinite(most) && most != 0) {
        A root = ss_sqrt(sumsq);
        r = sizeof(A) == 8 ? scalbn((double)root, ilogb(most)) : scalbnf((float)root, ilogb(most));
    }
    ss_cuda_write(s.sink, row, 0, r);
}

/* SPEC.md 6.3 step 2, and 6.4. */
template <class A> static __device__ A ss_spread(bool root, unsigned ddof, A q, A c, uint64_t n)
{
    if (n <= ddof)
        return (A)NAN;
    A less = ss_div(ss_mul(c, c), ss_of_count(A(), n));
    A v = ss_div(ss_sub(q, less), ss_of_count(A(), n - ddof));
    v = v <= 0 ? 0 : v;
    return root ? ss_sqrt(v) : v;
}

template <class A> static __device__ A ss_mean_of(A sum, uint64_t n)
{
    return n > 0 ? ss_div(sum, ss_of_count(A(), n)) : (A)NAN;
}

/* sum: of each term. */
template <class A>
static __device__ __noinline__ void ss_finish_row(const ss_row_sums &s, uint64_t row,
                                                  uint64_t numbers, const A sum[2])
{
    uint64_t n = s.masked ? __ldcg(&s.present[row]) : s.per == 2 ? numbers >> 1 : numbers;
    switch (s.finish) {
    case SS_FINISH_SUM:
        for (int i = 0; i < s.terms; i++) /* SPEC.md 1: +0.0 where no leaf is present */
            ss_cuda_write(s.sink, row, i, n > 0 ? sum[i] : (A)0);
        break;
    case SS_FINISH_MEAN:
        for (int i = 0; i < s.terms; i++)
            ss_cuda_write(s.sink, row, i, ss_mean_of(sum[i], n));
        break;
    case SS_FINISH_QUOTIENT:
        ss_cuda_write(s.sink, row, 0, n > 0 && sum[1] != 0 ? ss_div(sum[0], sum[1]) : (A)NAN);
        break;
    case SS_FINISH_NRM2:
        ss_finish_nrm2(s, row, sum[0], n);
        break;
    case SS_FINISH_SCALED:
        ss_finish_scaled(s, row, sum[0]);
        break;
    case SS_FINISH_CENTRE:
        s.parameter[row] = ss_mean_of(sum[0], n);
        break;
    case SS_FINISH_VAR:
    case SS_FINISH_STD:
        ss_cuda_write(s.sink, row, 0,
                      ss_spread(s.finish == SS_FINISH_STD, s.ddof, sum[0], sum[1], n));
        break;
    }
}

/* ---- merging ----------------------------------------------------------------------------------
 */

/* Whether this warp is the last of `count` to come; what the others wrote before can then be read,
 * past the first cache. */
static __device__ inline bool ss_arrive(unsigned *ticket, unsigned count)
{
    unsigned before = 0;
    __threadfence();
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        before = atomicAdd(ticket, 1u);
    bool last = __shfl_sync(0xffffffffu, before, 0) == count - 1;
    __threadfence();
    return last;
}

/* A node in memory: s of 16 lanes, and e behind it. */
template <int LEVEL, class A>
static __device__ __forceinline__ void ss_store_lane(const ss_row_sums &s, uint64_t slot, int lane,
                                                     ss_node<A> v)
{
    A *to = (A *)s.node + slot * (2 * SS_LANES) + lane;
    to[0] = v.s;
    if (LEVEL != SAMESUM_TREE)
        to[SS_LANES] = v.e;
}
template <int LEVEL, class A>
static __device__ __forceinline__ void ss_store_node(const ss_row_sums &s, uint64_t slot,
                                                     ss_node<A> v)
{
    if (threadIdx.x % 32 < 16)
        ss_store_lane<LEVEL, A>(s, slot, threadIdx.x % 16, v);
}
template <int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> ss_load_node(const ss_row_sums &s, uint64_t slot)
{
    const A *from = (const A *)s.node + slot * (2 * SS_LANES) + threadIdx.x % 16;
    return {__ldcg(from), LEVEL != SAMESUM_TREE ? __ldcg(from + SS_LANES) : (A)0};
}

/* The node of count nodes of this level in slots first, first + step, ...; thread j < 16 of the
 * warp has lane j of it. Each half-warp merges half of them, eight at a time. */
template <int LEVEL, class A>
static __device__ __noinline__ ss_node<A> ss_merge(const ss_row_sums &s, uint64_t first,
                                                   uint64_t step, unsigned count, int level)
{
    constexpr int BATCH = 16, BATCH_LOG = 4, DEPTH = 12;
    int height = 32 - __clz((int)count - 1); /* count >= 2 */
    unsigned half = 1u << (height - 1), begin = threadIdx.x % 32 / 16 * half;
    ss_counter<LEVEL, ss_node<A>, DEPTH> counter;
    ss_node<A> v;
    for (unsigned b = 0; b < half; b += BATCH) {
        ss_node<A> in[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            unsigned at = begin + b + i;
            in[i] = b + i < half && at < count ? ss_load_node<LEVEL, A>(s, first + at * step)
                                               : ss_neutral<A>();
        }
        v = ss_tree_of<LEVEL, BATCH, ss_node<A>>([&](int i) { return in[i]; }, level, false);
        v = counter.push(counter, v, b / BATCH, level + BATCH_LOG);
    }
    return ss_combine<LEVEL>(v, ss_from<LEVEL>(v, 16), level + height);
}

/* ss_finish_row() for an even row's sum. */
template <class A>
static __device__ __forceinline__ void ss_finish_even(const ss_row_sums &s, uint64_t row, A sum)
{
    char *to = s.sink.results + row * s.sink.bytes;
    if (sizeof(A) == 8)
        *(double *)to = isnan(sum) ? __longlong_as_double(0x7ff8000000000000LL) : (double)sum;
    else
        *(float *)to = isnan(sum) ? __int_as_float(0x7fc00000) : (float)sum;
}

/* The sum of a row at one distance is there, in a warp's first thread. */
template <class A>
static __device__ __forceinline__ void ss_finish_even_sum(const ss_row_sums &s, uint64_t row, A v)
{
    A sum[2] = {v, 0};
    if (threadIdx.x % 32 != 0)
        return;
    if (s.even)
        ss_finish_even(s, row, sum[0]);
    else
        ss_finish_row(s, row, s.numbers, sum);
}

/* The node of a row at one distance is there, in a warp. */
template <int LEVEL, class A>
static __device__ __forceinline__ void ss_finish_even_row(const ss_row_sums &s, uint64_t row,
                                                          ss_node<A> v)
{
    ss_finish_even_sum(s, row, ss_lanes_result<LEVEL>(v));
}

/* A term's sum is there: where it is the row's last, the row is finished. By one thread. */
template <class A>
static __device__ void ss_finish_term(const ss_row_sums &s, const ss_task &t, A value)
{
    A sum[2] = {value, 0};
    if (s.terms == 2) {
        s.sum[2 * t.row + t.term] = value;
        __threadfence();
        if (atomicAdd(&s.row_ticket[t.row], 1u) == 0)
            return;
        __threadfence();
        sum[0] = (A)__ldcg(&s.sum[2 * t.row]);
        sum[1] = (A)__ldcg(&s.sum[2 * t.row + 1]);
    }
    ss_finish_row(s, t.row, t.numbers, sum);
}

/* Nodes of a row are merged in groups of up to 2^SS_GROUP_LOG, groups of these likewise, and so on
 * up. A group's node takes the place of its first. */
enum { SS_GROUP_LOG = 5, SS_GROUP = 1 << SS_GROUP_LOG };

struct ss_group {
    uint64_t first, slot; /* chunk; place of its node in the workspace */
    unsigned *ticket;
    unsigned members;
};

/* Group g of the nodes that are left, one for each of `each` chunks, of count; `taken`: tickets of
 * the row's groups of lower height. */
static __device__ __forceinline__ ss_group ss_group_at(const ss_row_sums &s, const ss_task &t,
                                                       uint64_t g, int height, uint64_t count,
                                                       uint64_t taken)
{
    const uint64_t row_slot = t.slot * s.terms + t.term;
    const uint64_t left = count - (g << SS_GROUP_LOG);
    ss_group group;
    group.first = g << (SS_GROUP_LOG * (height + 1));
    group.slot = row_slot + group.first * s.terms;
    group.ticket = &s.ticket[2 * t.slot * s.terms + t.term * t.chunks + taken + g];
    group.members = left < SS_GROUP ? (unsigned)left : SS_GROUP;
    return group;
}

/* All nodes of group g of chunks are there. Goes up from group to group as long as this warp is the
 * last to come. Returns whether it came to the row's node, lane j in thread j < 16 of the warp. */
template <int LEVEL, class A>
static __device__ bool ss_complete_groups(const ss_row_sums &s, const ss_task &t, uint64_t g,
                                          ss_node<A> &v)
{
    uint64_t count = t.chunks, taken = 0;
    int level = s.chunk_log;
    for (int height = 0;; height++) {
        const ss_group group = ss_group_at(s, t, g, height, count, taken);
        v = group.members > 1
                ? ss_merge<LEVEL, A>(s, group.slot, (uint64_t)s.terms << (SS_GROUP_LOG * height),
                                     group.members, level)
                : ss_load_node<LEVEL, A>(s, group.slot);
        level += SS_GROUP_LOG;
        const uint64_t groups = (count + SS_GROUP - 1) >> SS_GROUP_LOG;
        if (groups == 1)
            return true;
        ss_store_node<LEVEL, A>(s, group.slot, v);
        taken += groups;
        count = groups;
        g >>= SS_GROUP_LOG;
        const ss_group above = ss_group_at(s, t, g, height + 1, count, taken);
        if (!ss_arrive(above.ticket, above.members))
            return false;
    }
}

/* The node of a task's chunk is there. Returns the row's node as above where it is complete. */
template <int LEVEL, class A>
static __device__ bool ss_complete_chunk(const ss_row_sums &s, const ss_task &t, ss_node<A> &v)
{
    const uint64_t g = t.chunk >> SS_GROUP_LOG;
    const ss_group group = ss_group_at(s, t, g, 0, t.chunks, 0);
    ss_store_node<LEVEL, A>(s, t.slot * s.terms + t.term + t.chunk * s.terms, v);
    return ss_arrive(group.ticket, group.members) && ss_complete_groups<LEVEL, A>(s, t, g, v);
}

/* The row's node is there. */
template <int LEVEL, class A>
static __device__ __forceinline__ void ss_complete_row(const ss_row_sums &s, const ss_task &t,
                                                       ss_node<A> v)
{
    A value = ss_lanes_result<LEVEL>(v);
    if (threadIdx.x % 32 == 0)
        ss_finish_term(s, t, value);
}

/* present: of the chunk's elements, where some may be absent; the same in all threads. */
template <int LEVEL, class A>
static __device__ __forceinline__ void ss_complete(const ss_row_sums &s, const ss_task &t,
                                                   ss_node<A> v, unsigned present)
{
    const bool first = threadIdx.x % 32 == 0;
    if (first && t.term == 0 && s.masked)
        atomicAdd(&s.present[t.row], (unsigned long long)present);
    if (t.chunks > 1 && !ss_complete_chunk<LEVEL, A>(s, t, v))
        return;
    ss_complete_row<LEVEL, A>(s, t, v);
}

/* The same for a task all of whose elements are present. Not inlined: it is long, and needed once a
 * chunk. */
template <int LEVEL, class A>
static __device__ __noinline__ void ss_complete_task(const ss_sums &s, uint64_t task, ss_node<A> v)
{
    const ss_task t = ss_task_at(s, task);
    if (!t.none)
        ss_complete<LEVEL, A>(s, t, v, 0);
}

#endif
