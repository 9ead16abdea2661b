/* buffer.c - the memory that is reduced. */
#include "bench.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

unsigned char *bench_map(size_t bytes, int threads)
{
    size_t whole = bytes + HUGE_PAGE;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    /* The mapping itself may succeed and the process be killed when it writes. */
    if (pages > 0 && page > 0 && whole / (size_t)page > (size_t)pages / 2)
        return NULL;
    void *p = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    uintptr_t aligned = ((uintptr_t)p + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    unsigned char *mem = (unsigned char *)p + (aligned - (uintptr_t)p);
#ifdef MADV_HUGEPAGE
    madvise(mem, bytes, MADV_HUGEPAGE); /* only speed depends on it */
#endif
    bench_fill(mem, bytes, SAMESUM_F64, threads);
    return mem;
}

/* The i-th output of splitmix64: needs no state, so that any thread can fill any part. */
uint64_t bench_random(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double bench_uniform(uint64_t i)
{
    return (double)((int64_t)bench_random(i) >> 11) * 0x1p-52;
}

/* Random signs and fractions, and one of the four exponents below 1, in either half type. */
static void fill_halves(uint16_t *x, size_t n, bool bf16, int threads)
{
    const unsigned keep = bf16 ? 0x807f : 0x83ff, base = bf16 ? 0x3d80 : 0x2c00;
    const unsigned step = bf16 ? 0x0180 : 0x0c00;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (size_t i = 0; i < n; i++) {
        unsigned r = (unsigned)(bench_random(i / 4) >> (i % 4 * 16));
        x[i] = (uint16_t)((r & keep) | (base + (r & step)));
    }
    (void)threads;
}

void bench_fill(unsigned char *mem, size_t bytes, samesum_type type, int threads)
{
    if (type == SAMESUM_F16 || type == SAMESUM_BF16) {
        fill_halves((uint16_t *)(void *)mem, bytes / 2, type == SAMESUM_BF16, threads);
    } else if (type == SAMESUM_F64 || type == SAMESUM_C128) {
        double *x = (double *)(void *)mem;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
        for (size_t i = 0; i < bytes / 8; i++)
            x[i] = bench_uniform(i);
    } else {
        float *x = (float *)(void *)mem;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
        for (size_t i = 0; i < bytes / 4; i++)
            x[i] = (float)((int64_t)bench_random(i) >> 40) * 0x1p-23f;
    }
    (void)threads;
}
