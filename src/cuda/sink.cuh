/* Where results go, and how a number becomes one (SPEC.md, sections 2 and 5). */
#ifndef SS_CUDA_SINK_CUH
#define SS_CUDA_SINK_CUH

#include "cuda/isa_cuda.h"
#include "samesum.h"

enum ss_cuda_format { SS_CUDA_F64, SS_CUDA_F32, SS_CUDA_F16, SS_CUDA_BF16 }; /* ss_format's order */

struct ss_cuda_sink {
    char *results;
    uint64_t copies; /* at least 1 */
    uint64_t copy_bytes;
    int bytes;   /* of one number */
    int numbers; /* of one result */
    ss_cuda_format format;
};

/* binary32 rounded once to a half format: for results, so speed does not matter. */
static __device__ inline unsigned short ss_cuda_half_bits(ss_cuda_format format, float v)
{
    unsigned short bits;
    if (format == SS_CUDA_F16) {
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));
        return bits;
    }
    /* bfloat16 is the upper half of binary32: to nearest, ties to even, carries into the exponent
     */
    unsigned b = __float_as_uint(v);
    return (unsigned short)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

/* Writes number `at` of the result of a row: v, a number of the accumulator's type or at level
 * exact of the format. NaN becomes the canonical one. */
static __device__ inline void ss_cuda_write(const ss_cuda_sink &sink, uint64_t row, int at,
                                            double v)
{
    char *to = sink.results + (row * sink.numbers + at) * sink.bytes;
    for (uint64_t c = 0; c < sink.copies; c++, to += sink.copy_bytes) {
        if (sink.format == SS_CUDA_F64)
            *(unsigned long long *)to =
                isnan(v) ? 0x7ff8000000000000ULL : (unsigned long long)__double_as_longlong(v);
        else if (sink.format == SS_CUDA_F32)
            *(unsigned *)to = isnan(v) ? 0x7fc00000u : __float_as_uint(f32_of_f64(v));
        else
            *(unsigned short *)to = isnan(v) ? (sink.format == SS_CUDA_F16 ? 0x7e00 : 0x7fc0)
                                             : ss_cuda_half_bits(sink.format, f32_of_f64(v));
    }
}

/* The same for the index of argmin and argmax. */
static __device__ inline void ss_cuda_write_index(const ss_cuda_sink &sink, uint64_t row,
                                                  uint64_t v)
{
    char *to = sink.results + row * sizeof v;
    for (uint64_t c = 0; c < sink.copies; c++, to += sink.copy_bytes)
        *(unsigned long long *)to = v;
}

#endif
