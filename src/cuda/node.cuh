/* Nodes of either accumulator type for templates: leaves, combining, stage 2 and the finish
 * (SPEC.md, sections 3 and 4), over kahan/node.h. */
#ifndef SS_CUDA_NODE_CUH
#define SS_CUDA_NODE_CUH

#include "cuda/isa_cuda.h"
#include "fixedtree/shape.h"
#include "samesum.h"

template <class A> struct ss_node_of;
template <> struct ss_node_of<double> {
    typedef f64_node type;
};
template <> struct ss_node_of<float> {
    typedef f32_node type;
};
template <class A> using ss_node = typename ss_node_of<A>::type;

#define SS_OVERLOADS(T, type)                                                                      \
    SS_INLINE T##_node ss_plain(T##_node a, T##_node b)                                            \
    {                                                                                              \
        return T##_combine_plain(a, b);                                                            \
    }                                                                                              \
    SS_INLINE T##_node ss_pair(T##_node a, T##_node b, bool fresh)                                 \
    {                                                                                              \
        return T##_combine_pair(a, b, fresh);                                                      \
    }                                                                                              \
    SS_INLINE T##_node ss_leaf_of(ss_leaf leaf, bool pair, type x, type y)                         \
    {                                                                                              \
        return T##_leaf(leaf, pair, x, y);                                                         \
    }                                                                                              \
    SS_INLINE type ss_add(type a, type b)                                                          \
    {                                                                                              \
        return T##_add(a, b);                                                                      \
    }                                                                                              \
    SS_INLINE type ss_sub(type a, type b)                                                          \
    {                                                                                              \
        return T##_sub(a, b);                                                                      \
    }                                                                                              \
    SS_INLINE type ss_mul(type a, type b)                                                          \
    {                                                                                              \
        return T##_mul(a, b);                                                                      \
    }                                                                                              \
    SS_INLINE type ss_div(type a, type b)                                                          \
    {                                                                                              \
        return T##_div(a, b);                                                                      \
    }                                                                                              \
    SS_INLINE type ss_sqrt(type a)                                                                 \
    {                                                                                              \
        return T##_sqrt(a);                                                                        \
    }
SS_OVERLOADS(f64, double)
SS_OVERLOADS(f32, float)
#undef SS_OVERLOADS

/* What changes no sum: -0.0, and as a pair (-0.0, +0.0) (SPEC.md 1.5). */
template <class A> SS_INLINE ss_node<A> ss_neutral()
{
    return {(A)-0.0, (A)0.0};
}

/* The node of this level of a and b, a being the one of the lower rows. LEVEL: samesum_level.
 * fresh: both are leaves without errors. */
template <int LEVEL, class N> SS_INLINE N ss_combine(N a, N b, int level, bool fresh = false)
{
    if (LEVEL == SAMESUM_COMPENSATED || (LEVEL == SAMESUM_KAHAN && level > SS_SEGMENT_LEVEL))
        return ss_pair(a, b, fresh);
    return ss_plain(a, b);
}

/* The node of another thread of the warp. */
template <int LEVEL, class N> SS_INLINE N ss_from(N a, int xor_lane)
{
    N b = a;
    b.s = __shfl_xor_sync(0xffffffffu, a.s, xor_lane);
    if (LEVEL != SAMESUM_TREE)
        b.e = __shfl_xor_sync(0xffffffffu, a.e, xor_lane);
    return b;
}

/* SPEC.md 4.1 step 5 and 4.2 step 3: the result of the root v. */
template <int LEVEL, class N> SS_INLINE auto ss_value(N v) -> decltype(v.s)
{
    if (LEVEL == SAMESUM_TREE || !isfinite(v.s) || !isfinite(v.e) || v.e == 0)
        return v.s;
    return ss_add(v.s, v.e);
}

/* The same where lane j of a half-warp holds the root of lane j: thread 0 of it returns the result.
 * Absent lanes hold -0.0. */
template <int LEVEL, class N> SS_INLINE auto ss_lanes_result(N v) -> decltype(v.s)
{
    for (int step = 1; step < SS_LANES; step *= 2) /* pairs at kahan, too (SPEC.md 4.3) */
        v = ss_combine<LEVEL>(v, ss_from<LEVEL>(v, step), SS_SEGMENT_LEVEL + 1);
    return ss_value<LEVEL>(v);
}

/* A stack of nodes of levels FIRST, FIRST + 1, ...: nodes of level FIRST come in from the left one
 * after the other; as many as 2^DEPTH make one of level FIRST + DEPTH. By recursion, so that each
 * place is a register. */
template <int LEVEL, class N, int DEPTH> struct ss_counter {
    N left;
    ss_counter<LEVEL, N, DEPTH - 1> above;
    /* The count-th node (from 0). Returns the node that it completes, of whatever level. */
    SS_INLINE N push(ss_counter &c, N v, unsigned count, int level)
    {
        if (!(count & 1)) {
            c.left = v;
            return v;
        }
        return ss_counter<LEVEL, N, DEPTH - 1>::push(
            c.above, ss_combine<LEVEL>(c.left, v, level + 1), count >> 1, level + 1);
    }
};
template <int LEVEL, class N> struct ss_counter<LEVEL, N, 0> {
    SS_INLINE N push(ss_counter &, N v, unsigned, int)
    {
        return v;
    }
};

/* The node of N leaves that get(0), get(1), ... give: an in-register tree. level: of the leaves. */
template <int LEVEL, int COUNT, class N, class GET>
SS_INLINE N ss_tree_of(const GET &get, int level, bool leaves, int first = 0)
{
    if constexpr (COUNT == 1) {
        return get(first);
    } else {
        constexpr int HALF = COUNT / 2;
        int below = level + __builtin_ctz(HALF);
        N a = ss_tree_of<LEVEL, HALF, N>(get, level, leaves, first);
        N b = ss_tree_of<LEVEL, HALF, N>(get, level, leaves, first + HALF);
        return ss_combine<LEVEL>(a, b, below + 1, leaves && HALF == 1);
    }
}

#endif
