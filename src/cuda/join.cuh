/* Ranges that follow one another, merged on the device: their images (image.cuh) become every row's
 * sums, and these its result or what the next pass needs. Calls only launch. */
#ifndef SS_CUDA_JOIN_CUH
#define SS_CUDA_JOIN_CUH

#include "cuda/image.cuh"
#include "cuda/sums.cuh"

struct ss_join_job {
    ss_row_sums sums; /* rows, terms, per; finish, ddof, sink; parameter, wanted, and present, which
                         receives what is present in all */
    /* images, `stride` bytes apart; in each its begin and end, elements; present elements of each
     * row; and the lines */
    const char *images;
    size_t stride;
    uint64_t count;
    size_t span_at, present_at, lines_at;
    ss_image_form form;
    const int *bad; /* NULL, or not 0 where the images do not fit together: the result is NaN */
    bool wide;
    int level;
    char *room; /* workspace */
};

/* Bytes of workspace, a multiple of 256. terms: of a row. */
size_t ss_join_workspace(const ss_join_job &job);
cudaError_t ss_join_launch(const ss_join_job &job, cudaStream_t stream);

/* samesum_counts of the rows of each range, `at` bytes behind where it begins; all of them become
 * one. */
cudaError_t ss_join_counts(const char *images, size_t stride, uint64_t count, size_t span_at,
                           size_t counts_at, uint64_t rows, samesum_counts *counts,
                           cudaStream_t stream);

/* The largest magnitudes that ss_cuda_largest_launch() found in each; wanted: as there. */
cudaError_t ss_join_largest(const char *images, size_t stride, uint64_t count, size_t largest_at,
                            uint64_t rows, const int *wanted, double *largest, cudaStream_t stream);

#endif
