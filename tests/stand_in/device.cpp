/* A stand-in for a CUDA device, so that what runs on the host (chunks, packing, lanes, merging, the
 * program's --backend cuda) is tested where there is none. It tests no kernel.
 *
 * It is as late as a device may be: copies and reductions are done when their stream is waited for,
 * so that memory that is reused too early gives wrong bits. Device memory is known by its address.
 * Environment: STAND_IN_FAILS=K makes call K (from 1) of the runtime fail; STAND_IN_IS_OTHER: the
 * device is one that the library has no code for. The process ends with status 99 where anything is
 * left when the library is unloaded. */
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <unistd.h>
#include <vector>

#include "samesum_cuda.h"

struct CUstream_st {
    std::vector<std::function<void()>> work;
};

namespace
{

std::map<const char *, size_t> device_memory, pinned_memory;
long streams, calls, fails;
cudaError_t last;

/* Leaks are looked for once, at the end. */
struct at_the_end {
    ~at_the_end()
    {
        if (device_memory.empty() && pinned_memory.empty() && streams == 0)
            return;
        fprintf(stderr,
                "stand-in: %zu blocks of device memory, %zu of pinned memory and %ld "
                "streams were left\n",
                device_memory.size(), pinned_memory.size(), streams);
        _exit(99);
    }
} at_the_end;

cudaError_t answer(cudaError_t otherwise = cudaErrorLaunchFailure)
{
    const char *text = getenv("STAND_IN_FAILS");
    const long number = text ? strtol(text, nullptr, 10) : 0;
    calls = number == fails ? calls + 1 : 1; /* counted from when it was set */
    fails = number;
    last = calls == fails ? otherwise : cudaSuccess;
    return last;
}

bool is_in(const std::map<const char *, size_t> &memory, const void *at, size_t bytes)
{
    auto next = memory.upper_bound((const char *)at);
    if (next == memory.begin())
        return false;
    --next;
    return (const char *)at + bytes <= next->first + next->second;
}

cudaError_t allocate(std::map<const char *, size_t> *memory, void **at, size_t bytes)
{
    const cudaError_t error = answer(cudaErrorMemoryAllocation);
    if (error != cudaSuccess)
        return error;
    *at = malloc(bytes);
    memset(*at, 0x5a, bytes); /* of any content */
    (*memory)[(const char *)*at] = bytes;
    return cudaSuccess;
}

void give_back(std::map<const char *, size_t> *memory, void *at)
{
    if (memory->erase((const char *)at) != 1)
        abort();
    free(at);
}

/* A description that outlives the call. */
struct description {
    samesum_array array;
    samesum_want want;
    std::vector<size_t> shape;
    std::vector<ptrdiff_t> strides[4];
    std::vector<int> axes;

    description(const samesum_array *a, const samesum_want *w, const int *ax, int axis_count)
        : array(*a), want(*w), shape(a->shape, a->shape + a->dims), axes(ax, ax + axis_count)
    {
        const ptrdiff_t *from[] = {a->strides, a->y_strides, a->weights_strides, a->mask_strides};
        for (int i = 0; i < 4; i++)
            if (from[i])
                strides[i].assign(from[i], from[i] + a->dims);
        want.backend = SAMESUM_BACKEND_SCALAR;
    }
    const samesum_array *get()
    {
        auto data = [](std::vector<ptrdiff_t> &v) { return v.empty() ? nullptr : v.data(); };
        array.shape = shape.data();
        array.strides = data(strides[0]);
        array.y_strides = data(strides[1]);
        array.weights_strides = data(strides[2]);
        array.mask_strides = data(strides[3]);
        return &array;
    }
};

bool pointers_are_right(const samesum_array *a, const void *results, const void *workspace)
{
    const void *const all[] = {a->x, a->y, a->weights, a->mask, results, workspace};
    for (const void *at : all)
        if (at && !is_in(device_memory, at, 1))
            return false;
    return true;
}

enum { WORKSPACE = 512, IMAGE = 1 << 17 };

/* NO_VALUE and EMPTY where the shape alone tells: the counts of an array without absent elements.
 */
samesum_status status_by_shape(const samesum_array *a, const int *axes, int axis_count,
                               const samesum_want *want)
{
    uint64_t n = 1;
    for (int k = 0; k < a->dims; k++) {
        bool reduced = axis_count == 0;
        for (int i = 0; i < axis_count; i++)
            reduced = reduced || axes[i] == k || axes[i] + a->dims == k;
        n *= reduced ? a->shape[k] : 1;
    }
    const bool spread = want->op == SAMESUM_VAR || want->op == SAMESUM_STD;
    return spread && n <= want->ddof ? SAMESUM_NO_VALUE : SAMESUM_OK;
}

} // namespace

