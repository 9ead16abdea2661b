/* What one warp does at level exact: keeps its threads' slices on one grid that follows the data,
 * and moves them to integers in shared memory before they can overflow. All threads of the warp
 * call these functions together. */
#ifndef SS_CUDA_EXACT_WARP_CUH
#define SS_CUDA_EXACT_WARP_CUH

#include "cuda/exact_slices.cuh"

enum { SS_CUDA_WARP = 32 };
enum : unsigned { SS_CUDA_ALL = 0xffffffffu };

/* A warp's part of one sum, in shared memory. */
struct ss_cuda_part {
    int word[SS_CUDA_WORDS];
    unsigned kinds;
    unsigned long long count;
};

struct ss_cuda_warp {
    ss_cuda_slices s;
    int limit;   /* of s; the same in all threads, as are added, pending and odd */
    int added;   /* terms that a slice of a thread has taken since it started */
    int pending; /* additions to a word */
    int odd;     /* steps since then whose terms fitted badly */
    unsigned kinds, lane;
    uint32_t most; /* of finite terms since then: the largest ss_high() */
    ss_cuda_part *part;
};

static __device__ __forceinline__ void ss_cuda_warp_start(ss_cuda_warp &w, ss_cuda_part *part)
{
    w.lane = threadIdx.x % SS_CUDA_WARP;
    w.part = part;
    w.limit = SS_CUDA_LIMIT_LEAST;
    w.added = w.pending = w.odd = 0;
    w.kinds = 0;
    w.most = 0;
    ss_cuda_slices_start(w.s, w.limit);
    for (int i = (int)w.lane; i < SS_CUDA_WORDS; i += SS_CUDA_WARP)
        part->word[i] = 0;
    __syncwarp();
}

/* Brings every word but the last below 2^17 in size. From the top down: a carry goes to a word that
 * has passed on its own. */
static __device__ __forceinline__ void ss_cuda_carry(ss_cuda_warp &w)
{
    int *word = w.part->word;
    const int rounds = (SS_CUDA_WORDS + SS_CUDA_WARP - 1) / SS_CUDA_WARP;
    __syncwarp();
#pragma unroll 1
    for (int r = rounds - 1; r >= 0; r--) {
        int i = r * SS_CUDA_WARP + (int)w.lane, carry = 0;
        if (i + 1 < SS_CUDA_WORDS) {
            carry = word[i] >> 16; /* floor */
            word[i] &= 0xffff;
        }
        __syncwarp();
        if (carry != 0)
            atomicAdd(word + i + 1, carry);
        __syncwarp();
    }
    w.pending = 0;
}

/* Announces so many additions to a word by each thread. */
static __device__ __forceinline__ void ss_cuda_expect(ss_cuda_warp &w, int additions)
{
    if (w.pending + SS_CUDA_WARP * additions > SS_CUDA_PENDING)
        ss_cuda_carry(w);
    w.pending += SS_CUDA_WARP * additions;
}

/* The sum over the warp; |v| <= 2^52. */
static __device__ __forceinline__ int64_t ss_cuda_total(int64_t v)
{
    const uint64_t mask = (1u << 26) - 1;
    uint64_t low = __reduce_add_sync(SS_CUDA_ALL, (unsigned)((uint64_t)v & mask));
    uint64_t middle = __reduce_add_sync(SS_CUDA_ALL, (unsigned)((uint64_t)v >> 26 & mask));
    int64_t high = __reduce_add_sync(SS_CUDA_ALL, (int)(v >> 52));
    return (int64_t)(low + (middle << 26) + ((uint64_t)high << 52));
}

/* Moves the slices to the words, and starts them anew with this limit. */
static __device__ __forceinline__ void ss_cuda_flush(ss_cuda_warp &w, int limit)
{
    int64_t mine = 0; /* thread k: of slice k */
#pragma unroll
    for (int k = 0; k < SS_CUDA_SLICES; k++) {
        uint64_t units = ss_bits(w.s.sum[k]) - ss_cuda_start(ss_cuda_grid(w.limit, k));
        int64_t total = ss_cuda_total((int64_t)units);
        mine = (int)w.lane == k ? total : mine;
    }
    ss_cuda_expect(w, 1);
    if (mine != 0)
        ss_cuda_words_add(w.part->word, mine, ss_cuda_grid(w.limit, (int)w.lane));
    w.limit = limit;
    w.added = w.odd = 0;
    w.most = 0;
    ss_cuda_slices_start(w.s, limit);
}

/* Announces so many additions to the slices of each thread. Where slices did not fit the data they
 * start anew with a limit that does: terms much smaller than once met. */
static __device__ __forceinline__ void ss_cuda_make_room(ss_cuda_warp &w, int additions)
{
    const int often = 8;
    if (w.added + additions > SS_CUDA_ADDS) {
        int limit = w.limit;
        if (w.odd >= often) {
            uint32_t most = __reduce_max_sync(SS_CUDA_ALL, w.most);
            limit = ss_cuda_limit_for(most);
        }
        ss_cuda_flush(w, limit);
    }
    w.added += additions;
}

