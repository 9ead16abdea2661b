#include "cuda/host.cuh"

samesum_status ss_cuda_said(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return SAMESUM_OK;
    case cudaErrorMemoryAllocation:
        cudaGetLastError(); /* it is dealt with, and no later call shall meet it */
        return SAMESUM_ERR_NOMEM;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoKernelImageForDevice:
        return SAMESUM_ERR_UNAVAILABLE;
    default:
        return SAMESUM_ERR_CUDA;
    }
}

samesum_status ss_memory::need(size_t bytes)
{
    if (bytes <= bytes_)
        return SAMESUM_OK;
    release();
    void *at = nullptr;
    samesum_status st = ss_cuda_said(
        kind_ == DEVICE ? cudaMalloc(&at, bytes) : cudaHostAlloc(&at, bytes, cudaHostAllocDefault));
    if (st != SAMESUM_OK)
        return st;
    at_ = (char *)at;
    bytes_ = bytes;
    return SAMESUM_OK;
}

void ss_memory::release()
{
    if (at_ && kind_ == DEVICE)
        cudaFree(at_);
    else if (at_)
        cudaFreeHost(at_);
    at_ = nullptr;
    bytes_ = 0;
}

samesum_status ss_lane::start(size_t staging_bytes)
{
    samesum_status st =
        ss_cuda_said(stream ? cudaStreamSynchronize(stream)
                            : cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return st == SAMESUM_OK ? staging.need(staging_bytes) : st;
}

samesum_status ss_lane::wait()
{
    return ss_cuda_said(cudaStreamSynchronize(stream));
}

ss_lane::~ss_lane()
{
    if (!stream)
        return;
    cudaStreamSynchronize(stream); /* nothing may use what is freed next */
    cudaStreamDestroy(stream);
}