/* ---- the runtime ------------------------------------------------------------------------------
 */

cudaError_t cudaGetLastError()
{
    const cudaError_t error = last;
    last = cudaSuccess;
    return error;
}
const char *cudaGetErrorString(cudaError_t)
{
    return "the stand-in was told to fail";
}
cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return answer();
}
cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return answer();
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int)
{
    *value = 9;
    return answer();
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    strcpy(properties->name, "stand-in");
    return answer();
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, const void *)
{
    return getenv("STAND_IN_IS_OTHER") ? cudaErrorNoKernelImageForDevice : answer();
}
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes)
{
    *free_bytes = *all_bytes = (size_t)1 << 30;
    return answer();
}
cudaError_t cudaMalloc(void **at, size_t bytes)
{
    return allocate(&device_memory, at, bytes);
}
cudaError_t cudaFree(void *at)
{
    give_back(&device_memory, at);
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void **at, size_t bytes, int)
{
    return allocate(&pinned_memory, at, bytes);
}
cudaError_t cudaFreeHost(void *at)
{
    give_back(&pinned_memory, at);
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, int)
{
    const cudaError_t error = answer();
    if (error == cudaSuccess) {
        *stream = new CUstream_st;
        streams++;
    }
    return error;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    for (auto &work : stream->work)
        work();
    stream->work.clear();
    return answer();
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!stream->work.empty()) /* into memory that is freed next */
        abort();
    delete stream;
    streams--;
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const bool up = kind == cudaMemcpyHostToDevice;
    if (!is_in(device_memory, up ? to : from, bytes) ||
        !is_in(pinned_memory, up ? from : to, bytes))
        abort();
    const cudaError_t error = answer();
    if (error == cudaSuccess)
        stream->work.push_back([=] { memcpy(to, from, bytes); });
    return error;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    if (!is_in(device_memory, from, bytes))
        abort();
    const cudaError_t error = answer();
    if (error == cudaSuccess)
        memcpy(to, from, bytes);
    return error;
}

/* ---- the calls that launch kernels ------------------------------------------------------------
 */

samesum_status samesum_cuda_reduce_array(const samesum_array *array, const int *axes,
                                         int axis_count, const samesum_want *want,
                                         const samesum_cuda_out *out, void *workspace,
                                         size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!pointers_are_right(array, out->results, workspace))
        return SAMESUM_ERR_POINTER;
    const samesum_status st = status_by_shape(array, axes, axis_count, want);
    if (!workspace) {
        *workspace_bytes = WORKSPACE;
        return st;
    }
    if (*workspace_bytes < WORKSPACE)
        return SAMESUM_ERR_SIZE;
    if (answer() != cudaSuccess)
        return SAMESUM_ERR_CUDA;
    description d(array, want, axes, axis_count);
    void *results = out->results;
    samesum_counts *counts = out->counts;
    stream->work.push_back([=]() mutable {
        samesum_reduce_array(d.get(), d.axes.data(), (int)d.axes.size(), &d.want, results, counts,
                             nullptr);
    });
    return st;
}

samesum_status samesum_cuda_state_bytes(const samesum_want *, samesum_type, size_t *bytes)
{
    *bytes = IMAGE;
    return SAMESUM_OK;
}

samesum_status samesum_cuda_state_reduce(const samesum_array *chunk, uint64_t begin,
                                         const samesum_want *want, void *state,
                                         samesum_counts *counts, void *workspace,
                                         size_t *workspace_bytes, samesum_cuda_stream stream)
{
    if (!pointers_are_right(chunk, state, workspace))
        return SAMESUM_ERR_POINTER;
    if (!workspace) {
        *workspace_bytes = WORKSPACE;
        return SAMESUM_OK;
    }
    if (*workspace_bytes < WORKSPACE)
        return SAMESUM_ERR_SIZE;
    if (answer() != cudaSuccess)
        return SAMESUM_ERR_CUDA;
    description d(chunk, want, nullptr, 0);
    stream->work.push_back([=]() mutable {
        samesum_state *s = nullptr;
        size_t written = 0;
        samesum_state_create(&s, &d.want, d.array.type, begin);
        samesum_state_update_array(s, d.get(), counts);
        samesum_state_save(s, (char *)state + sizeof written, IMAGE - sizeof written, &written);
        memcpy(state, &written, sizeof written);
        samesum_state_destroy(s);
    });
    return SAMESUM_OK;
}

samesum_status samesum_cuda_state_save(const void *image, size_t, void *buf, size_t capacity,
                                       size_t *written)
{
    memcpy(written, image, sizeof *written);
    if (*written > capacity)
        return SAMESUM_ERR_SIZE;
    memcpy(buf, (const char *)image + sizeof *written, *written);
    return SAMESUM_OK;
}
