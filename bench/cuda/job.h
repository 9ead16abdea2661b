/* One call of samesum on data in device memory, checked once against the CPU. */
#ifndef BENCH_CUDA_JOB_H
#define BENCH_CUDA_JOB_H

#include <cstddef>
#include <cuda_runtime.h>
#include "samesum_cuda.h"

/* x, and where the operation or the array wants them y and mask, C order without gaps. */
struct Job {
    samesum_op op = SAMESUM_SUM;
    samesum_level level = SAMESUM_TREE;
    samesum_type type = SAMESUM_F64;
    const void *x = nullptr, *y = nullptr, *mask = nullptr;
    size_t shape[2] = {0, 0}; /* shape[1] 0: one dimension */
    int axis = 0;             /* that is reduced */
    void *results = nullptr;
};

/* Makes the workspace large enough, runs the job, and compares its bits on the first million
 * elements with the CPU's; ends the program where they differ, or the job cannot run. */
void job_prepare(const Job &job, cudaStream_t stream);
/* A job that was prepared. */
void job_launch(const Job &job, cudaStream_t stream);

#endif
