/* samesum_device.cuh - the sums of samesum.h, and its tree over nodes of your own, inside your own
 * CUDA kernels: with the same bits, whatever the block, the grid, the device and nvcc's flags.
 *
 * Nothing is linked. C++17, nvcc of CUDA 12.1 or newer. docs/cuda-device.md is an introduction,
 * reference/SPEC.md defines every bit.
 *
 * Conventions of all block_ and grid_ functions:
 *   - All threads of a block call them, with the same n, storage and workspace, outside of
 *     divergent code; for grid_ functions all threads of all blocks of the grid. A block may have
 *     any shape of at least 32 threads; those beyond the largest power of two, and beyond
 *     MAX_THREADS, wait. A grid may have any shape of less than 2^32 blocks.
 *   - Elements are numbered from 0 to n - 1. n is at most 2^40 in a block and 2^51 in a grid; a
 *     kernel may trap beyond.
 *   - A functor that takes an index is called once for each element, by whatever thread and in
 *     whatever order, often several times a thread before anything is summed. It may read and write
 *     memory, but must not synchronise. It is taken by const reference: a struct with a const
 *     operator(), or a lambda.
 *   - storage is shared memory, with nothing in it to begin with. Successive calls of a block may
 *     use the same one without a __syncthreads() between them; before it serves another purpose
 *     (a union, dynamic shared memory), one is needed.
 *   - No floating-point atomics, and no block waits for another.
 *
 * What your own functors compute is compiled as your flags say: nvcc contracts a * b + c into a
 * fused operation, and -use_fast_math flushes subnormals. samesum::add() and its kin below round
 * once and keep subnormals under any flags.
 *
 * Source of the method: the row tree of WG21 P4016R0 with 16 lanes; compensation by Knuth's TwoSum
 * and the error-free product by fma (Ogita, Rump and Oishi, 2005). The lanes of a row are 16
 * neighbouring threads; a half-warp reduces 2^k rows in registers, as a binary counter. */
#ifndef SAMESUM_DEVICE_CUH
#define SAMESUM_DEVICE_CUH

#include "samesum.h"
/* The source tree's own files, also where others are installed. */
#if __has_include("../src/cuda/device_tree.cuh")
#include "../src/cuda/device_tree.cuh"
#else
#include "samesum/cuda/device_tree.cuh"
#endif

