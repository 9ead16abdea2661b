/* The sum of CUB that gives the same bits on every GPU, as a shared object of its own: it needs a
 * newer CCCL than toolkits hold, whose headers cannot share a program with the toolkit's. */
#include "cub_ordered.h"

#include <new>
#include <cub/cub.cuh>
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>

namespace
{
/* Hands out memory that the caller reserved, so that no allocation is timed. */
struct Reserved {
    void *memory;
    void *allocate(cuda::stream_ref, size_t bytes, size_t)
    {
        if (bytes > CUB_ORDERED_BYTES)
            throw std::bad_alloc(); // becomes cudaErrorMemoryAllocation
        return memory;
    }
    void deallocate(cuda::stream_ref, void *, size_t, size_t) noexcept
    {
    }
    void *allocate_sync(size_t bytes, size_t alignment)
    {
        return allocate(cuda::stream_ref{cudaStream_t{}}, bytes, alignment);
    }
    void deallocate_sync(void *, size_t, size_t) noexcept
    {
    }
    bool operator==(const Reserved &other) const
    {
        return memory == other.memory;
    }
    bool operator!=(const Reserved &other) const
    {
        return memory != other.memory;
    }
};

template <typename T> int sum(const void *x, int n, void *result, void *memory, void *stream)
{
    (void)cudaGetLastError(); // CUB answers with what an earlier call left
    auto environment = cuda::std::execution::env{
        cuda::execution::require(cuda::execution::determinism::gpu_to_gpu),
        cuda::stream_ref{static_cast<cudaStream_t>(stream)},
        cuda::std::execution::prop{cuda::mr::get_memory_resource, Reserved{memory}}};
    return cub::DeviceReduce::Sum(static_cast<const T *>(x), static_cast<T *>(result), n,
                                  environment);
}
} // namespace

__attribute__((visibility("default"))) int cub_ordered_version(void)
{
    return CUB_VERSION;
}
__attribute__((visibility("default"))) int cub_ordered_sum_f64(const void *x, int n, void *result,
                                                               void *memory, void *stream)
{
    return sum<double>(x, n, result, memory, stream);
}
__attribute__((visibility("default"))) int cub_ordered_sum_f32(const void *x, int n, void *result,
                                                               void *memory, void *stream)
{
    return sum<float>(x, n, result, memory, stream);
}
