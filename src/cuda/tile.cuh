/* Tiles: what a warp loads at a time of numbers that lie side by side, and their node. Each load is
 * of 512 contiguous bytes, 16 in each thread, since memory is read fastest so. Rows of the tree
 * then lie across threads: a thread has a few lanes of one row of each load. */
#ifndef SS_CUDA_TILE_CUH
#define SS_CUDA_TILE_CUH

#include "cuda/elements.cuh"

/* 16 bytes of memory. */
struct ss_vector {
    unsigned word[4];

    __device__ __forceinline__ void get(int i, double *x) const
    {
        *x = __hiloint2double((int)word[2 * i + 1], (int)word[2 * i]);
    }
    __device__ __forceinline__ void get(int i, float *x) const
    {
        *x = __uint_as_float(word[i]);
    }
    __device__ __forceinline__ void get(int i, unsigned short *x) const
    {
        *x = (unsigned short)(word[i / 2] >> i % 2 * 16);
    }
    __device__ __forceinline__ void put(int i, double x)
    {
        word[2 * i] = (unsigned)__double2loint(x);
        word[2 * i + 1] = (unsigned)__double2hiint(x);
    }
    __device__ __forceinline__ void put(int i, float x)
    {
        word[i] = __float_as_uint(x);
    }
    /* Into what is zero. */
    __device__ __forceinline__ void put(int i, unsigned short x)
    {
        word[i / 2] |= (unsigned)x << i % 2 * 16;
    }
};

/* A tile of one stream, or of two of half of the bytes each. */
template <class FROM, int KIND> struct ss_tile_of {
    typedef typename FROM::element element;
    typedef typename FROM::number number;
    enum {
        STREAMS = KIND == SS_KIND_PRODUCT ? 2 : 1,
        LOADS = 8 / STREAMS,
        BYTES = LOADS * 512,
        NUMBERS = BYTES / (int)sizeof(element),
        LOG = __builtin_ctz(NUMBERS / SS_LANES), /* of its rows */
        PER = 16 / (int)sizeof(element),         /* lanes in a thread */
        TEAM = SS_LANES / PER,                   /* threads of a row */
        ROW_LOG = __builtin_ctz(32 / TEAM),      /* of a load's rows */
        LOADS_LOG = __builtin_ctz(LOADS),
        MEETINGS = ROW_LOG < LOADS_LOG ? (int)ROW_LOG : (int)LOADS_LOG,
        LEFT = LOADS >> MEETINGS
    };
    static_assert((int)LOG <= (int)SS_SEGMENT_LEVEL, "level kahan is plain in a tile");
};

/* ---- loads ------------------------------------------------------------------------------------
 */

static __device__ __forceinline__ ss_vector ss_load_vector(const char *p)
{
    ss_vector v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                 : "l"(p));
    return v;
}

/* 16 bytes, of which those of elements before `end` are read; the others are neutral. */
template <class E>
static __device__ __forceinline__ ss_vector ss_load_some(const char *p, int end, E neutral)
{
    ss_vector v = {};
#pragma unroll
    for (int i = 0; i < 16 / (int)sizeof(E); i++)
        v.put(i, i * (int)sizeof(E) < end ? __ldcs((const E *)p + i) : neutral);
    return v;
}

/* What lies `skew` bytes (0 < skew < 16) behind the begin of 32 bytes. */
static __device__ __forceinline__ ss_vector ss_shifted(ss_vector low, ss_vector high, unsigned skew)
{
    unsigned w[8];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        w[i] = low.word[i];
        w[i + 4] = high.word[i];
    }
#pragma unroll
    for (int i = 0; i < 6; i++)
        w[i] = skew & 8 ? w[i + 2] : w[i];
#pragma unroll
    for (int i = 0; i < 5; i++)
        w[i] = skew & 4 ? w[i + 1] : w[i];
    ss_vector v;
#pragma unroll
    for (int i = 0; i < 4; i++)
        v.word[i] = __funnelshift_r(w[i], w[i + 1], skew % 4 * 8);
    return v;
}

static __device__ __forceinline__ ss_vector ss_chosen(bool first, ss_vector a, ss_vector b)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        a.word[i] = first ? a.word[i] : b.word[i];
    return a;
}

/* A tile whose numbers are all there and which begins at no multiple of 16 bytes: aligned loads,
 * each thread's bytes put together from its own and the next thread's. */
template <int LOADS>
static __device__ __forceinline__ void ss_load_skewed(ss_vector (&v)[LOADS], const char *from)
{
    const unsigned lane = threadIdx.x % 32, skew = (unsigned)(uintptr_t)from & 15;
    const char *p = from - skew + lane * 16;
    ss_vector in[LOADS + 1];
#pragma unroll
    for (int i = 0; i < LOADS; i++)
        in[i] = ss_load_vector(p + i * 512);
    in[LOADS] = in[0];
    if (lane == 0)
        in[LOADS] = ss_load_vector(p + LOADS * 512);
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        ss_vector next = ss_chosen(lane == 0, in[i + 1], in[i]);
#pragma unroll
        for (int w = 0; w < 4; w++)
            next.word[w] = __shfl_sync(0xffffffffu, next.word[w], (lane + 1) % 32);
        v[i] = ss_shifted(in[i], next, skew);
    }
}

