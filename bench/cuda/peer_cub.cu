#include "peer_cub.h"

#include <climits>
#include <dlfcn.h>
#include <unistd.h>
#include <cub/cub.cuh>
#include "cub_ordered.h"
#include "harness.h"

namespace
{
void *storage, *ordered_storage;
size_t storage_bytes;
decltype(&cub_ordered_sum_f64) ordered_f64, ordered_f32;
std::string ordered_text = "not there (make cuda-bench CCCL=...)";

std::string version_text(int version)
{
    return std::to_string(version / 100000) + "." + std::to_string(version / 100 % 1000) + "." +
           std::to_string(version % 100);
}

template <typename T> cudaError_t sum(const void *x, int n, void *result, cudaStream_t stream)
{
    return cub::DeviceReduce::Sum(storage, storage_bytes, static_cast<const T *>(x),
                                  static_cast<T *>(result), n, stream);
}

std::string beside_the_program(const char *name)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    std::string program(path, length > 0 ? size_t(length) : 0);
    return program.substr(0, program.rfind('/') + 1) + name;
}
} // namespace

void cub_create()
{
    size_t need64 = 0, need32 = 0;
    CUDA(cub::DeviceReduce::Sum(nullptr, need64, static_cast<const double *>(nullptr),
                                static_cast<double *>(nullptr), INT_MAX));
    CUDA(cub::DeviceReduce::Sum(nullptr, need32, static_cast<const float *>(nullptr),
                                static_cast<float *>(nullptr), INT_MAX));
    storage_bytes = need64 > need32 ? need64 : need32;
    CUDA(cudaMalloc(&storage, storage_bytes));
}

void cub_sum(samesum_type type, const void *x, int n, void *result, cudaStream_t stream)
{
    (void)cudaGetLastError(); // CUB answers with what an earlier call left
    CUDA(type == SAMESUM_F64 ? sum<double>(x, n, result, stream)
                             : sum<float>(x, n, result, stream));
}

std::string cub_version()
{
    return version_text(CUB_VERSION);
}

bool cub_ordered_open()
{
    if (ordered_f64)
        return true;
    void *library = dlopen(beside_the_program("libcub_ordered.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    auto version = decltype(&cub_ordered_version)(dlsym(library, "cub_ordered_version"));
    ordered_f32 = decltype(ordered_f32)(dlsym(library, "cub_ordered_sum_f32"));
    ordered_f64 = decltype(ordered_f64)(dlsym(library, "cub_ordered_sum_f64"));
    ordered_text = version_text(version());
    CUDA(cudaMalloc(&ordered_storage, CUB_ORDERED_BYTES));
    return true;
}

cudaError_t cub_ordered_sum(samesum_type type, const void *x, int n, void *result,
                            cudaStream_t stream)
{
    auto sum = type == SAMESUM_F64 ? ordered_f64 : ordered_f32;
    return cudaError_t(sum(x, n, result, ordered_storage, stream));
}

std::string cub_ordered_text()
{
    return ordered_text;
}
