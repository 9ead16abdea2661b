/* What a call is refused for, before anything is launched. */
#ifndef SS_CUDA_CHECK_H
#define SS_CUDA_CHECK_H

#include "cuda/passes.h"
#include "cuda/pointer.h"
#include "samesum_cuda.h"

/* The pointers and strides of an array: SAMESUM_ERR_POINTER where one is not to be read. */
samesum_status ss_cuda_check_view(const ss_cuda_view &view);

#endif
