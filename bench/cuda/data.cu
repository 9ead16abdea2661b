#include "data.h"

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "harness.h"

namespace
{
constexpr int THREADS = 256, BLOCKS = 4096;

/* The finaliser of splitmix64: independent bits for each index. */
__device__ uint64_t mixed(uint64_t i)
{
    i += 0x9e3779b97f4a7c15u;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
    return i ^ (i >> 31);
}

__device__ double number(uint64_t i)
{
    return double(mixed(i) >> 11) * 0x1p-52 - 0.5;
}

__device__ void set(double &to, double value)
{
    to = value;
}
__device__ void set(float &to, double value)
{
    to = float(value);
}
__device__ void set(__half &to, double value)
{
    to = __float2half_rn(float(value));
}
__device__ void set(__nv_bfloat16 &to, double value)
{
    to = __float2bfloat16_rn(float(value));
}
__device__ void set(unsigned char &to, double value)
{
    to = value < 0.5;
}

template <typename T> __global__ void fill_kernel(T *x, size_t n)
{
    size_t step = size_t{gridDim.x} * THREADS;
    for (size_t i = size_t{blockIdx.x} * THREADS + threadIdx.x; i < n; i += step)
        set(x[i], number(i));
}

template <typename T> void fill(void *memory, size_t bytes)
{
    fill_kernel<<<BLOCKS, THREADS>>>(static_cast<T *>(memory), bytes / sizeof(T));
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
}
} // namespace

Data data_create()
{
    Data d;
    CUDA(cudaMalloc(&d.x, X_BYTES));
    CUDA(cudaMalloc(&d.y, Y_BYTES));
    CUDA(cudaMalloc(&d.mask, MASK_BYTES));
    CUDA(cudaMalloc(&d.results, RESULT_BYTES));
    fill<unsigned char>(d.mask, MASK_BYTES);
    return d;
}

void data_fill(void *memory, size_t bytes, samesum_type type)
{
    switch (type) {
    case SAMESUM_F64:
        return fill<double>(memory, bytes);
    case SAMESUM_F16:
        return fill<__half>(memory, bytes);
    case SAMESUM_BF16:
        return fill<__nv_bfloat16>(memory, bytes);
    default:
        return fill<float>(memory, bytes);
    }
}
