#include "cuda/check.h"

samesum_status ss_cuda_check_pointer(const void *pointer, size_t align)
{
    cudaPointerAttributes attributes;
    if ((uintptr_t)pointer % align != 0)
        return SAMESUM_ERR_POINTER;
    if (ss_cuda_is_on_device(pointer))
        return SAMESUM_OK;
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        cudaGetLastError();
        return SAMESUM_ERR_POINTER;
    }
    bool reachable = attributes.type == cudaMemoryTypeDevice ||
                     attributes.type == cudaMemoryTypeManaged ||
                     (attributes.type == cudaMemoryTypeHost && attributes.devicePointer == pointer);
    return reachable ? SAMESUM_OK : SAMESUM_ERR_POINTER;
}

static bool strides_fit(const ss_layout &layout, int place, ptrdiff_t bytes)
{
    for (int k = 0; k < layout.dims; k++)
        if (layout.axis[k].extent > 1 && layout.axis[k].stride[place] % bytes != 0)
            return false;
    return true;
}

samesum_status ss_cuda_check_view(const ss_cuda_view &v)
{
    const ptrdiff_t bytes = ss_cuda_bytes(ss_cuda_real(v.type));
    samesum_status st = SAMESUM_OK;
    if (v.n == 0 || v.rows == 0)
        return SAMESUM_OK;
    for (int p = SS_X; p <= SS_Y && st == SAMESUM_OK; p++)
        if (v.place[p])
            st = strides_fit(v.row, p, bytes) && strides_fit(v.rest, p, bytes)
                     ? ss_cuda_check_pointer(v.place[p], (size_t)bytes)
                     : SAMESUM_ERR_POINTER;
    if (st == SAMESUM_OK && v.mask_kind != SAMESUM_MASK_NONE)
        st = ss_cuda_check_pointer(v.mask, 1);
    return st;
}
