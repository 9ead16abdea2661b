/* What a call is refused for, before anything is launched. */
#ifndef SS_CUDA_CHECK_H
#define SS_CUDA_CHECK_H

#include "cuda/passes.h"
#include "cuda/pointer.h"
#include "cuda/status.h"
#include "samesum_cuda.h"

/* Whether it is plain device memory; if not, it may be good all the same. */
bool ss_cuda_is_on_device(const void *pointer);

/* The pointers and strides of an array: SAMESUM_ERR_POINTER where one is not to be read. */
samesum_status ss_cuda_check_view(const ss_cuda_view &view);

/* Where results go; and whether they, and the counts, can. */
ss_cuda_sink ss_cuda_sink_of(const samesum_want &want, samesum_type type,
                             const samesum_cuda_out &out);
samesum_status ss_cuda_check_out(const samesum_cuda_out &out, const ss_cuda_sink &sink,
                                 uint64_t rows);

/* What the number of elements alone tells: SAMESUM_NO_VALUE, or SAMESUM_ERR_EMPTY (samesum_cuda.h).
 */
samesum_status ss_cuda_status_of(const samesum_want &want, uint64_t n);

#endif
