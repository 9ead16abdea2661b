/* Whether there is a device that can run the kernels, and what it is called. */
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstring>

#include "cuda/status.h"

/* Stands for all kernels: they are compiled for the same devices. */
static __global__ void nothing()
{
}

/* The sentence for an error of the first calls of the runtime. */
static const char *why_not(cudaError_t error)
{
    int driver = 0;
    switch (error) {
    case cudaErrorInsufficientDriver:
        if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
            return "this machine has no NVIDIA driver";
        return "the NVIDIA driver is older than the CUDA runtime of this library: update the "
               "driver, or build with an older toolkit";
    case cudaErrorNoDevice:
        return "there is no CUDA device, or CUDA_VISIBLE_DEVICES hides it";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
        return "this library was built for other CUDA devices: `make cuda` takes CUDA_ARCH";
    default:
        return cudaGetErrorString(error);
    }
}

/* The last device that was found to be good: every call of samesum_cuda.h asks. */
static std::atomic<int> good_device{-1};

static const char *find_fault(int &device)
{
    int count = 0, major = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess && device == good_device.load(std::memory_order_relaxed))
        return nullptr;
    if (error == cudaSuccess)
        error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count == 0)
        error = cudaErrorNoDevice;
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaFuncAttributes attributes;
    if (error == cudaSuccess && major >= 8)
        error = cudaFuncGetAttributes(&attributes, (const void *)nothing);
    if (error != cudaSuccess) {
        const char *why = why_not(error);
        cudaGetLastError(); /* answered here, not by the caller's next call */
        return why;
    }
    if (major < 8)
        return "the CUDA device is older than compute capability 8.0";
    good_device.store(device, std::memory_order_relaxed);
    return nullptr;
}

samesum_status ss_cuda_device(int *device, const char **why)
{
    const char *fault = find_fault(*device);
    if (fault && why)
        *why = fault;
    return fault ? SAMESUM_ERR_UNAVAILABLE : SAMESUM_OK;
}

samesum_status samesum_cuda_status(const char **why)
{
    int device;
    return ss_cuda_device(&device, why);
}

samesum_status samesum_cuda_device_name(char *name, size_t bytes)
{
    if (!name)
        return SAMESUM_ERR_NULL;
    if (bytes == 0)
        return SAMESUM_ERR_SIZE;
    int device = 0;
    cudaDeviceProp properties;
    if (samesum_cuda_status(nullptr) != SAMESUM_OK)
        return SAMESUM_ERR_UNAVAILABLE;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaGetDeviceProperties(&properties, device) != cudaSuccess)
        return SAMESUM_ERR_CUDA;
    strncpy(name, properties.name, bytes - 1);
    name[bytes - 1] = '\0';
    return SAMESUM_OK;
}

const char *samesum_cuda_version(void)
{
    return SAMESUM_VERSION;
}
