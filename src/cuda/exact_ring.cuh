/* Numbers that lie side by side in memory, through a ring of stages in shared memory: each thread
 * copies 16 bytes at a time, several stages ahead, and reads back what it copied itself, so that
 * the threads of a warp never wait for each other. */
#ifndef SS_CUDA_EXACT_RING_CUH
#define SS_CUDA_EXACT_RING_CUH

#include "cuda/exact_copy.cuh"
#include "cuda/exact_warp.cuh"
#include "cuda/view.cuh"

enum {
    SS_RING_STAGES = 4,
    SS_RING_STAGE = 4096,             /* bytes: of x, or half of them of x and half of y */
    SS_RING_LINE = 16 * SS_CUDA_WARP, /* bytes that the threads of a warp copy at once */
    SS_RING_BYTES = SS_RING_STAGES * SS_RING_STAGE,
    SS_RING_RUN = 16, /* stages that a warp reads side by side */
};

/* How elements become binary64. A batch is what a thread adds in one go: 16-byte pieces. */
struct ss_ring_f64 {
    enum { BYTES = 8, BATCH = 2 };
    static __device__ __forceinline__ double read(const char *p)
    {
        return *(const double *)p;
    }
    static __device__ __forceinline__ void unpack(const uint4 &v, double *x)
    {
        x[0] = ss_double((uint64_t)v.y << 32 | v.x);
        x[1] = ss_double((uint64_t)v.w << 32 | v.z);
    }
};
struct ss_ring_f32 {
    enum { BYTES = 4, BATCH = 2 };
    static __device__ __forceinline__ double read(const char *p)
    {
        return f64_of_f32(*(const float *)p);
    }
    static __device__ __forceinline__ void unpack(const uint4 &v, double *x)
    {
        x[0] = f64_of_f32(__uint_as_float(v.x));
        x[1] = f64_of_f32(__uint_as_float(v.y));
        x[2] = f64_of_f32(__uint_as_float(v.z));
        x[3] = f64_of_f32(__uint_as_float(v.w));
    }
};
template <bool BF16> struct ss_ring_half {
    enum { BYTES = 2, BATCH = 1 };
    static __device__ __forceinline__ double read(const char *p)
    {
        return f64_of_f32(ss_cuda_half(BF16, *(const unsigned short *)p));
    }
    static __device__ __forceinline__ void unpack(const uint4 &v, double *x)
    {
        const unsigned word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x[2 * i] = f64_of_f32(ss_cuda_half(BF16, (unsigned short)(word[i] & 0xffff)));
            x[2 * i + 1] = f64_of_f32(ss_cuda_half(BF16, (unsigned short)(word[i] >> 16)));
        }
    }
};

/* What a warp reads of a row. */
struct ss_ring {
    char *ring;               /* shared memory */
    const char *x, *y;        /* x a multiple of 16 */
    uint64_t bytes;           /* of x, and of y */
    uint64_t runs;            /* full runs of this warp; then `rest` stages from `rest_at` on */
    uint64_t first, step;     /* its first run; from one to the next */
    uint64_t rest_at, stages; /* stages: all that this warp reads */
    int stage;                /* bytes of x in a stage */
    int grain;                /* bytes of one copy of y: 16, 8 or 4 */
    bool dot;
};

/* Shares the stages out evenly among `parts` warps: runs in turn, then the rest in equal pieces. */
static __device__ inline void ss_ring_share(ss_ring &r, uint64_t part, uint64_t parts)
{
    uint64_t all = (r.bytes + (uint64_t)r.stage - 1) / (uint64_t)r.stage;
    r.runs = all / (SS_RING_RUN * parts);
    r.first = part;
    r.step = parts;
    uint64_t done = r.runs * SS_RING_RUN * parts, left = all - done;
    uint64_t piece = (left + parts - 1) / parts, from = piece * part;
    r.rest_at = done + from;
    r.stages = r.runs * SS_RING_RUN + (from >= left          ? 0
                                       : left - from < piece ? left - from
                                                             : piece);
}

/* Where stage s of this warp lies: bytes from x. */
static __device__ __forceinline__ uint64_t ss_ring_at(const ss_ring &r, uint64_t s)
{
    uint64_t run = s / SS_RING_RUN;
    uint64_t stage = run < r.runs ? (r.first + run * r.step) * SS_RING_RUN + s % SS_RING_RUN
                                  : r.rest_at + (s - r.runs * SS_RING_RUN);
    return stage * (uint64_t)r.stage;
}

