/* The part of the CUDA runtime that the host side of libsamesum_cuda uses, of a device that is not
 * there: device.cpp plays it on the CPU. */
#ifndef TESTS_STAND_IN_CUDA_RUNTIME_API_H
#define TESTS_STAND_IN_CUDA_RUNTIME_API_H

#include <cstddef>

enum cudaError_t {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorNoDevice,
    cudaErrorInsufficientDriver,
    cudaErrorDevicesUnavailable,
    cudaErrorNoKernelImageForDevice,
    cudaErrorInvalidDeviceFunction,
    cudaErrorLaunchFailure
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaDeviceAttr { cudaDevAttrComputeCapabilityMajor };
enum { cudaHostAllocDefault, cudaStreamNonBlocking };
struct cudaDeviceProp {
    char name[256];
};
struct cudaFuncAttributes {
    int threads;
};
typedef struct CUstream_st *cudaStream_t;
#define __global__

cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes);
cudaError_t cudaMalloc(void **at, size_t bytes);
cudaError_t cudaFree(void *at);
cudaError_t cudaHostAlloc(void **at, size_t bytes, int flags);
cudaError_t cudaFreeHost(void *at);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, int flags);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);

#endif
