/* tune.h - how the device is set to work, for tests: no result may depend on it. In the static
 * library alone. */
#ifndef TESTS_CUDA_TUNE_H
#define TESTS_CUDA_TUNE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 0 is the default for each; what the kernels cannot do becomes the nearest that they can. */
struct ss_cuda_tuning {
    int blocks;    /* thread blocks of the kernels that sum */
    int chunk_log; /* log2 of the rows of the tree that a warp takes at once */
};

/* Weak, so that the tests link, and say so, where the library lacks them. */
#pragma weak ss_cuda_tune
#pragma weak ss_cuda_host_chunk

/* For the calls from now on, of all threads, and the workspaces that are asked for. */
void ss_cuda_tune(const struct ss_cuda_tuning *tuning);
/* Elements that samesum_cuda_reduce_host() copies at once; 0: the default. */
void ss_cuda_host_chunk(size_t elements);

#ifdef __cplusplus
}
#endif
#endif
