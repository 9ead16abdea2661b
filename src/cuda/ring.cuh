/* A ring of stages in shared memory that one warp fills from memory ahead of its use, by
 * asynchronous copies of 16 bytes: the front end of the kernels that read rows whose numbers lie
 * side by side. */
#ifndef SS_CUDA_RING_CUH
#define SS_CUDA_RING_CUH

#include <stdint.h>

/* BYTES of a stage; SLACK behind each, since copies begin at a multiple of 16 bytes, and stages at
 * one of 128, so that what is one line of memory is one of shared memory. */
template <int BYTES, int STAGES> struct ss_stage_ring {
    enum { SLACK = 128, PITCH = BYTES + SLACK, ROOM = STAGES * PITCH };
    static_assert(BYTES % 512 == 0, "a warp copies 512 bytes at a time");

    /* What a warp copies into `stage`: bytes bytes at from, at most BYTES, into the stage's place
     * with from's offset from a multiple of 16. Asynchronous. starts: nothing before `from` may be
     * read; more: 16 bytes behind all of them may be. */
    static __device__ __forceinline__ void fill(char *ring, int stage, const char *from, int bytes,
                                                bool starts, bool more)
    {
        const unsigned lane = threadIdx.x % 32, skew = (unsigned)(uintptr_t)from & 15;
        const char *source = from - skew + lane * 16;
        unsigned to = (unsigned)__cvta_generic_to_shared(ring) + stage * PITCH + lane * 16;
        if (bytes < BYTES) {
            fill_part(to, source, (int)(lane * 16), (int)skew, starts, bytes);
            return;
        }
        if (skew && starts && lane == 0)
            copy_bytes(to + skew, from, 16 - (int)skew);
        else
            copy(to, source);
#pragma unroll
        for (int i = 1; i < BYTES / 512; i++)
            copy(to + i * 512, source + i * 512);
        if (skew && lane == 0) {
            if (more)
                copy(to + BYTES, source + BYTES);
            else
                copy_bytes(to + BYTES, source + BYTES, (int)skew);
        }
    }
    static __device__ __forceinline__ const char *at(const char *ring, int stage, unsigned skew)
    {
        return ring + stage * PITCH + skew;
    }
    static __device__ __forceinline__ void commit()
    {
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    /* Waits until all but the last STAGES - 1 commits have arrived, for the whole warp. */
    static __device__ __forceinline__ void wait()
    {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");
        __syncwarp();
    }

  private:
    /* to, from: this thread's place, `at`, where what is wanted lies from skew to skew + bytes.
     * What is not all of 16 bytes is copied one by one: an asynchronous copy of fewer is taken for
     * one of 16 by compute-sanitizer. */
    static __device__ __forceinline__ void fill_part(unsigned to, const char *from, int at,
                                                     int skew, bool starts, int bytes)
    {
        const int begin = starts ? skew : 0, end = bytes > 0 ? skew + bytes : 0;
#pragma unroll 1
        for (; at < end; at += 512, to += 512, from += 512) {
            int first = begin > at ? begin - at : 0, last = end - at < 16 ? end - at : 16;
            if (first == 0 && last == 16)
                copy(to, from);
            else
                copy_bytes(to + first, from + first, last - first);
        }
    }
    static __device__ __forceinline__ void copy_bytes(unsigned to, const char *from, int bytes)
    {
#pragma unroll 1
        for (int i = 0; i < bytes; i++)
            asm volatile("st.shared.u8 [%0], %1;" ::"r"(to + i), "h"((short)from[i]) : "memory");
    }
    static __device__ __forceinline__ void copy(unsigned to, const char *from)
    {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    }
};

#endif
