/* read.c - the pure read: XOR of all of the memory, the floor that no reduction can pass.
 *
 * With stride 2 the same functions read every line whole and keep the elements that are wanted,
 * which lie in fixed halves of the accumulators; so does a loop over these elements alone.
 *
 * Sequential, 8 independent accumulators, the machine's widest vectors, with and without software
 * prefetch. On several threads each reads one contiguous part, as a static OpenMP schedule cuts it.
 */
#include "peers.h"

#include <stdint.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The XOR of the words at even and at odd places. */
typedef struct words {
    uint64_t even, odd;
} words;
typedef words (*read_fn)(const unsigned char *p, size_t bytes);

/* One function for vectors of `width` bytes that prefetches `ahead` bytes ahead (0: not at all).
 * The target attribute lets one file hold the code of every instruction set. */
#define DEFINE_READ(name, target, width, ahead)                                                    \
    target static words name(const unsigned char *p, size_t bytes)                                 \
    {                                                                                              \
        typedef uint64_t vec __attribute__((vector_size(width), aligned(8), may_alias));           \
        vec a0 = {0}, a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;               \
        for (; bytes >= 8 * (width); bytes -= 8 * (width), p += 8 * (width)) {                     \
            const vec *v = (const vec *)p;                                                         \
            if ((ahead) > 0)                                                                       \
                for (size_t line = 0; line < 8 * (width); line += 64)                              \
                    __builtin_prefetch(p + (ahead) + line);                                        \
            a0 ^= v[0];                                                                            \
            a1 ^= v[1];                                                                            \
            a2 ^= v[2];                                                                            \
            a3 ^= v[3];                                                                            \
            a4 ^= v[4];                                                                            \
            a5 ^= v[5];                                                                            \
            a6 ^= v[6];                                                                            \
            a7 ^= v[7];                                                                            \
        }                                                                                          \
        for (; bytes >= (width); bytes -= (width), p += (width))                                   \
            a0 ^= *(const vec *)p;                                                                 \
        a0 ^= a1 ^ a2 ^ a3 ^ a4 ^ a5 ^ a6 ^ a7;                                                    \
        words all = {0, 0};                                                                        \
        for (size_t i = 0; i < (width) / 8; i += 2) {                                              \
            all.even ^= a0[i];                                                                     \
            all.odd ^= a0[i + 1];                                                                  \
        }                                                                                          \
        for (; bytes > 0; bytes -= bytes < 16 ? bytes : 16, p += 16) {                             \
            words tail = {0, 0};                                                                   \
            memcpy(&tail, p, bytes < 16 ? bytes : 16);                                             \
            all.even ^= tail.even;                                                                 \
            all.odd ^= tail.odd;                                                                   \
        }                                                                                          \
        return all;                                                                                \
    }

