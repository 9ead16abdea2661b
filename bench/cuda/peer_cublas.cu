#include "peer_cublas.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace
{
using Handle = void *;
constexpr int POINTERS_ON_DEVICE = 1; // CUBLAS_POINTER_MODE_DEVICE

Handle handle;
bool opened;
std::string text = "not found (--cublas FILE)";
int (*ddot)(Handle, int, const double *, int, const double *, int, double *);
int (*sdot)(Handle, int, const float *, int, const float *, int, float *);
int (*dnrm2)(Handle, int, const double *, int, double *);
int (*dasum)(Handle, int, const double *, int, double *);

void *open_library(const char *file)
{
    if (file)
        return dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *library = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
    return library ? library : dlopen("libcublas.so.12", RTLD_NOW | RTLD_LOCAL);
}

template <typename F> bool find(void *library, const char *name, F &function)
{
    function = reinterpret_cast<F>(dlsym(library, name));
    return function != nullptr;
}

bool prepare(void *library, cudaStream_t stream)
{
    int (*create)(Handle *), (*set_stream)(Handle, cudaStream_t), (*set_mode)(Handle, int),
        (*get_version)(Handle, int *), version = 0;
    if (!find(library, "cublasCreate_v2", create) ||
        !find(library, "cublasSetStream_v2", set_stream) ||
        !find(library, "cublasSetPointerMode_v2", set_mode) ||
        !find(library, "cublasGetVersion_v2", get_version) ||
        !find(library, "cublasDdot_v2", ddot) || !find(library, "cublasSdot_v2", sdot) ||
        !find(library, "cublasDnrm2_v2", dnrm2) || !find(library, "cublasDasum_v2", dasum))
        return false;
    if (create(&handle) || set_stream(handle, stream) || set_mode(handle, POINTERS_ON_DEVICE) ||
        get_version(handle, &version))
        return false;
    text = std::to_string(version);
    return true;
}

void check(int status, const char *call)
{
    if (status == 0)
        return;
    std::fprintf(stderr, "bench_cuda: %s: status %d\n", call, status);
    std::exit(1);
}
} // namespace

bool cublas_open(const char *file, cudaStream_t stream)
{
    void *library = open_library(file);
    opened = library && prepare(library, stream);
    if (library && !opened)
        text = "found, but it does not work";
    else if (!library && file)
        text = dlerror();
    return opened;
}

bool cublas_is_open()
{
    return opened;
}

std::string cublas_text()
{
    return text;
}

void cublas_ddot(int n, const void *x, const void *y, void *result)
{
    check(ddot(handle, n, static_cast<const double *>(x), 1, static_cast<const double *>(y), 1,
               static_cast<double *>(result)),
          "cublasDdot");
}

void cublas_sdot(int n, const void *x, const void *y, void *result)
{
    check(sdot(handle, n, static_cast<const float *>(x), 1, static_cast<const float *>(y), 1,
               static_cast<float *>(result)),
          "cublasSdot");
}

void cublas_dnrm2(int n, const void *x, void *result)
{
    check(dnrm2(handle, n, static_cast<const double *>(x), 1, static_cast<double *>(result)),
          "cublasDnrm2");
}

void cublas_dasum(int n, const void *x, void *result)
{
    check(dasum(handle, n, static_cast<const double *>(x), 1, static_cast<double *>(result)),
          "cublasDasum");
}
