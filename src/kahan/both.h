/* Code that the CPU and CUDA devices share. The CPU's library compiles it once, as
 * functions of a .c file; a file of CUDA has a copy of its own, for host and device. */
#ifndef SS_BOTH_H
#define SS_BOTH_H

#include <stdint.h>

#ifdef __CUDACC__
#define SS_BOTH static __host__ __device__ inline
#define SS_BOTH_INLINE static __host__ __device__ inline
#else
#define SS_BOTH
#define SS_BOTH_INLINE static inline
#endif

/* Zeros above the highest bit of v > 0. */
SS_BOTH_INLINE int ss_leading_zeros(uint32_t v)
{
#ifdef __CUDA_ARCH__
    return __clz((int)v);
#else
    return __builtin_clz(v);
#endif
}

#endif
