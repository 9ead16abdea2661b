/* What a call is refused for, before anything is launched. */
#ifndef SS_CUDA_CHECK_H
#define SS_CUDA_CHECK_H

#include "cuda/plan.h"
#include "samesum_cuda.h"

/* want as the CPU's code checks it: without threads and backend. Errors: those of ss_check(), and
 * SAMESUM_ERR_BACKEND for another backend than auto and cuda. *host: the CPU's loops, for what is
 * converted on the host. */
samesum_status ss_cuda_check_want(const samesum_want *want, samesum_type type,
                                  samesum_want *checked, const ss_backend **host);

/* Device memory, or memory that the device can reach, at a multiple of `align`. */
samesum_status ss_cuda_check_pointer(const void *pointer, size_t align);

/* The pointers and strides of an array: SAMESUM_ERR_POINTER where one is not to be read. */
samesum_status ss_cuda_check_view(const ss_cuda_view &view);

#endif