/* Copies what one stream has in a stage; zeros stand for what lies beyond its end. */
static __device__ __forceinline__ void ss_ring_copy(char *to, const char *from, uint64_t left,
                                                    int stage, int grain, unsigned lane)
{
    if (grain == 16 && left >= (uint64_t)stage) {
        to += lane * 16;
        from += lane * 16;
#pragma unroll 4
        for (int at = 0; at < stage; at += SS_RING_LINE)
            ss_copy_16(to + at, from + at);
        return;
    }
    for (int at = (int)lane * 16; at < stage; at += SS_RING_LINE) {
        for (int i = at; i < at + 16; i += grain) {
            int bytes = left <= (uint64_t)i                    ? 0
                        : left - (uint64_t)i < (uint64_t)grain ? (int)(left - (uint64_t)i)
                                                               : grain;
            if (bytes < grain) { /* compute-sanitizer takes a copy of fewer for a whole one */
                for (int b = 0; b < grain; b++)
                    to[i + b] = b < bytes ? from[i + b] : 0;
            } else if (grain == 16) {
                ss_copy_16(to + i, from + i);
            } else if (grain == 8) {
                ss_copy_8(to + i, from + i);
            } else {
                ss_copy_4(to + i, from + i);
            }
        }
    }
}

static __device__ __forceinline__ void ss_ring_ask(const ss_ring &r, uint64_t s, unsigned lane)
{
    if (s < r.stages) {
        uint64_t at = ss_ring_at(r, s);
        char *to = r.ring + s % SS_RING_STAGES * SS_RING_STAGE;
        ss_ring_copy(to, r.x + at, r.bytes - at, r.stage, 16, lane);
        if (r.dot)
            ss_ring_copy(to + r.stage, r.y + at, r.bytes - at, r.stage, r.grain, lane);
    }
    ss_copy_commit();
}

/* The batches of threads that are `odd`, one leaf at a time: see ss_ring_batch(). */
template <class E, bool PRODUCT>
static __device__ __forceinline__ void ss_ring_odd(ss_cuda_warp &w, const char *px, const char *py,
                                                   unsigned first, unsigned valid, uint64_t keep,
                                                   bool odd, uint32_t size)
{
    constexpr bool TWO = PRODUCT && E::BYTES == 8;
    constexpr unsigned PIECE = 16 / E::BYTES;
    ss_cuda_raise(w, size);
    w.odd++;
#pragma unroll 1
    for (unsigned i = 0; i < E::BATCH * PIECE; i++) {
        unsigned at = i / PIECE * SS_RING_LINE + i % PIECE * E::BYTES;
        unsigned index = first + i / PIECE * (SS_RING_LINE / E::BYTES) + i % PIECE;
        double x = E::read(px + at), y = PRODUCT ? E::read(py + at) : 0;
        x = PRODUCT && !TWO ? f64_mul(x, y) : ss_double(ss_bits(x) & keep);
        ss_cuda_warp_leaf<TWO>(w, odd && index < valid, x, y);
    }
}

/* One batch of each thread. first: the index of its first element in the stage; those below `valid`
 * are leaves. keep: the bits of x that count (asum: not the sign). */
