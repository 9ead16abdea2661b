/* The device that calls are made on. */
#ifndef SS_CUDA_STATUS_H
#define SS_CUDA_STATUS_H

#include "samesum_cuda.h"

/* The current device, and whether it can run the kernels: as samesum_cuda_status(). */
samesum_status ss_cuda_device(int *device, const char **why);

#endif
