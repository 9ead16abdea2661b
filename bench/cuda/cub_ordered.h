/* What libcub_ordered.so holds: CUB's sum with determinism::gpu_to_gpu. */
#ifndef BENCH_CUDA_CUB_ORDERED_H
#define BENCH_CUDA_CUB_ORDERED_H

extern "C" {
int cub_ordered_version(void); /* CUB_VERSION of the headers that it was made with */
/* result: one number of the elements' type in device memory; memory: CUB's temporary storage,
 * CUB_ORDERED_BYTES of it; stream: a cudaStream_t. Answers a cudaError_t. */
int cub_ordered_sum_f64(const void *x, int n, void *result, void *memory, void *stream);
int cub_ordered_sum_f32(const void *x, int n, void *result, void *memory, void *stream);
}
/* Far more than it takes: a few hundred bytes for each block that the device can hold. */
enum { CUB_ORDERED_BYTES = 64 << 20 };

#endif
