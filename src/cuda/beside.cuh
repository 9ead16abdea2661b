/* Nodes of several sums that a thread makes side by side, and a stack of them in shared memory. */
#ifndef SS_CUDA_BESIDE_CUH
#define SS_CUDA_BESIDE_CUH

#include "cuda/node.cuh"

/* The leaves of the first PRODUCTS of them have errors of their own. */
template <class A, int COUNT, int PRODUCTS = 0> struct ss_beside {
    ss_node<A> of[COUNT];
};

template <class A, int COUNT, int PRODUCTS>
SS_INLINE ss_beside<A, COUNT, PRODUCTS> ss_plain(const ss_beside<A, COUNT, PRODUCTS> &a,
                                                 const ss_beside<A, COUNT, PRODUCTS> &b)
{
    ss_beside<A, COUNT, PRODUCTS> n;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        n.of[k] = ss_plain(a.of[k], b.of[k]);
    return n;
}
template <class A, int COUNT, int PRODUCTS>
SS_INLINE ss_beside<A, COUNT, PRODUCTS> ss_pair(const ss_beside<A, COUNT, PRODUCTS> &a,
                                                const ss_beside<A, COUNT, PRODUCTS> &b, bool fresh)
{
    ss_beside<A, COUNT, PRODUCTS> n;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        n.of[k] = ss_pair(a.of[k], b.of[k], fresh && k >= PRODUCTS);
    return n;
}

/* Those of another thread of the warp. */
template <int LEVEL, class A, int COUNT, int PRODUCTS>
SS_INLINE ss_beside<A, COUNT, PRODUCTS> ss_from(const ss_beside<A, COUNT, PRODUCTS> &a,
                                                int xor_lane)
{
    ss_beside<A, COUNT, PRODUCTS> b;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        b.of[k] = ss_from<LEVEL>(a.of[k], xor_lane);
    return b;
}

/* As ss_counter (node.cuh), for as many as 2^DEPTH nodes: those that wait for another one are in
 * shared memory, where each thread has its own place, but for the one that waits shortest and the
 * root, of which the thread keeps one itself (`pending`). */
template <int LEVEL, class A, int COUNT, int PRODUCTS, int DEPTH, int THREADS> struct ss_stack {
    typedef ss_beside<A, COUNT, PRODUCTS> N;
    /* words of at most 16 bytes, so that no two threads of a warp meet in a bank */
    enum {
        EACH = COUNT * (int)sizeof(A) > 16 ? 16 / (int)sizeof(A) : COUNT,
        PARTS = COUNT / EACH,
        PLANES = LEVEL == SAMESUM_TREE ? 1 : 2
    };
    struct alignas(EACH * sizeof(A)) word {
        A of[EACH];
    } left[DEPTH - 1][PLANES][PARTS][THREADS];

    __device__ __forceinline__ void put(int at, const N &v)
    {
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            word s, e;
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                s.of[k] = v.of[part * EACH + k].s;
                e.of[k] = v.of[part * EACH + k].e;
            }
            left[at][0][part][threadIdx.x] = s;
            if (LEVEL != SAMESUM_TREE)
                left[at][PLANES - 1][part][threadIdx.x] = e;
        }
    }
    __device__ __forceinline__ N get(int at) const
    {
        N v;
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            const word s = left[at][0][part][threadIdx.x],
                       e = left[at][PLANES - 1][part][threadIdx.x];
#pragma unroll
            for (int k = 0; k < EACH; k++)
                v.of[part * EACH + k] = {s.of[k], LEVEL != SAMESUM_TREE ? e.of[k] : (A)0};
        }
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
        if (at < DEPTH - 1)
            put(at, v);
        else
            pending = v;
    }
    /* The node of all `count` of them; absent ones are passed over. */
    __device__ __forceinline__ N root(const N &pending, unsigned count, int level) const
    {
        N v = pending;
        if (count == 1u << DEPTH)
            return v;
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

/* What is loaded at once. */
template <int BYTES> struct ss_loaded;
template <> struct ss_loaded<16> {
    typedef uint4 type;
};
template <> struct ss_loaded<8> {
    typedef uint2 type;
};
template <> struct ss_loaded<4> {
    typedef unsigned type;
};
template <> struct ss_loaded<2> {
    typedef unsigned short type;
};
template <> struct ss_loaded<1> {
    typedef unsigned char type;
};

template <class T> static __device__ __forceinline__ T ss_read(const void *p)
{
    return __ldcs((const T *)p);
}

/* COUNT elements that are loaded together. */
template <class T, int COUNT> union ss_few {
    typename ss_loaded<COUNT *(int)sizeof(T)>::type load;
    T of[COUNT];
};

#endif
