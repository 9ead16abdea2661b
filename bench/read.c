/* read.c - the pure read: XOR of all of the memory, the floor that no reduction can pass.
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

typedef uint64_t (*read_fn)(const unsigned char *p, size_t bytes);

/* One function for vectors of `width` bytes that prefetches `ahead` bytes ahead (0: not at all).
 * The target attribute lets one file hold the code of every instruction set. */
#define DEFINE_READ(name, target, width, ahead)                                                    \
    target static uint64_t name(const unsigned char *p, size_t bytes)                              \
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
        uint64_t all = 0, tail = 0;                                                                \
        for (size_t i = 0; i < (width) / 8; i++)                                                   \
            all ^= a0[i];                                                                          \
        for (; bytes >= 8; bytes -= 8, p += 8) {                                                   \
            memcpy(&tail, p, 8);                                                                   \
            all ^= tail;                                                                           \
        }                                                                                          \
        tail = 0;                                                                                  \
        memcpy(&tail, p, bytes);                                                                   \
        return all ^ tail;                                                                         \
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
    return call->n * samesum_element_size(call->type) * (call->op == SAMESUM_DOT ? 2 : 1);
}

static volatile uint64_t sink;

static samesum_status run(int variant, const bench_call *call, double *result)
{
    read_fn read = chosen()->reads[variant];
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
            all ^= read(p + begin, end - begin);
        }
        sink = all;
        return SAMESUM_OK;
    }
#endif
    sink = read(p, bytes);
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

const bench_peer bench_reads[BENCH_READ_VARIANTS] = {
    {.name = "read (no prefetch)", .flags = BENCH_ONE | BENCH_MANY, .run = run_plain},
    {.name = "read (prefetch 512 B)", .flags = BENCH_ONE | BENCH_MANY, .run = run_near},
    {.name = "read (prefetch 4 KiB)", .flags = BENCH_ONE | BENCH_MANY, .run = run_far},
};
