/* cuBLAS, found when the program runs; declared here, so that its headers are not needed. */
#ifndef BENCH_CUDA_PEER_CUBLAS_H
#define BENCH_CUDA_PEER_CUBLAS_H

#include <string>
#include <cuda_runtime.h>

/* file: nullptr, or the library. Whether it is there and works. */
bool cublas_open(const char *file, cudaStream_t stream);
bool cublas_is_open();
/* Its version, or what is missing. */
std::string cublas_text();

/* Results go to device memory; on the stream of cublas_open(). */
void cublas_ddot(int n, const void *x, const void *y, void *result);
void cublas_sdot(int n, const void *x, const void *y, void *result);
void cublas_dnrm2(int n, const void *x, void *result);
void cublas_dasum(int n, const void *x, void *result);

#endif
