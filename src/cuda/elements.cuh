/* How an element in memory becomes a number of the accumulator: one structure for each pair of
 * types that kernels are made for (SPEC.md, section 2). neutral is the element whose leaf changes
 * no sum. */
#ifndef SS_CUDA_ELEMENTS_CUH
#define SS_CUDA_ELEMENTS_CUH

#include "cuda/node.cuh"
#include "cuda/view.cuh"

struct ss_from_f64 {
    typedef double element, number;
    static __device__ __forceinline__ double widen(double x)
    {
        return x;
    }
    static __device__ __forceinline__ double negative_zero()
    {
        return -0.0;
    }
};
struct ss_from_f32 {
    typedef float element, number;
    static __device__ __forceinline__ float widen(float x)
    {
        return x;
    }
    static __device__ __forceinline__ float negative_zero()
    {
        return -0.0f;
    }
};
struct ss_from_f32_wide {
    typedef float element;
    typedef double number;
    static __device__ __forceinline__ double widen(float x)
    {
        return f64_of_f32(x);
    }
    static __device__ __forceinline__ float negative_zero()
    {
        return -0.0f;
    }
};
struct ss_from_f16 {
    typedef unsigned short element;
    typedef float number;
    static __device__ __forceinline__ float widen(unsigned short x)
    {
        return ss_cuda_half(false, x);
    }
    static __device__ __forceinline__ unsigned short negative_zero()
    {
        return 0x8000;
    }
};
struct ss_from_bf16 {
    typedef unsigned short element;
    typedef float number;
    static __device__ __forceinline__ float widen(unsigned short x)
    {
        return ss_cuda_half(true, x);
    }
    static __device__ __forceinline__ unsigned short negative_zero()
    {
        return 0x8000;
    }
};

/* Which leaves a kernel makes: of x alone, with or without its sign; x * x; x * y. */
enum ss_kind { SS_KIND_LINEAR, SS_KIND_SQUARE, SS_KIND_PRODUCT };

static __device__ __forceinline__ double ss_masked_sign(double x, unsigned keep)
{
    return __hiloint2double(__double2hiint(x) & keep, __double2loint(x));
}
static __device__ __forceinline__ float ss_masked_sign(float x, unsigned keep)
{
    return __uint_as_float(__float_as_uint(x) & keep);
}

/* The leaf of x (and y). keep: all ones, or without the sign's bit for asum. */
template <int KIND, int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> ss_leaf_at(A x, A y, unsigned keep)
{
    if (KIND == SS_KIND_LINEAR)
        return {ss_masked_sign(x, keep), (A)0};
    return ss_leaf_of(KIND == SS_KIND_SQUARE ? SS_LEAF_SUMSQ : SS_LEAF_DOT,
                      LEVEL == SAMESUM_COMPENSATED, x, y);
}

#endif
