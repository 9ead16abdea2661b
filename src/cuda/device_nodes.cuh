/* What the nodes of samesum_device.cuh are, how two become one, and the finish (SPEC.md, section
 * 4). Included by samesum_device.cuh, after samesum.h.
 *
 * An algebra gives a type `slot` (a node that may be absent), absent(), and join(): above says
 * whether the node that is made is of a level above the segment's (SPEC.md 4.3). Comparisons are of
 * bits, in integers: those of numbers flush subnormals under -ftz. */
#ifndef SS_CUDA_DEVICE_NODES_CUH
#define SS_CUDA_DEVICE_NODES_CUH

#include <stdint.h>
#include <type_traits>

namespace samesum::detail
{

/* In this namespace, since these names are none of the user's business. */
#include "isa_cuda.h"
#include "../fixedtree/shape.h"

/* The formats' bits. */
template <class T> struct format;
template <> struct format<double> {
    typedef f64_node node;
    typedef unsigned long long bits;
    static constexpr bits sign = 0x8000000000000000, infinity = 0x7ff0000000000000,
                          nan = 0x7ff8000000000000;
};
template <> struct format<float> {
    typedef f32_node node;
    typedef unsigned bits;
    static constexpr bits sign = 0x80000000, infinity = 0x7f800000, nan = 0x7fc00000;
};

SS_INLINE unsigned long long bits_of(double v)
{
    return (unsigned long long)__double_as_longlong(v);
}
SS_INLINE unsigned bits_of(float v)
{
    return __float_as_uint(v);
}
SS_INLINE double from_bits(unsigned long long bits)
{
    return __longlong_as_double((long long)bits);
}
SS_INLINE float from_bits(unsigned bits)
{
    return __uint_as_float(bits);
}
template <class T> SS_INLINE typename format<T>::bits magnitude(T v)
{
    return bits_of(v) & ~format<T>::sign;
}

/* node.h's and the ISA's functions, one name for both types. */
SS_INLINE double add(double a, double b)
{
    return f64_add(a, b);
}
SS_INLINE float add(float a, float b)
{
    return f32_add(a, b);
}
SS_INLINE f64_node combine_plain(f64_node a, f64_node b)
{
    return f64_combine_plain(a, b);
}
SS_INLINE f32_node combine_plain(f32_node a, f32_node b)
{
    return f32_combine_plain(a, b);
}
SS_INLINE f64_node combine_pair(f64_node a, f64_node b)
{
    return f64_combine_pair(a, b, 0);
}
SS_INLINE f32_node combine_pair(f32_node a, f32_node b)
{
    return f32_combine_pair(a, b, 0);
}

/* Sums: absent nodes are stored as -0.0 (SPEC.md 1.5). Plain nodes have no e to carry. */
template <class T, samesum_level LEVEL> struct sum_algebra {
    static_assert(LEVEL == SAMESUM_TREE || LEVEL == SAMESUM_KAHAN || LEVEL == SAMESUM_COMPENSATED,
                  "samesum_device.cuh sums at levels tree, kahan and compensated");
    typedef typename format<T>::node node;
    static constexpr bool plain = LEVEL == SAMESUM_TREE;
    typedef std::conditional_t<plain, T, node> slot;

    SS_INLINE slot slot_of(node v)
    {
        if constexpr (plain)
            return v.s;
        else
            return v;
    }
    SS_INLINE slot absent()
    {
        return slot_of(node{from_bits(format<T>::sign), 0});
    }
    /* SPEC.md 3.3 and 3.4: only leaves of level compensated carry an error. */
    SS_INLINE slot leaf(T x)
    {
        return slot_of(node{x, 0});
    }
    SS_INLINE slot leaf(node x)
    {
        return slot_of(node{x.s, LEVEL == SAMESUM_COMPENSATED ? x.e : 0});
    }
    SS_INLINE slot join(bool above, const slot &left, const slot &right)
    {
        if constexpr (plain)
            return add(left, right);
        else if (LEVEL == SAMESUM_COMPENSATED || above)
            return combine_pair(left, right);
        else
            return combine_plain(left, right);
    }
    /* SPEC.md 4.2 step 3, and 5 step 1. */
    SS_INLINE T finish(const slot &root)
    {
        T result;
        if constexpr (plain) {
            result = root;
        } else {
            const auto infinity = format<T>::infinity;
            const bool corrected = magnitude(root.s) < infinity && magnitude(root.e) < infinity &&
                                   magnitude(root.e) != 0;
            result = corrected ? add(root.s, root.e) : root.s;
        }
        return magnitude(result) > format<T>::infinity ? from_bits(format<T>::nan) : result;
    }
};

/* Nodes whose insides only the user knows: no state of theirs is neutral, so absence is marked. */
template <class Node> struct custom_slot {
    static_assert(std::is_trivially_copyable_v<Node> &&
                      std::is_trivially_default_constructible_v<Node>,
                  "a node lies in shared memory and goes through registers as plain words");
    Node node;
    unsigned present;
};
template <class Node, class Combine> struct custom_algebra {
    typedef custom_slot<Node> slot;
    const Combine &combine;

    SS_INLINE slot absent()
    {
        return slot{};
    }
    __device__ __forceinline__ slot join(bool, const slot &left, const slot &right) const
    {
        if (!right.present)
            return left;
        if (!left.present)
            return right;
        slot both = left;
        combine(both.node, right.node);
        return both;
    }
};

} // namespace samesum::detail

#endif
