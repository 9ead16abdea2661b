#include "cuda/check.h"

samesum_status ss_cuda_check_pointer(const void *pointer, size_t align)
{
    cudaPointerAttributes attributes;
    if ((uintptr_t)pointer % align != 0)
        return SAMESUM_ERR_POINTER;
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

ss_cuda_sink ss_cuda_sink_of(const samesum_want &want, samesum_type type,
                             const samesum_cuda_out &out)
{
    const ss_format format = ss_result_format(type, want.result);
    ss_cuda_sink sink;
    sink.results = (char *)out.results;
    sink.copies = out.copies > 1 ? out.copies : 1;
    sink.copy_bytes = out.copy_bytes;
    sink.format = (ss_cuda_format)format;
    sink.bytes = ss_is_index(want.op) ? 8 : ss_format_of(format).bytes;
    sink.numbers = ss_is_index(want.op) ? 1 : ss_result_numbers(&want, type);
    return sink;
}

samesum_status ss_cuda_check_out(const samesum_cuda_out &out, const ss_cuda_sink &sink,
                                 uint64_t rows)
{
    if (rows == 0)
        return SAMESUM_OK;
    if (sink.copies > 1 && sink.copy_bytes % (size_t)sink.bytes != 0)
        return SAMESUM_ERR_POINTER;
    samesum_status st = ss_cuda_check_pointer(out.results, (size_t)sink.bytes);
    if (st == SAMESUM_OK && out.counts)
        st = ss_cuda_check_pointer(out.counts, sizeof(uint64_t));
    return st;
}

samesum_status ss_cuda_status_of(const samesum_want &want, uint64_t n)
{
    uint64_t least = ss_is_index(want.op) || want.op == SAMESUM_MEAN || want.op >= SAMESUM_MIN ? 1
                     : want.op == SAMESUM_VAR || want.op == SAMESUM_STD ? (uint64_t)want.ddof + 1
                                                                        : 0;
    if (n >= least)
        return SAMESUM_OK;
    return ss_is_index(want.op) ? SAMESUM_ERR_EMPTY : SAMESUM_NO_VALUE;
}
