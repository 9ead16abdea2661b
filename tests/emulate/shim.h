/* shim.h - the part of CUDA that the kernels of sums use, for g++: included before every file.
 * emulator.h says how kernels are run. */
#ifndef TESTS_EMULATE_SHIM_H
#define TESTS_EMULATE_SHIM_H

/* All of the standard library that is used anywhere: __noinline__ means something else in it. */
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#define __CUDACC__ 1
#define __global__
#define __grid_constant__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
using std::isfinite;
using std::isinf;
using std::isnan;

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c)
    {
    }
};
extern dim3 threadIdx, blockIdx, blockDim, gridDim;
struct __align__(8) uint2
{
    unsigned x, y;
};
struct __align__(16) uint4
{
    unsigned x, y, z, w;
};

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorUnknown = 999 };
enum {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrComputeCapabilityMajor,
    cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged,
    cudaMemoryTypeHost
};
typedef struct CUstream_st *cudaStream_t;
struct cudaPointerAttributes {
    int type;
    void *devicePointer;
};
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p);
cudaError_t cudaGetLastError();
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device);
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);
struct cudaLaunchAttribute {
    int id;
    struct {
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *kernel,
                                              void **arguments)
{
    return cudaLaunchKernel(kernel, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes,
                            c->stream);
}
int emu_blocks_each();
/* Shared memory that the kernel may have. */
cudaError_t emu_allow(const void *kernel, int shared);
template <class F> cudaError_t cudaFuncSetAttribute(F kernel, int, int value)
{
    return emu_allow((const void *)kernel, value);
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int, int)
{
    *blocks = emu_blocks_each();
    return cudaSuccess;
}

/* What translate.py puts in. Addresses of shared memory are numbers of 32 bits, as in PTX. */
void emu_launch(unsigned grid, unsigned block, unsigned shared,
                const std::function<void()> &kernel);
char *emu_shared();
size_t emu_shared_address(const void *p);
#define __cvta_generic_to_shared emu_shared_address
void emu_copy_16(unsigned to, const char *from); /* asynchronous: done when it is waited for */
void emu_copy_byte(unsigned to, const char *from);
void emu_commit();
void emu_wait(int groups); /* until so many are left */
/* Whether the bytes at p are the caller's; counts it as a foreign read where they are not. */
bool emu_check(const void *p, size_t bytes);
static inline unsigned char emu_checked(const unsigned char *p)
{
    emu_check(p, 1);
    return *p;
}

void emu_warp_barrier();
void emu_block_barrier();
static inline void __syncwarp()
{
    emu_warp_barrier();
}
static inline void __syncthreads()
{
    emu_block_barrier();
}
static inline void __threadfence()
{
}

static inline void emu_load_16(unsigned to[4], const char *from)
{
    if ((uintptr_t)from % 16)
        abort();
    emu_check(from, 16);
    memcpy(to, from, 16);
}

/* What the threads of the warp gave, by lane; valid until the thread's next call but one. */
const uint64_t *emu_exchange(uint64_t mine);
template <class T> T emu_of_lane(T v, unsigned lane)
{
    uint64_t mine = 0;
    memcpy(&mine, &v, sizeof v);
    memcpy(&v, emu_exchange(mine) + lane, sizeof v);
    return v;
}
template <class T> T __shfl_xor_sync(unsigned, T v, unsigned mask)
{
    return emu_of_lane(v, threadIdx.x % 32 ^ mask);
}
template <class T> T __shfl_sync(unsigned, T v, unsigned lane)
{
    return emu_of_lane(v, lane % 32);
}
static inline unsigned __ballot_sync(unsigned, bool p)
{
    const uint64_t *of = emu_exchange(p);
    unsigned bits = 0;
    for (int i = 0; i < 32; i++)
        bits |= (unsigned)of[i] << i;
    return bits;
}
static inline unsigned __reduce_add_sync(unsigned, unsigned v)
{
    const uint64_t *of = emu_exchange(v);
    unsigned sum = 0;
    for (int i = 0; i < 32; i++)
        sum += (unsigned)of[i];
    return sum;
}

static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned bits)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> bits % 32);
}
static inline int __ffs(unsigned v)
{
    return __builtin_ffs((int)v);
}
static inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
static inline int __clz(int v)
{
    return v ? __builtin_clz((unsigned)v) : 32;
}
template <class T> T __ldcg(const T *p)
{
    return *p;
}
template <class T> T __ldcs(const T *p)
{
    if ((uintptr_t)p % sizeof(T))
        abort();
    emu_check(p, sizeof(T));
    return *p;
}
template <class T> T atomicAdd(T *p, T v)
{
    T old = *p;
    *p += v;
    return old;
}

template <class To, class From> To emu_bits(From from)
{
    To to;
    static_assert(sizeof to == sizeof from, "");
    memcpy(&to, &from, sizeof to);
    return to;
}
#define __longlong_as_double(v) emu_bits<double>((long long)(v))
#define __double_as_longlong(v) emu_bits<long long>((double)(v))
#define __int_as_float(v) emu_bits<float>((int)(v))
#define __float_as_int(v) emu_bits<int>((float)(v))
#define __uint_as_float(v) emu_bits<float>((unsigned)(v))
#define __float_as_uint(v) emu_bits<unsigned>((float)(v))
#define __double2hiint(v) (int)(emu_bits<uint64_t>((double)(v)) >> 32)
#define __double2loint(v) (int)emu_bits<uint64_t>((double)(v))
#define __hiloint2double(h, l) emu_bits<double>((uint64_t)(unsigned)(h) << 32 | (unsigned)(l))
#define __ull2double_rn(v) (double)(unsigned long long)(v)
#define __ull2float_rn(v) (float)(unsigned long long)(v)
static inline float emu_half_to_float(unsigned short bits)
{
    return (float)emu_bits<_Float16>(bits);
}
static inline unsigned short emu_float_to_half(float v)
{
    return emu_bits<unsigned short>((_Float16)v);
}

#endif
