/* cuda.h - libsamesum_cuda, which is loaded at run time: the program itself needs nothing of CUDA.
 */
#ifndef SAMESUM_CLI_CUDA_H
#define SAMESUM_CLI_CUDA_H

#include "samesum.h"

/* NULL where there is the library and a device that it can use; else what is missing. */
const char *cuda_missing(void);
/* Ends the program with the remedy where something is missing. */
void cuda_need(void);
/* After cuda_missing() answered NULL: the library's file, and the device's name. */
const char *cuda_library(void);
const char *cuda_device(void);
/* After cuda_need(): samesum_cuda_reduce_host(). */
samesum_status cuda_reduce(const samesum_array *array, const int *axes, int axis_count,
                           const samesum_want *want, void *results, samesum_counts *counts);

#endif
