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

/* Which leaves a kernel makes: x, |x|, x * x, x * y. */
enum ss_kind { SS_KIND_SUM, SS_KIND_ABS, SS_KIND_SQUARE, SS_KIND_PRODUCT, SS_KINDS };

/* Whether a leaf is without an error of its own, at every level. */
template <int KIND> constexpr bool ss_is_linear = KIND == SS_KIND_SUM || KIND == SS_KIND_ABS;

/* The leaf of x (and y). */
template <int KIND, int LEVEL, class A>
static __device__ __forceinline__ ss_node<A> ss_leaf_at(A x, A y)
{
    constexpr ss_leaf leaf = KIND == SS_KIND_SUM      ? SS_LEAF_SUM
                             : KIND == SS_KIND_ABS    ? SS_LEAF_ASUM
                             : KIND == SS_KIND_SQUARE ? SS_LEAF_SUMSQ
                                                      : SS_LEAF_DOT;
    return ss_leaf_of(leaf, LEVEL == SAMESUM_COMPENSATED, x, y);
}

#endif