/* A tile of which only `bytes` are there. */
template <class E, int LOADS>
static __device__ __forceinline__ void ss_load_part(ss_vector (&v)[LOADS], const char *from,
                                                    int bytes, E neutral)
{
    const bool aligned = ((uintptr_t)from & 15) == 0;
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        const int at = (int)(threadIdx.x % 32) * 16 + i * 512;
        v[i] = aligned && at + 16 <= bytes ? ss_load_vector(from + at)
                                           : ss_load_some(from + at, bytes - at, neutral);
    }
}

/* A tile that is all there, and aligned. */
template <int LOADS>
static __device__ __forceinline__ void ss_load_plain(ss_vector (&v)[LOADS], const char *from)
{
#pragma unroll
    for (int i = 0; i < LOADS; i++)
        v[i] = ss_load_vector(from + threadIdx.x % 32 * 16 + i * 512);
}

/* The tile at from, of which `bytes` are there; what is not is neutral. inside: 16 bytes before it
 * and behind it may be read, too. */
template <class E, int LOADS>
static __device__ __forceinline__ void ss_load_tile(ss_vector (&v)[LOADS], const char *from,
                                                    int bytes, bool inside, E neutral)
{
    if (__builtin_expect(bytes >= LOADS * 512 && ((uintptr_t)from & 15) == 0, 1))
        ss_load_plain(v, from);
    else if (bytes >= LOADS * 512 && inside)
        ss_load_skewed(v, from);
    else
        ss_load_part(v, from, bytes, neutral);
}

/* ---- nodes ------------------------------------------------------------------------------------
 *
 * Two threads whose rows are neighbours each have values a and b, b of higher rows: the one of
 * lower rows keeps its a and receives the other's a, the other keeps its b and receives the first's
 * b. Both then combine neighbours, and what told their rows apart tells a from b: the rows' lowest
 * bit became their highest. */

template <class N> static __device__ __forceinline__ N ss_chosen(bool first, N a, N b)
{
    return {first ? a.s : b.s, first ? a.e : b.e};
}
template <int LEVEL>
static __device__ __forceinline__ ss_vector ss_of_thread(ss_vector v, int xor_lane)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        v.word[i] = __shfl_xor_sync(0xffffffffu, v.word[i], xor_lane);
    return v;
}
template <int LEVEL, class N> static __device__ __forceinline__ N ss_of_thread(N v, int xor_lane)
{
    return ss_from<LEVEL>(v, xor_lane);
}

/* What this thread then has of the lower and of the higher rows, in any order where the order
 * changes no bit. mask: in what the two threads' numbers differ. */
template <int LEVEL, class V>
static __device__ __forceinline__ void ss_swap_rows(V a, V b, int mask, V *low, V *high)
{
    const bool upper = threadIdx.x & mask;
    const V other = ss_of_thread<LEVEL>(ss_chosen(upper, a, b), mask);
    *low = LEVEL == SAMESUM_TREE ? other : ss_chosen(upper, other, a);
    *high = LEVEL == SAMESUM_TREE ? ss_chosen(upper, b, a) : ss_chosen(upper, b, other);
}
template <int LEVEL, class N>
static __device__ __forceinline__ N ss_meet_rows(N a, N b, int mask, int level)
{
    N low, high;
    ss_swap_rows<LEVEL>(a, b, mask, &low, &high);
    return ss_combine<LEVEL>(low, high, level);
}

/* The first meeting, of elements as they are. */
template <class FROM, int KIND, int LEVEL, int LOADS, int PER, class N>
static __device__ __forceinline__ void
ss_meet_elements(N (&n)[LOADS / 2][PER], const ss_vector (&x)[LOADS], const ss_vector (&y)[LOADS])
{
    typedef ss_tile_of<FROM, KIND> T;
    typedef typename FROM::number A;
#pragma unroll
    for (int j = 0; j < LOADS / 2; j++) {
        ss_vector of_x[2], of_y[2]; /* low, high */
        ss_swap_rows<LEVEL>(x[j], x[j + LOADS / 2], T::TEAM, of_x, of_x + 1);
        if (KIND == SS_KIND_PRODUCT)
            ss_swap_rows<LEVEL>(y[j], y[j + LOADS / 2], T::TEAM, of_y, of_y + 1);
#pragma unroll
        for (int i = 0; i < PER; i++) {
            N leaf[2];
#pragma unroll
            for (int k = 0; k < 2; k++) {
                typename FROM::element ex, ey;
                of_x[k].get(i, &ex);
                (KIND == SS_KIND_PRODUCT ? of_y : of_x)[k].get(i, &ey);
                leaf[k] = ss_leaf_at<KIND, LEVEL, A>(FROM::widen(ex), FROM::widen(ey));
            }
            n[j][i] = ss_combine<LEVEL>(leaf[0], leaf[1], 1, ss_is_linear<KIND>);
        }
    }
}