/* size: the largest ss_high() of a finite term in each thread. Where one reaches the limit, that is
 * raised. */
static __device__ __forceinline__ void ss_cuda_raise(ss_cuda_warp &w, uint32_t size)
{
    size = __reduce_max_sync(SS_CUDA_ALL, size);
    if (size >= (uint32_t)(w.limit + 1023) << 20 && w.limit < SS_CUDA_LIMIT_MOST) {
        int announced = w.added;
        ss_cuda_flush(w, ss_cuda_limit_for(size));
        w.added = announced;
        w.most = size;
    }
}

/* One leaf of each thread that has one: x, or where TWO x * y. */
template <bool TWO>
static __device__ __forceinline__ void ss_cuda_warp_leaf(ss_cuda_warp &w, bool present, double x,
                                                         double y)
{
    ss_cuda_expect(w, 3);
    if (present)
        ss_cuda_leaf<TWO>(w.s, w.limit, w.part->word, w.kinds, x, y);
}

/* N leaves of each thread: x, or where TWO x * y; of those that present(i) denies, which are zeros,
 * not even the kind counts. *size receives the largest ss_high() of a finite one. Returns whether
 * they did not fit, and have to be added one by one. FEW: see ss_cuda_ordinary(). */
template <int N, bool TWO, bool FEW, class Present>
static __device__ __forceinline__ bool ss_cuda_batch(ss_cuda_warp &w, const double (&x)[N],
                                                     const double (&y)[N], uint32_t *size,
                                                     const Present &present)
{
    double p[N], e[N];
    uint32_t most = 0, least = SS_HIGH_INFINITE;
    unsigned kinds = SS_CUDA_OTHER;
    bool odd = false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        p[i] = TWO ? f64_mul(x[i], y[i]) : x[i];
        e[i] = TWO ? f64_fma(x[i], y[i], -p[i]) : 0;
        most = max(most, ss_high(p[i]));
        least = min(least, ss_high(p[i]));
    }
    if (TWO && least < SS_HIGH_SAFE) { /* small, and not because of a zero */
#pragma unroll
        for (int i = 0; i < N; i++)
            odd |= ss_high(p[i]) < SS_HIGH_SAFE && x[i] != 0 && y[i] != 0;
    }
    if (most == 0) { /* zeros, or very small numbers */
        kinds = 0;
#pragma unroll
        for (int i = 0; i < N; i++)
            if (ss_bits(p[i]) != SS_MINUS_ZERO && present(i))
                kinds = SS_CUDA_OTHER;
    }
    odd = !ss_cuda_ordinary<N, TWO, FEW>(w.s, odd ? SS_HIGH_INFINITE : most, w.limit, p, e);
    w.kinds |= odd ? 0 : kinds;
    *size = most < SS_HIGH_INFINITE ? most : 0;
    w.most = max(w.most, *size);
    return odd;
}

/* The leaves 0 <= i < n that fetch(i, &x, &y) returns true for, by the warps of a team in turn.
 * Returns how many there were in this thread. */
template <bool TWO, int N, class Fetch>
static __device__ __forceinline__ uint64_t ss_cuda_each(ss_cuda_warp &w, uint64_t n, uint64_t part,
                                                        uint64_t parts, const Fetch &fetch)
{
    uint64_t count = 0;
#pragma unroll 1
    for (uint64_t at = part * SS_CUDA_WARP; at < n; at += N * parts * SS_CUDA_WARP) {
        double x[N], y[N];
        bool present[N];
        uint32_t size;
#pragma unroll
        for (int k = 0; k < N; k++) { /* all of them, before the first is needed */
            uint64_t i = at + (uint64_t)k * parts * SS_CUDA_WARP + w.lane;
            x[k] = y[k] = 0;
            present[k] = i < n && fetch(i, &x[k], &y[k]);
            count += present[k];
        }
        ss_cuda_make_room(w, N);
        bool odd = ss_cuda_batch<N, TWO, false>(w, x, y, &size, [&](int k) { return present[k]; });
        if (__any_sync(SS_CUDA_ALL, odd)) {
            ss_cuda_raise(w, size);
            w.odd++;
#pragma unroll
            for (int k = 0; k < N; k++)
                ss_cuda_warp_leaf<TWO>(w, odd && present[k], x[k], y[k]);
        }
    }
    return count;
}

/* Everything that was added, in the part in shared memory. count: this thread's leaves. */
static __device__ __forceinline__ void ss_cuda_warp_finish(ss_cuda_warp &w, uint64_t count)
{
    ss_cuda_flush(w, w.limit);
    ss_cuda_carry(w);
    unsigned kinds = __reduce_or_sync(SS_CUDA_ALL, w.kinds);
    for (int by = SS_CUDA_WARP / 2; by > 0; by /= 2)
        count += __shfl_xor_sync(SS_CUDA_ALL, (unsigned long long)count, by);
    if (w.lane == 0) {
        w.part->kinds = kinds;
        w.part->count = count;
    }
    __syncwarp();
}

#endif
