/* What the driver answers sooner than the runtime. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "cuda/check.h"

typedef CUresult (*get_attribute)(void *, CUpointer_attribute, CUdeviceptr);

static get_attribute find()
{
    void *found = NULL;
    cudaDriverEntryPointQueryResult answer;
#if CUDART_VERSION >= 12050
    cudaError_t e = cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &found, 12000,
                                                     cudaEnableDefault, &answer);
#else
    cudaError_t e =
        cudaGetDriverEntryPoint("cuPointerGetAttribute", &found, cudaEnableDefault, &answer);
#endif
    if (e != cudaSuccess)
        cudaGetLastError();
    return e == cudaSuccess && answer == cudaDriverEntryPointSuccess ? (get_attribute)found : NULL;
}

bool ss_cuda_is_on_device(const void *pointer)
{
    static const get_attribute get = find();
    unsigned type = 0;
    return get &&
           get(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)pointer) ==
               CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_DEVICE;
}
