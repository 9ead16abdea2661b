/* Kernels that may be launched before the one before them in the stream is done, on devices that
 * can (compute capability 9.0 and newer): they begin with ss_wait_for_grid(). */
#ifndef SS_CUDA_OVERLAP_CUH
#define SS_CUDA_OVERLAP_CUH

#include <cuda_runtime.h>

/* What kernels before this one wrote can be read from here on. */
static __device__ __forceinline__ void ss_wait_for_grid()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* The next kernel may be brought in, once all blocks have come here or ended; it waits for this
 * one's end all the same. */
static __device__ __forceinline__ void ss_let_next_come()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/* overlaps: whether the device can. */
static inline cudaError_t ss_launch_overlapped(bool overlaps, const void *kernel, unsigned blocks,
                                               unsigned threads, void **arguments,
                                               cudaStream_t stream)
{
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = overlaps ? 1 : 0;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

#endif
