/* Whether a pointer is one that kernels may follow. */
#ifndef SS_CUDA_POINTER_H
#define SS_CUDA_POINTER_H

#include "samesum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Device memory, or memory that the device can reach, at a multiple of `align`; else
 * SAMESUM_ERR_POINTER. */
samesum_status ss_cuda_check_pointer(const void *pointer, size_t align);

#ifdef __cplusplus
}
#endif
#endif
