/* What each row held: samesum_counts, as samesum_reduce_array() gives them. Calls only launch. */
#ifndef SS_CUDA_COUNTS_H
#define SS_CUDA_COUNTS_H

#include "cuda/view.cuh"

/* Bytes, a multiple of 256. */
size_t ss_cuda_counts_workspace(const ss_cuda_view &view);

/* Writes one for each row to device memory. Elements are counted, whatever numbers of them the view
 * gives, of x and, where it has a place, of y or the weights. */
cudaError_t ss_cuda_counts_launch(const ss_cuda_view &view, samesum_counts *counts, void *workspace,
                                  cudaStream_t stream);

#endif
