/* Device memory of the benchmark, made once. */
#ifndef BENCH_CUDA_DATA_H
#define BENCH_CUDA_DATA_H

#include <cstddef>
#include "samesum.h"

constexpr size_t MIB = size_t{1} << 20, GIB = size_t{1} << 30;

struct Data {
    void *x;       /* X_BYTES */
    void *y;       /* Y_BYTES */
    void *mask;    /* MASK_BYTES, each 0 or 1, half of each */
    void *results; /* RESULT_BYTES */
};
constexpr size_t X_BYTES = 4 * GIB, Y_BYTES = GIB, MASK_BYTES = 128 * MIB, RESULT_BYTES = 64 * MIB;

Data data_create();
/* Numbers of that type, equally spread over [-0.5, 1.5). */
void data_fill(void *memory, size_t bytes, samesum_type type);

#endif