namespace samesum
{

/* ---- operations that flags do not change ------------------------------------------------------
 *
 * One IEEE 754 operation each, rounded to nearest, ties to even, subnormals kept, never contracted.
 * Both operands have one type, float or double. */

/* A number and an error: s + e is what it stands for (SPEC.md 1.4). */
template <class T> using node = typename detail::format<T>::node;

#define SAMESUM_DEVICE_OPERATIONS(T, f)                                                            \
    __device__ __forceinline__ T add(T a, T b)                                                     \
    {                                                                                              \
        return detail::f##_add(a, b);                                                              \
    }                                                                                              \
    __device__ __forceinline__ T sub(T a, T b)                                                     \
    {                                                                                              \
        return detail::f##_sub(a, b);                                                              \
    }                                                                                              \
    __device__ __forceinline__ T mul(T a, T b)                                                     \
    {                                                                                              \
        return detail::f##_mul(a, b);                                                              \
    }                                                                                              \
    __device__ __forceinline__ T div(T a, T b)                                                     \
    {                                                                                              \
        return detail::f##_div(a, b);                                                              \
    }                                                                                              \
    __device__ __forceinline__ T fma(T a, T b, T c)                                                \
    {                                                                                              \
        return detail::f##_fma(a, b, c);                                                           \
    }                                                                                              \
    __device__ __forceinline__ T sqrt(T a)                                                         \
    {                                                                                              \
        return detail::f##_sqrt(a);                                                                \
    }                                                                                              \
    __device__ __forceinline__ T abs(T a)                                                          \
    {                                                                                              \
        return detail::f##_abs(a);                                                                 \
    }                                                                                              \
    __device__ __forceinline__ T neg(T a)                                                          \
    {                                                                                              \
        return detail::f##_neg(a);                                                                 \
    }                                                                                              \
    /* s = fl(a + b) and e = a + b - s exactly, where nothing overflows (Knuth). */                \
    __device__ __forceinline__ node<T> two_sum(T a, T b)                                           \
    {                                                                                              \
        const T s = add(a, b);                                                                     \
        return node<T>{s, detail::f##_two_sum_error(a, b, s)};                                     \
    }                                                                                              \
    /* s = fl(a b) and e = a b - s, exactly where that is no underflow. */                         \
    __device__ __forceinline__ node<T> two_product(T a, T b)                                       \
    {                                                                                              \
        return detail::f##_leaf(detail::SS_LEAF_DOT, 1, a, b);                                     \
    }
SAMESUM_DEVICE_OPERATIONS(double, f64)
SAMESUM_DEVICE_OPERATIONS(float, f32)
#undef SAMESUM_DEVICE_OPERATIONS

/* Rounds once to binary32; widens exactly. */
__device__ __forceinline__ float to_float(double a)
{
    return detail::f32_of_f64(a);
}
__device__ __forceinline__ double to_double(float a)
{
    return detail::f64_of_f32(a);
}

/* ---- sums --------------------------------------------------------------------------------------
 *
 * LEVEL is SAMESUM_TREE, _KAHAN or _COMPENSATED. The sum of map(0) to map(n - 1) has the bits of
 * samesum_sum_f64() or _f32() of these numbers; of nothing it is +0.0, and NaN is canonical.
 *
 * map(i), i of type uint64_t, gives a T; or a node<T>, whose e is the leaf's own error at level
 * compensated and is not looked at elsewhere. With two_product(x[i], y[i]) the result has the bits
 * of samesum_dot_f64() or _f32(), with two_product(x[i], x[i]) those of sumsq. An element to be
 * left out is -0.0 (of such alone the sum is -0.0, where the library's masked sum is +0.0). */

/* What a block shares, for sums of T at a level. Its size is 16 slots for each warp of MAX_THREADS
 * and 28 * 16 besides; a slot is a T at level tree, two else. */
template <class T, samesum_level LEVEL = SAMESUM_TREE, int MAX_THREADS = 1024> struct sum_storage {
    static_assert(MAX_THREADS >= 32, "a warp has 32 threads");
    detail::tree_memory<typename detail::sum_algebra<T, LEVEL>::slot, MAX_THREADS / 32> memory;
};

namespace detail
{
/* Elements of a functor, 16 a row. */
template <class Leaf> struct element_rows {
    static constexpr bool above = false;
    const Leaf &leaf;
    uint64_t n;
    __device__ __forceinline__ uint64_t count() const
    {
        return row_count(n);
    }
    __device__ __forceinline__ uint64_t whole() const
    {
        return n / SS_LANES;
    }
    __device__ __forceinline__ bool has(uint64_t row, unsigned lane) const
    {
        return row * SS_LANES + lane < n;
    }
    __device__ __forceinline__ auto at(uint64_t row, unsigned lane) const
    {
        return leaf(row * SS_LANES + lane);
    }
};
template <class Algebra, class Map> struct sum_leaf {
    const Map &map;
    __device__ __forceinline__ auto operator()(uint64_t i) const
    {
        return Algebra::leaf(map(i));
    }
};
template <class Algebra, class Leaf> struct custom_leaf {
    const Leaf &leaf;
    __device__ __forceinline__ auto operator()(uint64_t i) const
    {
        typename Algebra::slot slot;
        slot.present = leaf(i, slot.node) ? 1 : 0;
        return slot;
    }
};
} // namespace detail

/* Purpose: the sum of map(0) to map(n - 1) by one block. Returns it to every thread.
 *
 *     __global__ void row_norms(const float *x, uint64_t columns, float *norm)
 *     {
 *         __shared__ samesum::sum_storage<float, SAMESUM_COMPENSATED> storage;
 *         const float *row = x + blockIdx.x * columns;
 *         float sum = samesum::block_sum(storage, columns, [=](uint64_t i) {
 *             return samesum::two_product(row[i], row[i]);
 *         });
 *         if (threadIdx.x == 0)
 *             norm[blockIdx.x] = samesum::sqrt(sum);
 *     } */
template <class T, samesum_level LEVEL, int MAX_THREADS, class Map>
__device__ T block_sum(sum_storage<T, LEVEL, MAX_THREADS> &storage, uint64_t n, const Map &map)
{
    typedef detail::sum_algebra<T, LEVEL> algebra;
    const detail::sum_leaf<algebra, Map> leaf{map};
    const detail::element_rows<detail::sum_leaf<algebra, Map>> rows{leaf, n};
    return n == 0 ? T(0) : algebra::finish(detail::block_root(algebra(), rows, storage.memory));
}

/* Bytes of workspace that grid_sum() needs for n elements: at most 2^11 * 16 slots and 256. It
 * grows with n. */
template <class T, samesum_level LEVEL = SAMESUM_TREE>
__host__ __device__ constexpr size_t grid_sum_bytes(uint64_t n)
{
    return detail::workspace_bytes<typename detail::sum_algebra<T, LEVEL>::slot>(n);
}

/* Purpose: the sum of map(0) to map(n - 1) by all blocks of a grid.
 * workspace: device memory of grid_sum_bytes<T, LEVEL>(n), aligned to 256 bytes as cudaMalloc()
 * gives it. Its first 4 bytes are a ticket, which has to be 0 before the first call, and is 0 again
 * when the kernel ends: cudaMemset() it once. What else is in it does not matter. Each call of a
 * kernel needs a workspace of its own; kernels that may run at once do, too.
 * result: device memory.
 * Returns, without waiting for other blocks, false; but to all threads of the block that arrives
 * last it returns true when *result is written. These threads see *result, and all that map wrote
 * in other blocks.
 *
 *     __global__ void heat(const double *u, double *next, uint64_t n, void *workspace,
 *                          double *total)
 *     {
 *         __shared__ samesum::sum_storage<double> storage;
 *         samesum::grid_sum(storage, n, [=](uint64_t i) {
 *             return next[i] = u[i] + 0.25 * (u[(i + 1) % n] - 2 * u[i] + u[(i + n - 1) % n]);
 *         }, workspace, total);
 *     } */
template <class T, samesum_level LEVEL, int MAX_THREADS, class Map>
__device__ bool grid_sum(sum_storage<T, LEVEL, MAX_THREADS> &storage, uint64_t n, const Map &map,
                         void *workspace, T *result)
{
    typedef detail::sum_algebra<T, LEVEL> algebra;
    const detail::sum_leaf<algebra, Map> leaf{map};
    const detail::element_rows<detail::sum_leaf<algebra, Map>> rows{leaf, n};
    typename algebra::slot root;
    if (!detail::grid_root(algebra(), rows, workspace, storage.memory, &root))
        return false;
    if (detail::thread_rank() == 0)
        *result = n == 0 ? T(0) : algebra::finish(root);
    __syncthreads();
    return true;
}

/* ---- nodes of your own --------------------------------------------------------------------------
 *
 * The same tree over any Node that is trivially copyable and constructible, in the order, and with
 * the results, of samesum_reduce_custom():
 *     bool leaf(uint64_t i, Node &node)              makes element i's node; false: it is absent
 *     void combine(Node &left, const Node &right)    left becomes the node of both
 * combine need neither commute nor be associative. It is called more often than there are nodes to
 * join, and so must do nothing but write to left. A thread holds some 20 nodes in registers: where
 * a node is large, __launch_bounds__() says how many threads have to find room. */

/* What a block shares. Slots are as in sum_storage, each a Node and a word. */
template <class Node, int MAX_THREADS = 1024> struct custom_storage {
    static_assert(MAX_THREADS >= 32, "a warp has 32 threads");
    detail::tree_memory<detail::custom_slot<Node>, MAX_THREADS / 32> memory;
};

/* Purpose: block_sum() with nodes of your own. *result, in each thread's own memory, receives the
 * node of all elements; where none is present it is left as it was, and false is returned. */
template <class Node, int MAX_THREADS, class Leaf, class Combine>
__device__ bool block_custom(custom_storage<Node, MAX_THREADS> &storage, uint64_t n,
                             const Leaf &leaf, const Combine &combine, Node *result)
{
    typedef detail::custom_algebra<Node, Combine> algebra;
    const detail::custom_leaf<algebra, Leaf> leaf_slot{leaf};
    const detail::element_rows<detail::custom_leaf<algebra, Leaf>> rows{leaf_slot, n};
    if (n == 0)
        return false;
    const auto root = detail::block_root(algebra{combine}, rows, storage.memory);
    if (root.present)
        *result = root.node;
    return root.present != 0;
}

/* Bytes of workspace that grid_custom() needs for n elements. It grows with n. */
template <class Node> __host__ __device__ constexpr size_t grid_custom_bytes(uint64_t n)
{
    return detail::workspace_bytes<detail::custom_slot<Node>>(n);
}

/* Purpose: grid_sum() with nodes of your own, and a workspace of grid_custom_bytes<Node>(n).
 * result: device memory, left as it was where no element is present. present: NULL, or device
 * memory that receives 1 or 0. Returns true to all threads of the block that arrives last. */
template <class Node, int MAX_THREADS, class Leaf, class Combine>
__device__ bool grid_custom(custom_storage<Node, MAX_THREADS> &storage, uint64_t n,
                            const Leaf &leaf, const Combine &combine, void *workspace, Node *result,
                            int *present)
{
    typedef detail::custom_algebra<Node, Combine> algebra;
    const detail::custom_leaf<algebra, Leaf> leaf_slot{leaf};
    const detail::element_rows<detail::custom_leaf<algebra, Leaf>> rows{leaf_slot, n};
    typename algebra::slot root;
    if (!detail::grid_root(algebra{combine}, rows, workspace, storage.memory, &root))
        return false;
    if (detail::thread_rank() == 0) {
        if (root.present)
            *result = root.node;
        if (present)
            *present = (int)root.present;
    }
    __syncthreads();
    return true;
}

} // namespace samesum

#endif
