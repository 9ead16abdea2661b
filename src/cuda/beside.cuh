/* Nodes of several sums that a thread makes side by side, and a stack of them in shared memory. */
#ifndef SS_CUDA_BESIDE_CUH
#define SS_CUDA_BESIDE_CUH

#include "cuda/node.cuh"

template <class A, int COUNT> struct ss_beside {
    ss_node<A> of[COUNT];
};

template <class A, int COUNT>
SS_INLINE ss_beside<A, COUNT> ss_plain(const ss_beside<A, COUNT> &a, const ss_beside<A, COUNT> &b)
{
    ss_beside<A, COUNT> n;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        n.of[k] = ss_plain(a.of[k], b.of[k]);
    return n;
}
template <class A, int COUNT>
SS_INLINE ss_beside<A, COUNT> ss_pair(const ss_beside<A, COUNT> &a, const ss_beside<A, COUNT> &b,
                                      bool fresh)
{
    ss_beside<A, COUNT> n;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        n.of[k] = ss_pair(a.of[k], b.of[k], fresh);
    return n;
}

/* As ss_counter (node.cuh), for as many as 2^DEPTH nodes: those that wait for another one are in
 * shared memory, where each thread has its own place, but for the one that waits shortest, which
 * the thread keeps itself (`pending`). */
template <int LEVEL, class A, int COUNT, int DEPTH, int THREADS> struct ss_stack {
    typedef ss_beside<A, COUNT> N;
    enum { BYTES = COUNT * (int)sizeof(A), PLANES = LEVEL == SAMESUM_TREE ? 1 : 2 };
    struct alignas(BYTES < 16 ? BYTES : 16) word {
        A of[COUNT];
    } left[DEPTH][PLANES][THREADS];

    __device__ __forceinline__ void put(int at, const N &v)
    {
        word s, e;
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            s.of[k] = v.of[k].s;
            e.of[k] = v.of[k].e;
        }
        left[at][0][threadIdx.x] = s;
        if (LEVEL != SAMESUM_TREE)
            left[at][PLANES - 1][threadIdx.x] = e;
    }
    __device__ __forceinline__ N get(int at) const
    {
        const word s = left[at][0][threadIdx.x], e = left[at][PLANES - 1][threadIdx.x];
        N v;
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            v.of[k] = {s.of[k], LEVEL != SAMESUM_TREE ? e.of[k] : (A)0};
        return v;
    }
    /* The count-th node (from 0), of this level. */
    __device__ __forceinline__ void push(N &pending, N v, unsigned count, int level)
    {
        if (!(count & 1)) {
            pending = v;
            return;
        }
        v = ss_combine<LEVEL>(pending, v, ++level);
        int at = 0;
#pragma unroll 1
        for (count >>= 1; count & 1; count >>= 1, at++)
            v = ss_combine<LEVEL>(get(at), v, ++level);
        put(at, v);
    }
    /* The node of all `count` of them; absent ones are passed over. */
    __device__ __forceinline__ N root(const N &pending, unsigned count, int level) const
    {
        N v = pending;
        bool none = !(count & 1);
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            if (count == 0)
                v.of[k] = ss_neutral<A>();
        level++;
#pragma unroll 1
        for (int at = 0; count >> (at + 1); at++) {
            level++;
            if (!(count >> (at + 1) & 1))
                continue;
            v = none ? get(at) : ss_combine<LEVEL>(get(at), v, level);
            none = false;
        }
        return v;
    }
};

#endif
