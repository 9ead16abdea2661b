/* types.c - the section on half precision and complex elements. */
#include "bench.h"

#include <stdio.h>
#include "arrays.h"
#include "goals.h"

static const bench_asked information = {0};

static bool table(const bench_setup *setup, samesum_op op, samesum_type type, size_t bytes,
                  bench_asked asked)
{
    bench_call call = {.x = setup->mem,
                       .n = bytes / samesum_element_size(type),
                       .threads = setup->threads,
                       .op = op,
                       .type = type};
    if (op == SAMESUM_DOT) {
        call.n /= 2;
        call.y = setup->mem + bytes / 2;
        if (!bench_shift(&call))
            return true;
    }
    bench_array a = {
        .array = {.x = call.x, .y = call.y, .type = type, .dims = 1, .shape = &call.n}};
    return bench_array_table(setup, &call, &a, asked);
}

bool bench_types(const bench_setup *setup, size_t bytes)
{
    static const samesum_type halves[] = {SAMESUM_F16, SAMESUM_BF16};
    static const samesum_type complexes[] = {SAMESUM_C64, SAMESUM_C128};
    bench_asked asked = {BENCH_HALF_MUST, 0, true};
    bool ok = true;
    printf("---- types: %zu KiB of elements\n", bytes / 1024);
    bench_print_head("ratio");
    for (int i = 0; i < 2; i++) {
        bench_fill(setup->mem, bytes, halves[i], setup->threads);
        ok &= table(setup, SAMESUM_SUM, halves[i], bytes, asked);
    }
    for (int i = 0; i < 2; i++) {
        bench_fill(setup->mem, bytes, complexes[i], setup->threads);
        ok &= table(setup, SAMESUM_SUM, complexes[i], bytes, information);
        ok &= table(setup, SAMESUM_DOT, complexes[i], bytes, information);
    }
    return ok;
}
