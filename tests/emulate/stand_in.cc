/* stand_in.cc - what is called and not emulated: level exact, and what status.cu keeps. */
#include "cuda/exact.h"

#include <cstdlib>

size_t ss_cuda_exact_workspace(const ss_cuda_exact_job &)
{
    return 0;
}

cudaError_t ss_cuda_exact_launch(const ss_cuda_exact_job &, void *, cudaStream_t)
{
    abort();
}

cudaError_t ss_cuda_exact_state_launch(const ss_cuda_exact_job &, ss_exact *, uint64_t *, void *,
                                       cudaStream_t)
{
    abort();
}

cudaError_t ss_cuda_exact_join_launch(const ss_cuda_exact_job &, const char *, size_t, uint64_t,
                                      size_t, uint64_t, const int *, cudaStream_t)
{
    abort();
}

extern "C" samesum_status samesum_cuda_status(const char **)
{
    return SAMESUM_OK;
}
