/* The sums of CUB: DeviceReduce::Sum of the toolkit's, and the order-independent one of
 * libcub_ordered.so beside the program. */
#ifndef BENCH_CUDA_PEER_CUB_H
#define BENCH_CUDA_PEER_CUB_H

#include <string>
#include <cuda_runtime.h>
#include "samesum.h"

/* type: SAMESUM_F64, or SAMESUM_F32 (or _F32_WIDE, which is taken for it). The temporary storage is
 * made by cub_create(). */
void cub_create();
void cub_sum(samesum_type type, const void *x, int n, void *result, cudaStream_t stream);
std::string cub_version();

/* Whether it is there. */
bool cub_ordered_open();
cudaError_t cub_ordered_sum(samesum_type type, const void *x, int n, void *result,
                            cudaStream_t stream);
/* Its version, or what is missing. */
std::string cub_ordered_text();

#endif