#define NEAR 512
#define FAR 4096
#define DEFINE_READS(isa, target, width)                                                           \
    DEFINE_READ(isa##_plain, target, width, 0)                                                     \
    DEFINE_READ(isa##_near, target, width, NEAR)                                                   \
    DEFINE_READ(isa##_far, target, width, FAR)                                                     \
    static const read_fn isa##_reads[] = {isa##_plain, isa##_near, isa##_far};

#if defined(__x86_64__)
DEFINE_READS(avx512, __attribute__((target("avx512f"))), 64)
DEFINE_READS(avx2, __attribute__((target("avx2"))), 32)
#endif
DEFINE_READS(generic, , 16) /* SSE2 or NEON, as the compiler's baseline has it */

typedef struct isa {
    const char *name;
    const read_fn *reads;
} isa;

static const isa *chosen(void)
{
    static const isa generic = {"16-byte vectors", generic_reads};
    static const isa *choice = NULL; /* first called before there are threads */
    if (choice)
        return choice;
    choice = &generic;
#if defined(__x86_64__)
    static const isa avx2 = {"AVX2", avx2_reads}, avx512 = {"AVX-512", avx512_reads};
    if (__builtin_cpu_supports("avx512f"))
        choice = &avx512;
    else if (__builtin_cpu_supports("avx2"))
        choice = &avx2;
#endif
    return choice;
}

const char *bench_read_isa(void)
{
    return chosen()->name;
}

size_t bench_call_bytes(const bench_call *call)
{
    if (call->bytes)
        return call->bytes;
    return call->n * samesum_element_size(call->type) * (call->op == SAMESUM_DOT ? 2 : 1);
}

/* Every second element alone, 8 at a time. */
#define DEFINE_STRIDED(name, T)                                                                    \
    static uint64_t name(const unsigned char *p, size_t bytes)                                     \
    {                                                                                              \
        typedef T word __attribute__((may_alias));                                                 \
        const word *x = (const word *)(const void *)p;                                             \
        size_t n = bytes / sizeof *x, i = 0;                                                       \
        T a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0;                          \
        for (; i + 16 <= n; i += 16) {                                                             \
            a0 ^= x[i];                                                                            \
            a1 ^= x[i + 2];                                                                        \
            a2 ^= x[i + 4];                                                                        \
            a3 ^= x[i + 6];                                                                        \
            a4 ^= x[i + 8];                                                                        \
            a5 ^= x[i + 10];                                                                       \
            a6 ^= x[i + 12];                                                                       \
            a7 ^= x[i + 14];                                                                       \
        }                                                                                          \
        for (; i < n; i += 2)                                                                      \
            a0 ^= x[i];                                                                            \
        return a0 ^ a1 ^ a2 ^ a3 ^ a4 ^ a5 ^ a6 ^ a7;                                              \
    }
DEFINE_STRIDED(strided_8, uint64_t)
DEFINE_STRIDED(strided_4, uint32_t)

/* The XOR of the elements of this call among those bytes; a stride is 2. */
static uint64_t part(int variant, const bench_call *call, const unsigned char *p, size_t bytes)
{
    bool narrow = samesum_element_size(call->type) == 4;
    if (variant == BENCH_READ_VARIANTS)
        return narrow ? strided_4(p, bytes) : strided_8(p, bytes);
    words all = chosen()->reads[variant](p, bytes);
    if (call->stride < 2)
        return all.even ^ all.odd;
    return narrow ? (all.even ^ all.odd) & 0xffffffff : all.even;
}

static volatile uint64_t sink;

static samesum_status run(int variant, const bench_call *call, double *result)
{
    const unsigned char *p = call->x;
    size_t bytes = bench_call_bytes(call);
    *result = 0;
#ifdef _OPENMP
    if (call->threads > 1) {
        uint64_t all = 0;
#pragma omp parallel num_threads(call->threads) reduction(^ : all)
        {
            size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
            size_t lines = bytes / 64, begin = lines * me / team * 64;
            size_t end = me + 1 == team ? bytes : lines * (me + 1) / team * 64;
            all ^= part(variant, call, p + begin, end - begin);
        }
        sink = all;
        return SAMESUM_OK;
    }
#endif
    sink = part(variant, call, p, bytes);
    return SAMESUM_OK;
}

static samesum_status run_plain(const bench_call *call, double *result)
{
    return run(0, call, result);
}

static samesum_status run_near(const bench_call *call, double *result)
{
    return run(1, call, result);
}

static samesum_status run_far(const bench_call *call, double *result)
{
    return run(2, call, result);
}

static samesum_status run_strided(const bench_call *call, double *result)
{
    return run(BENCH_READ_VARIANTS, call, result);
}

const bench_peer bench_reads[BENCH_STRIDED_READS] = {
    {.name = "read (no prefetch)", .flags = BENCH_ONE | BENCH_MANY, .run = run_plain},
    {.name = "read (prefetch 512 B)", .flags = BENCH_ONE | BENCH_MANY, .run = run_near},
    {.name = "read (prefetch 4 KiB)", .flags = BENCH_ONE | BENCH_MANY, .run = run_far},
    {.name = "read (each element)", .flags = BENCH_ONE | BENCH_MANY, .run = run_strided},
};
