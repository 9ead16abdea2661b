#include "xor_read.h"

/* 64 bytes, as two or more registers where the machine's are narrower. */
typedef uint64_t words __attribute__((vector_size(64), may_alias));

enum { UNROLL = 4, AHEAD = 4096 /* bytes */ };

/* The loop; inlined into one function per instruction set. Four accumulators hide the latency. */
#define READ_BODY                                                                                  \
    const words *v = p;                                                                            \
    size_t count = bytes / sizeof(words), i = 0;                                                   \
    words a = {0}, b = a, c = a, d = a;                                                            \
    if (prefetch) {                                                                                \
        for (; i + UNROLL <= count; i += UNROLL) {                                                 \
            for (int k = 0; k < UNROLL; k++)                                                       \
                __builtin_prefetch((const char *)(v + i + k) + AHEAD);                             \
            a ^= v[i];                                                                             \
            b ^= v[i + 1];                                                                         \
            c ^= v[i + 2];                                                                         \
            d ^= v[i + 3];                                                                         \
        }                                                                                          \
    } else {                                                                                       \
        for (; i + UNROLL <= count; i += UNROLL) {                                                 \
            a ^= v[i];                                                                             \
            b ^= v[i + 1];                                                                         \
            c ^= v[i + 2];                                                                         \
            d ^= v[i + 3];                                                                         \
        }                                                                                          \
    }                                                                                              \
    for (; i < count; i++)                                                                         \
        a ^= v[i];                                                                                 \
    a ^= b ^ c ^ d;                                                                                \
    return a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] ^ a[5] ^ a[6] ^ a[7];

static uint64_t read_plain(const void *p, size_t bytes, bool prefetch)
{
    READ_BODY
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static uint64_t read_avx2(const void *p, size_t bytes,
                                                          bool prefetch)
{
    READ_BODY
}

__attribute__((target("avx512f"))) static uint64_t read_avx512(const void *p, size_t bytes,
                                                               bool prefetch)
{
    READ_BODY
}
#endif

typedef uint64_t reader(const void *p, size_t bytes, bool prefetch);

static reader *widest(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return read_avx512;
    if (__builtin_cpu_supports("avx2"))
        return read_avx2;
#endif
    return read_plain;
}

uint64_t xor_read(const void *p, size_t bytes, int threads, bool prefetch)
{
    reader *read = widest();
    uint64_t all = 0;
    size_t share = bytes / 64 / (size_t)threads * 64;
#ifdef _OPENMP
#pragma omp parallel for reduction(^ : all) num_threads(threads) schedule(static)
#endif
    for (int t = 0; t < threads; t++) {
        size_t begin = share * (size_t)t;
        size_t end = t + 1 < threads ? begin + share : bytes;
        all ^= read((const char *)p + begin, end - begin, prefetch);
    }
    return all;
}
