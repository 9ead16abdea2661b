/* Who computes which node in samesum_device.cuh: rows shared out to the threads of a block and to
 * the blocks of a grid, in the order of SPEC.md 4.1. Included by samesum_device.cuh.
 *
 * `rows` is what lies at the bottom: count() rows of 16 slots, of which the first whole() have all
 * lanes; has() says whether a slot is there, at() gives it, and `above` whether they are of the
 * segment's level or above. */
#ifndef SS_CUDA_DEVICE_TREE_CUH
#define SS_CUDA_DEVICE_TREE_CUH

#include <stddef.h>
#include <string.h>
#include "device_nodes.cuh"

namespace samesum::detail
{

enum {
    TILE_LEVEL = 3, /* rows whose leaves a thread has in hand at once */
    TILE_ROWS = 1 << TILE_LEVEL,
    PART_LEVEL = SS_SEGMENT_LEVEL, /* rows that a thread reduces without waiting for others */
    PART_NODES = PART_LEVEL - TILE_LEVEL + 1,
    STACK_LEVELS = 28,  /* a block takes its rows in less than 2^28 rounds */
    CHUNKS_LOG2 = 11,   /* a grid divides its rows into at most 2^11 chunks */
    SLOTS_OFFSET = 256, /* of a workspace; the ticket lies before them */
    WARP_THREADS = 32
};

/* What the threads of a block share. */
template <class Slot, int WARPS> struct tree_memory {
    Slot warp[WARPS][SS_LANES];         /* each warp's node */
    Slot stack[STACK_LEVELS][SS_LANES]; /* of the rounds so far, as a binary counter */
    Slot root;
    unsigned last; /* whether this block was the last one of the grid */
};

SS_INLINE unsigned thread_rank()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
SS_INLINE unsigned thread_count()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
SS_INLINE unsigned block_rank()
{
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
SS_INLINE unsigned block_count()
{
    return gridDim.x * gridDim.y * gridDim.z;
}

/* ---- one thread: one lane of up to 2^PART_LEVEL rows -------------------------------------------
 *
 * Templates, not loops, choose among nodes, so that these stay in registers. */

/* The node of COUNT slots, a power of two. */
template <int COUNT, class A>
SS_INLINE typename A::slot node_of(const A &algebra, bool above, const typename A::slot *slots)
{
    if constexpr (COUNT == 1)
        return slots[0];
    else
        return algebra.join(above, node_of<COUNT / 2>(algebra, above, slots),
                            node_of<COUNT / 2>(algebra, above, slots + COUNT / 2));
}

/* The node of rows [from, from + TILE_ROWS), those before `to`. WHOLE: all are there. */
template <bool WHOLE, class A, class Rows>
SS_INLINE typename A::slot tile_node(const A &algebra, const Rows &rows, uint64_t from, uint64_t to,
                                     unsigned lane)
{
    typename A::slot slots[TILE_ROWS];
#pragma unroll
    for (int i = 0; i < TILE_ROWS; i++)
        slots[i] = WHOLE || (from + i < to && rows.has(from + i, lane)) ? rows.at(from + i, lane)
                                                                        : algebra.absent();
    return node_of<TILE_ROWS>(algebra, Rows::above, slots);
}

/* Node number `index` of a level joins those before it (SPEC.md 4.1 step 3): where bit K of index
 * is set, stack[K] is its left neighbour. */
template <int K, class A>
SS_INLINE void push(const A &algebra, bool above, typename A::slot (&stack)[PART_NODES],
                    unsigned index, const typename A::slot &node)
{
    if constexpr (K < PART_NODES - 1) {
        if (index >> K & 1) {
            push<K + 1>(algebra, above, stack, index, algebra.join(above, stack[K], node));
            return;
        }
    }
    stack[K] = node;
}

/* The node of the first `count` ones, and of `right` beside them. */
template <int K, class A>
SS_INLINE typename A::slot drain(const A &algebra, bool above,
                                 const typename A::slot (&stack)[PART_NODES], unsigned count,
                                 const typename A::slot &right)
{
    if constexpr (K == PART_NODES)
        return right;
    else
        return drain<K + 1>(algebra, above, stack, count,
                            count >> K & 1 ? algebra.join(above, stack[K], right) : right);
}

/* The node of one lane of rows [from, to): at most 2^PART_LEVEL, from a multiple of their number
 * rounded up to a power of two. */
template <class A, class Rows>
SS_INLINE typename A::slot part_node(const A &algebra, const Rows &rows, uint64_t from, uint64_t to,
                                     unsigned lane)
{
    typename A::slot stack[PART_NODES];
    const uint64_t whole = to < rows.whole() ? to : rows.whole();
    unsigned tiles = 0;
    for (uint64_t row = from; row < to; row += TILE_ROWS, tiles++)
        push<0>(algebra, Rows::above, stack, tiles,
                row + TILE_ROWS <= whole ? tile_node<true>(algebra, rows, row, to, lane)
                                         : tile_node<false>(algebra, rows, row, to, lane));
    return drain<0>(algebra, Rows::above, stack, tiles, algebra.absent());
}

/* ---- a warp ------------------------------------------------------------------------------------
 */

template <class Slot> SS_INLINE Slot shuffle_xor(const Slot &slot, unsigned mask)
{
    static_assert(sizeof(Slot) % sizeof(unsigned) == 0, "a shuffle moves whole words");
    unsigned words[sizeof(Slot) / sizeof(unsigned)];
    memcpy(words, &slot, sizeof slot);
#pragma unroll
    for (unsigned &word : words)
        word = __shfl_xor_sync(0xffffffff, word, mask);
    Slot other;
    memcpy(&other, words, sizeof other);
    return other;
}

/* This thread's slot joined with that of the thread whose number differs in the bit mask, for the
 * threads without that bit: the others have a node in which left and right are exchanged. All
 * threads of a warp. */
template <class A>
SS_INLINE typename A::slot join_right(const A &algebra, bool above, const typename A::slot &own,
                                      unsigned mask)
{
    return algebra.join(above, own, shuffle_xor(own, mask));
}

/* Stage 2 (SPEC.md 4.1 step 5) of the roots in threads 0 to 15 of the first warp, for thread 0. At
 * level kahan it joins pairs (4.3 step 2). */
template <class A> SS_INLINE typename A::slot stage_two(const A &algebra, typename A::slot root)
{
#pragma unroll
    for (unsigned mask = 1; mask < SS_LANES; mask *= 2)
        root = join_right(algebra, true, root, mask);
    return root;
}

/* ---- a block ------------------------------------------------------------------------------------
 *
 * The first 2^warps_log2 warps take part, each half of one for 2^level rows a round. */
struct team {
    int warps_log2, level;
    SS_INLINE int log2_of(unsigned v) /* rounded down */
    {
        return 31 - __clz((int)v);
    }
    __device__ __forceinline__ team(unsigned most_warps, uint64_t rows)
    {
        const unsigned warps = thread_count() / WARP_THREADS;
        warps_log2 = log2_of(warps < most_warps ? warps : most_warps);
        level = 0;
        while (level < PART_LEVEL && (UINT64_C(1) << round_log2()) < rows)
            level++;
    }
    __device__ __forceinline__ int round_log2() const
    {
        return level + warps_log2 + 1;
    }
};

/* The node of round number `round`, of rows before `end`, of level round_log2(); threads 0 to 15
 * receive their lanes' slots. All threads. */
template <class A, class Rows, int WARPS>
SS_INLINE typename A::slot round_node(const A &algebra, const Rows &rows, const team &by,
                                      uint64_t first, uint64_t end,
                                      tree_memory<typename A::slot, WARPS> &memory)
{
    const unsigned rank = thread_rank(), lane = rank % SS_LANES, half = rank / SS_LANES;
    const unsigned warps = 1u << by.warps_log2, warp = half / 2;
    const auto above = [&](int level) { return Rows::above || level > SS_SEGMENT_LEVEL; };
    if (warp < warps) {
        const uint64_t from = first + ((uint64_t)half << by.level);
        const uint64_t to = from + (UINT64_C(1) << by.level);
        typename A::slot node = part_node(algebra, rows, from, to < end ? to : end, lane);
        node = join_right(algebra, above(by.level + 1), node, SS_LANES);
        if (half % 2 == 0)
            memory.warp[warp][lane] = node;
    }
    __syncthreads();
    for (int k = 0; k < by.warps_log2; k++) {
        const unsigned left = half << (k + 1), right = left + (1u << k);
        if (half < warps >> (k + 1))
            memory.warp[left][lane] = algebra.join(above(by.level + 2 + k), memory.warp[left][lane],
                                                   memory.warp[right][lane]);
        __syncthreads();
    }
    return half == 0 ? memory.warp[0][lane] : algebra.absent();
}

/* The lanes' roots of rows [first, end), where first is a multiple of their number rounded up to a
 * power of two: threads 0 to 15 receive them, the others an absent slot. All threads. */
template <class A, class Rows, int WARPS>
static __device__ typename A::slot block_node(const A &algebra, const Rows &rows, uint64_t first,
                                              uint64_t end,
                                              tree_memory<typename A::slot, WARPS> &memory)
{
    const team by(WARPS, end - first);
    const uint64_t rounds = end > first ? ((end - first - 1) >> by.round_log2()) + 1 : 0;
    const unsigned lane = thread_rank();
    if (rounds >> STACK_LEVELS)
        __trap();
    for (uint64_t round = 0; round < rounds; round++) {
        typename A::slot node =
            round_node(algebra, rows, by, first + (round << by.round_log2()), end, memory);
        if (lane < SS_LANES) {
            int k = 0;
            for (; round >> k & 1; k++)
                node = algebra.join(true, memory.stack[k][lane], node);
            memory.stack[k][lane] = node;
        }
        __syncthreads();
    }
    typename A::slot root = algebra.absent();
    if (lane < SS_LANES)
        for (int k = 0; k < STACK_LEVELS; k++)
            if (rounds >> k & 1)
                root = algebra.join(true, memory.stack[k][lane], root);
    return root;
}

/* The node of all rows, to every thread. */
template <class A, class Rows, int WARPS>
static __device__ typename A::slot block_root(const A &algebra, const Rows &rows,
                                              tree_memory<typename A::slot, WARPS> &memory)
{
    typename A::slot root = block_node(algebra, rows, 0, rows.count(), memory);
    if (thread_rank() < WARP_THREADS)
        root = stage_two(algebra, root);
    if (thread_rank() == 0)
        memory.root = root;
    __syncthreads();
    return memory.root;
}

/* ---- a grid -------------------------------------------------------------------------------------
 */

/* Chunks are of 2^chunk_level rows: at least a segment, so that level kahan sees pairs above. */
static __host__ __device__ constexpr int chunk_level(uint64_t rows)
{
    int level = SS_SEGMENT_LEVEL;
    while (level < 63 && (UINT64_C(1) << CHUNKS_LOG2 << level) < rows)
        level++;
    return level;
}
static __host__ __device__ constexpr uint64_t chunk_count(uint64_t rows)
{
    return rows ? ((rows - 1) >> chunk_level(rows)) + 1 : 0;
}
static __host__ __device__ constexpr uint64_t row_count(uint64_t n)
{
    return n / SS_LANES + (n % SS_LANES != 0);
}
template <class Slot> static __host__ __device__ constexpr size_t workspace_bytes(uint64_t n)
{
    static_assert(alignof(Slot) <= SLOTS_OFFSET, "slots follow the ticket");
    return SLOTS_OFFSET + (size_t)chunk_count(row_count(n)) * SS_LANES * sizeof(Slot);
}

/* Chunks' nodes as rows of their own. */
template <class Slot> struct chunk_rows {
    static constexpr bool above = true;
    const Slot *slots;
    uint64_t chunks;
    __device__ __forceinline__ uint64_t count() const
    {
        return chunks;
    }
    __device__ __forceinline__ uint64_t whole() const
    {
        return chunks;
    }
    __device__ __forceinline__ bool has(uint64_t, unsigned) const
    {
        return true;
    }
    __device__ __forceinline__ Slot at(uint64_t row, unsigned lane) const
    {
        return slots[row * SS_LANES + lane];
    }
};

/* Whether this block is the last one to come here; what the others wrote before is then visible to
 * it. The ticket is 0 again afterwards. All threads. */
SS_INLINE bool arrive_last(unsigned *ticket, unsigned &last)
{
    __threadfence();
    __syncthreads();
    if (thread_rank() == 0)
        last = atomicInc(ticket, block_count() - 1) == block_count() - 1;
    __syncthreads();
    __threadfence();
    return last != 0;
}

/* All threads of all blocks. Those of the last block return true, and *root is the node of all
 * rows. */
template <class A, class Rows, int WARPS>
static __device__ bool grid_root(const A &algebra, const Rows &rows, void *workspace,
                                 tree_memory<typename A::slot, WARPS> &memory,
                                 typename A::slot *root)
{
    typedef typename A::slot slot;
    slot *slots = (slot *)((char *)workspace + SLOTS_OFFSET);
    const int level = chunk_level(rows.count());
    const uint64_t chunks = chunk_count(rows.count());
    for (uint64_t chunk = block_rank(); chunk < chunks; chunk += block_count()) {
        const uint64_t end = (chunk + 1) << level;
        const slot node = block_node(algebra, rows, chunk << level,
                                     end < rows.count() ? end : rows.count(), memory);
        if (thread_rank() < SS_LANES)
            slots[chunk * SS_LANES + thread_rank()] = node;
    }
    if (!arrive_last((unsigned *)workspace, memory.last))
        return false;
    *root = block_root(algebra, chunk_rows<slot>{slots, chunks}, memory);
    return true;
}

} // namespace samesum::detail

#endif