/* A thread's lanes, while it has several: the two threads share them out. Else both combine. */
template <int LEVEL, int PER, class N>
static __device__ __forceinline__ void ss_share_lanes(N (&n)[PER], int &per, int mask, int level)
{
    if (per == 1) {
        const bool upper = threadIdx.x & mask;
        const N other = ss_from<LEVEL>(n[0], mask);
        n[0] =
            ss_combine<LEVEL>(ss_chosen(upper, other, n[0]), ss_chosen(upper, n[0], other), level);
        return;
    }
    per /= 2;
#pragma unroll
    for (int i = 0; i < PER / 2; i++)
        if (i < per)
            n[i] = ss_meet_rows<LEVEL>(n[i], n[i + per], mask, level);
}

/* The first meeting of a tile, after which its vectors are free for the next one's loads. */
template <class FROM, int KIND, int OF_LEVEL> struct ss_met_tile {
    typedef ss_tile_of<FROM, KIND> T;
    typedef ss_node<typename FROM::number> N;
    enum { LEVEL = OF_LEVEL == SAMESUM_KAHAN ? (int)SAMESUM_TREE : OF_LEVEL };
    N n[T::LOADS / 2][T::PER];

    /* y: of products. */
    __device__ __forceinline__ ss_met_tile(const ss_vector (&x)[T::LOADS],
                                           const ss_vector (&y)[T::LOADS])
    {
        ss_meet_elements<FROM, KIND, LEVEL>(n, x, y);
    }
    /* The tile's node: thread t has lane ss_tile_lane() of it. */
    __device__ __forceinline__ N node()
    {
        int per = T::PER;
#pragma unroll
        for (int r = 1; r < T::ROW_LOG; r++) {
            const int mask = T::TEAM << r, half = T::LOADS >> (r + 1);
            if (half == 0)
                ss_share_lanes<LEVEL>(n[0], per, mask, r + 1);
#pragma unroll
            for (int j = 0; j < half; j++)
#pragma unroll
                for (int i = 0; i < T::PER; i++)
                    n[j][i] = ss_meet_rows<LEVEL>(n[j][i], n[j + half][i], mask, r + 1);
        }
        /* the loads' bits that no thread's took the place of */
#pragma unroll
        for (int i = 0; i < T::PER; i++)
            if (i < per)
                n[0][i] = ss_tree_of<LEVEL, T::LEFT, N>([&](int j) { return n[j][i]; }, T::ROW_LOG,
                                                        false);
#pragma unroll
        for (int r = T::MEETINGS - 1; r >= 0; r--)
            ss_share_lanes<LEVEL>(n[0], per, T::TEAM << r, (int)T::LOG - r);
        return n[0][0];
    }
};

template <class FROM, int KIND, int LEVEL, int LOADS>
static __device__ __forceinline__ ss_node<typename FROM::number>
ss_tile_node(const ss_vector (&x)[LOADS], const ss_vector (&y)[LOADS])
{
    return ss_met_tile<FROM, KIND, LEVEL>(x, y).node();
}

/* In which bit of their numbers the threads differ that have lanes 0 and 2^bit. */
template <class T> static __device__ __forceinline__ int ss_tile_mask(int bit)
{
    if ((1 << bit) >= T::PER)
        return (1 << bit) / T::PER;
    int per = T::PER, mask = 0;
#pragma unroll
    for (int k = 0; k < T::ROW_LOG; k++) { /* in the order in which lanes were shared out */
        const int r = k < T::ROW_LOG - T::MEETINGS ? T::MEETINGS + k : T::ROW_LOG - 1 - k;
        if (per > 1) {
            per /= 2;
            mask = per == 1 << bit ? T::TEAM << r : mask;
        }
    }
    return mask;
}

/* The lane of a tile's node that this thread has; so has the thread whose number differs by TEAM.
 */
template <class T> static __device__ __forceinline__ int ss_tile_lane()
{
    int lane = (int)(threadIdx.x % T::TEAM) * T::PER;
#pragma unroll
    for (int bit = 0; 1 << bit < T::PER; bit++)
        lane += threadIdx.x & ss_tile_mask<T>(bit) ? 1 << bit : 0;
    return lane;
}

/* ss_lanes_result() of a tile's node. */
template <class T, int LEVEL, class N>
static __device__ __forceinline__ auto ss_tile_result(N v) -> decltype(v.s)
{
#pragma unroll
    for (int bit = 0; 1 << bit < SS_LANES; bit++)
        v = ss_combine<LEVEL>(v, ss_from<LEVEL>(v, ss_tile_mask<T>(bit)), SS_SEGMENT_LEVEL + 1);
    return ss_value<LEVEL>(v);
}

#endif
