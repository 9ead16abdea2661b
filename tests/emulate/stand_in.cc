/* stand_in.cc - what is called and not emulated: level exact, and what status.cu and driver.cu
 * answer. */
#include "cuda/check.h"
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

samesum_status ss_cuda_device(int *device, const char **)
{
    *device = 0;
    return SAMESUM_OK;
}

/* So that check.cu asks the emulator. */
bool ss_cuda_is_on_device(const void *)
{
    return false;
}
