/* runtime.cc - the CUDA runtime, as C programs see it, for devices that the CPU plays
 * (tests/emulate): kernels and copies are done at once; memory belongs to the device that was
 * current. */
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "samesum_cuda.h"
#include "../../emulate/emulator_memory.h"

static std::map<const char *, emu_buffer *> memory;

/* Kernels read 16 bytes at a time. */
static bool is_device_memory(const void *p)
{
    auto next = memory.upper_bound((const char *)p);
    return next != memory.begin() && (const char *)p < (--next)->second->high;
}

extern "C" {

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 8;
    emu_is_device_memory = is_device_memory;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device)
{
    *device = emu_current.number;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device)
{
    emu_current.number = device;
    return cudaSuccess;
}
cudaError_t cudaMalloc(void **p, size_t bytes)
{
    const size_t rounded = (bytes + 255) / 256 * 256 + 256;
    char *at = (char *)aligned_alloc(256, rounded);
    memset(at, 0x5a, rounded);
    emu_buffer *buffer =
        new emu_buffer{"memory", at, at + (bytes + 15) / 16 * 16, at, at + bytes, {}};
    buffer->given.assign((size_t)(buffer->high - at), 1);
    memory[at] = buffer;
    emu_register(buffer);
    *p = at;
    return cudaSuccess;
}
cudaError_t cudaFree(void *p)
{
    auto found = memory.find((const char *)p);
    if (!p)
        return cudaSuccess;
    if (found == memory.end())
        abort();
    emu_forget(found->second);
    delete found->second;
    memory.erase(found);
    free(p);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
    memset(p, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize()
{
    return cudaSuccess;
}
cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
const char *cudaGetErrorString(cudaError_t)
{
    return "an error";
}
/* A stream is the number of its device. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = (cudaStream_t)(uintptr_t)(1 + emu_current.number);
    return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    *device = (int)(uintptr_t)stream - 1;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}

/* What is not emulated: graphs, and the device's name. */
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned)
{
    abort();
}
cudaError_t cudaEventDestroy(cudaEvent_t)
{
    abort();
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t)
{
    abort();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    abort();
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode)
{
    abort();
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *)
{
    abort();
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long)
{
    abort();
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t)
{
    abort();
}
cudaError_t cudaGraphDestroy(cudaGraph_t)
{
    abort();
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t)
{
    abort();
}
samesum_status samesum_cuda_device_name(char *name, size_t bytes)
{
    return bytes > 0 ? (*name = '\0', SAMESUM_OK) : SAMESUM_ERR_SIZE;
}
}
