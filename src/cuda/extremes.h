/* min, max, argmin, argmax and minmax of every row (SPEC.md 6.5), and the largest magnitude, which
 * nrm2 scales by (6.1). Calls only launch. */
#ifndef SS_CUDA_EXTREMES_H
#define SS_CUDA_EXTREMES_H

#include "cuda/sink.cuh"
#include "cuda/view.cuh"
#include "../extremes.h" /* not this one */

struct ss_cuda_extremes_job {
    ss_cuda_view view;
    samesum_op op;
    samesum_nan nan;
    ss_cuda_sink sink;
};

/* Bytes, a multiple of 256. */
size_t ss_cuda_extremes_workspace(const ss_cuda_extremes_job &job);

/* Writes the results of all rows: NaN, or UINT64_MAX for an index, where nothing is present. */
cudaError_t ss_cuda_extremes_launch(const ss_cuda_extremes_job &job, void *workspace,
                                    cudaStream_t stream);

/* Writes what the rows hold as the CPU keeps it (its tiles are 0), and how many elements of each
 * are present, to device memory. The operation and the sink are not used. */
cudaError_t ss_cuda_extremes_state_launch(const ss_cuda_extremes_job &job, ss_found *found,
                                          uint64_t *present, void *workspace, cudaStream_t stream);

/* What the rows hold, in memory aligned to 16 for ss_cuda_extremes_join_launch(), in so many bytes
 * of a row; of indices `begin` is that of the rows' first elements. */
size_t ss_cuda_extremes_share_bytes(samesum_op op);
cudaError_t ss_cuda_extremes_share_launch(const ss_cuda_extremes_job &job, uint64_t begin,
                                          void *share, void *workspace, cudaStream_t stream);
/* The results of rows of which several places hold some, `at` bytes behind images, images + stride
 * and so on. Of the job, the view is not used. */
cudaError_t ss_cuda_extremes_join_launch(const ss_cuda_extremes_job &job, const char *images,
                                         size_t stride, uint64_t count, size_t at, uint64_t rows,
                                         cudaStream_t stream);
/* The same for min, max and minmax of what ss_cuda_extremes_state_launch() wrote; NaN where *bad,
 * in device memory, is not 0. */
cudaError_t ss_cuda_extremes_finish_launch(const ss_cuda_extremes_job &job, const char *images,
                                           size_t stride, uint64_t count, size_t at, const int *bad,
                                           cudaStream_t stream);

/* Of each row the largest |number|: infinite where any is, else NaN where any is, 0 for nothing.
 * wanted: NULL, or device memory, one for each row; rows with 0 are not looked at, and their values
 * not written. */
size_t ss_cuda_largest_workspace(const ss_cuda_view &view);
cudaError_t ss_cuda_largest_launch(const ss_cuda_view &view, const int *wanted, double *largest,
                                   void *workspace, cudaStream_t stream);

#endif