template <class E, bool PRODUCT>
static __device__ __forceinline__ void ss_ring_batch(ss_cuda_warp &w, const char *px,
                                                     const char *py, unsigned first, unsigned valid,
                                                     uint64_t keep)
{
    constexpr bool TWO = PRODUCT && E::BYTES == 8;
    constexpr int PIECE = 16 / E::BYTES, N = E::BATCH * PIECE;
    double x[N], y[N];
    uint32_t size;
#pragma unroll
    for (int i = 0; i < E::BATCH; i++) {
        E::unpack(*(const uint4 *)(px + i * SS_RING_LINE), x + i * PIECE);
        if (PRODUCT)
            E::unpack(*(const uint4 *)(py + i * SS_RING_LINE), y + i * PIECE);
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        x[i] = PRODUCT && !TWO ? f64_mul(x[i], y[i])
               : PRODUCT       ? x[i]
                               : ss_double(ss_bits(x[i]) & keep);
    bool odd = ss_cuda_batch<N, TWO, (E::BYTES < 8 && !PRODUCT)>(w, x, y, &size, [=](int i) {
        return first + i / PIECE * (SS_RING_LINE / E::BYTES) + i % PIECE < valid;
    });
    if (__any_sync(SS_CUDA_ALL, odd))
        ss_ring_odd<E, PRODUCT>(w, px, py, first, valid, keep, odd, size);
}

/* The leaves of one stage, `valid` elements of it. py: PRODUCT's factors, px again for sumsq. */
template <class E, bool PRODUCT>
static __device__ __forceinline__ void ss_ring_stage(ss_cuda_warp &w, const ss_ring &r,
                                                     const char *px, const char *py, unsigned valid,
                                                     uint64_t keep)
{
    ss_cuda_make_room(w, r.stage / E::BYTES / SS_CUDA_WARP);
#pragma unroll 1
    for (int at = (int)w.lane * 16; at < r.stage; at += E::BATCH * SS_RING_LINE)
        ss_ring_batch<E, PRODUCT>(w, px + at, py + at, (unsigned)(at / E::BYTES), valid, keep);
}

/* A first limit, from one element of each thread. */
template <class E, bool PRODUCT>
static __device__ __forceinline__ void ss_ring_guess(ss_cuda_warp &w, const char *px,
                                                     const char *py)
{
    double x = E::read(px + w.lane * 16);
    uint32_t size = ss_high(PRODUCT ? f64_mul(x, E::read(py + w.lane * 16)) : x);
    ss_cuda_raise(w, size < SS_HIGH_INFINITE ? size : 0);
}

/* All stages of this warp. */
template <class E, bool PRODUCT>
static __device__ __forceinline__ void ss_ring_read(ss_cuda_warp &w, const ss_ring &r,
                                                    uint64_t keep)
{
    for (int s = 0; s < SS_RING_STAGES - 1; s++)
        ss_ring_ask(r, (uint64_t)s, w.lane);
    for (uint64_t s = 0; s < r.stages; s++) {
        ss_ring_ask(r, s + SS_RING_STAGES - 1, w.lane);
        ss_copy_wait<SS_RING_STAGES - 1>();
        const char *px = r.ring + s % SS_RING_STAGES * SS_RING_STAGE;
        uint64_t left = r.bytes - ss_ring_at(r, s);
        unsigned bytes = left < (uint64_t)r.stage ? (unsigned)left : (unsigned)r.stage;
        const char *py = r.dot ? px + r.stage : px;
        if (s == 0)
            ss_ring_guess<E, PRODUCT>(w, px, py);
        ss_ring_stage<E, PRODUCT>(w, r, px, py, bytes / E::BYTES, keep);
    }
    ss_copy_wait<0>();
}

/* The leaves of a row whose numbers lie side by side at x (and y). */
template <class E, bool PRODUCT>
static __device__ __forceinline__ void ss_ring_row(ss_cuda_warp &w, char *ring, const char *x,
                                                   const char *y, uint64_t n, samesum_op term,
                                                   uint64_t part, uint64_t parts)
{
    constexpr bool TWO = PRODUCT && E::BYTES == 8;
    const uint64_t keep = term == SAMESUM_ASUM ? ~(uint64_t)SS_MINUS_ZERO : ~UINT64_C(0);
    const bool dot = term == SAMESUM_DOT;
    const unsigned apart = dot ? (unsigned)((uintptr_t)x - (uintptr_t)y) % 16 : 0;
    const int grain = apart == 0 ? 16 : apart % 8 == 0 ? 8 : apart % 4 == 0 ? 4 : 0;
    /* One by one: what lies before a multiple of 16, or all halves that cannot be copied so. */
    uint64_t head = (0 - (uintptr_t)x) % 16 / E::BYTES;
    const bool singly = grain == 0;
    head = singly || head > n ? n : head;
    ss_cuda_each<TWO, 1>(w, singly || part == 0 ? head : 0, singly ? part : 0, singly ? parts : 1,
                         [=](uint64_t i, double *px, double *py) {
                             double a = E::read(x + i * E::BYTES);
                             double b = PRODUCT ? E::read((dot ? y : x) + i * E::BYTES) : 0;
                             *px = PRODUCT && !TWO ? f64_mul(a, b) : ss_double(ss_bits(a) & keep);
                             *py = b;
                             return true;
                         });
    ss_ring r;
    r.ring = ring;
    r.x = x + head * E::BYTES;
    r.y = y + head * E::BYTES;
    r.bytes = (n - head) * E::BYTES;
    r.dot = dot;
    r.stage = dot ? SS_RING_STAGE / 2 : SS_RING_STAGE;
    r.grain = grain;
    ss_ring_share(r, part, parts);
    ss_ring_read<E, PRODUCT>(w, r, keep);
}

#endif
