/* apart.c - dot products by how far apart x and y lie. Some memory is slow at two streams a power
 * of two of bytes apart; for information. */
#include "bench.h"

#include <stdio.h>
#include "sampling.h"

/* 64 KiB and a cache line. */
#define SHIFT ((size_t)64 * 1024 + 64)

bool bench_shift(bench_call *dot)
{
    size_t elements = SHIFT / samesum_element_size(dot->type);
    if (dot->n <= elements)
        return false;
    dot->n -= elements;
    dot->y = (const unsigned char *)dot->y + SHIFT;
    return true;
}

static bool row(const bench_setup *setup, const bench_candidate *read, const bench_call *call,
                const char *name)
{
    bench_spread ratio;
    bool ok = bench_row(read, call, name, setup->pairs, &ratio);
    if (ok)
        bench_end_row();
    return ok;
}

bool bench_apart(const bench_setup *setup, size_t bytes)
{
    bench_call aligned = {.x = setup->mem,
                          .y = setup->mem + bytes / 2,
                          .n = bytes / sizeof(double) / 2,
                          .threads = setup->threads,
                          .op = SAMESUM_DOT,
                          .type = SAMESUM_F64};
    bench_call shifted = aligned;
    if (!bench_shift(&shifted))
        return true;
    printf("dot with y %zu KiB after x (aligned), and 64 KiB and 64 bytes further (shifted)\n",
           bytes / 2 / 1024);
    bench_candidate read = bench_print_read(&aligned);
    aligned.level = shifted.level = SAMESUM_TREE;
    bool ok = row(setup, &read, &aligned, "tree, aligned");
    ok &= row(setup, &read, &shifted, "tree, shifted");
    aligned.level = shifted.level = SAMESUM_COMPENSATED;
    ok &= row(setup, &read, &aligned, "compensated, aligned");
    ok &= row(setup, &read, &shifted, "compensated, shifted");
    putchar('\n');
    return ok;
}
