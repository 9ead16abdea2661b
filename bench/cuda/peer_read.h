/* The pure read: XOR of all bytes, in several unrollings. */
#ifndef BENCH_CUDA_PEER_READ_H
#define BENCH_CUDA_PEER_READ_H

#include <cstddef>
#include <cuda_runtime.h>

int read_variants();
const char *read_name(int variant);
/* x is aligned to 16 bytes, bytes a multiple of them. */
void read_launch(int variant, const void *x, size_t bytes, cudaStream_t stream);

#endif
