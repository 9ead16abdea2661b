/* Level exact on the device (SPEC.md 4.4, 6.1 to 6.3, 6.7, 6.8): what the launches of the library
 * need of it. */
#ifndef SS_CUDA_EXACT_H
#define SS_CUDA_EXACT_H

#include "cuda/sink.cuh"
#include "cuda/view.cuh"
#include "exact/finish.h"

/* All rows of one reduction. */
struct ss_cuda_exact_job {
    ss_cuda_view view[2]; /* one for each sum; equal rows and numbers of elements */
    int sums;             /* 1 or 2, as kind says */
    samesum_op term[2];   /* the leaves of each sum: SAMESUM_SUM, _ASUM, _SUMSQ or _DOT */
    ss_exact_kind kind;
    samesum_op op;
    unsigned ddof;
    ss_cuda_sink sink;
};

/* Bytes of workspace, a multiple of 256 and maybe 0, for the current device. */
size_t ss_cuda_exact_workspace(const ss_cuda_exact_job &job);

/* The results of all rows, through the sink. */
cudaError_t ss_cuda_exact_launch(const ss_cuda_exact_job &job, void *workspace,
                                 cudaStream_t stream);

/* The sums of every row, for accumulator.h: job.sums of them in acc, and the number of elements
 * present; both device memory. job.sink is not used. */
cudaError_t ss_cuda_exact_state_launch(const ss_cuda_exact_job &job, ss_exact *acc,
                                       uint64_t *present, void *workspace, cudaStream_t stream);

/* The results of rows whose sums, made so, are in several places: `at` bytes behind images, images
 * + stride and so on. bad: NULL, or device memory: not 0 where they do not fit together; then the
 * results are NaN. Of the job, views are not used. */
cudaError_t ss_cuda_exact_join_launch(const ss_cuda_exact_job &job, const char *images,
                                      size_t stride, uint64_t count, size_t at, uint64_t rows,
                                      const int *bad, cudaStream_t stream);

#endif
