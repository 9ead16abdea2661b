/* What the driver answers sooner than the runtime. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "cuda/check.h"

/* Of several attributes, since it takes any pointer without an error. */
typedef CUresult (*get_attributes)(unsigned, CUpointer_attribute *, void **, CUdeviceptr);

static get_attributes find()
{
    void *found = NULL;
    cudaDriverEntryPointQueryResult answer;
#if CUDART_VERSION >= 12050
    cudaError_t e = cudaGetDriverEntryPointByVersion("cuPointerGetAttributes", &found, 12000,
                                                     cudaEnableDefault, &answer);
#else
    cudaError_t e =
        cudaGetDriverEntryPoint("cuPointerGetAttributes", &found, cudaEnableDefault, &answer);
#endif
    if (e != cudaSuccess)
        cudaGetLastError();
    return e == cudaSuccess && answer == cudaDriverEntryPointSuccess ? (get_attributes)found : NULL;
}

bool ss_cuda_is_on_device(const void *pointer)
{
    static const get_attributes get = find();
    CUpointer_attribute asked = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    unsigned type = 0;
    void *answer = &type;
    return get && get(1, &asked, &answer, (CUdeviceptr)(uintptr_t)pointer) == CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_DEVICE;
}
