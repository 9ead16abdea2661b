/* tune.h - how the device is set to work, for tests: no result may depend on it. The shared
 * library does not export it. */
#ifndef TESTS_CUDA_TUNE_H
#define TESTS_CUDA_TUNE_H

#ifdef __cplusplus
extern "C" {
#endif

/* 0 is the default for each; what the kernels cannot do becomes the nearest that they can. */
struct ss_cuda_tuning {
    int blocks;    /* thread blocks of the kernels that sum */
    int chunk_log; /* log2 of the rows of the tree that a warp takes at once */
};

/* For the calls from now on, of all threads, and the workspaces that are asked for. */
void ss_cuda_tune(const struct ss_cuda_tuning *tuning);

#ifdef __cplusplus
}
#endif
#endif
