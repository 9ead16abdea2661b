/* Chunks of any view: the warp makes the leaves, whatever the elements' layout, mask and type, and
 * puts them side by side in shared memory, where the tree takes them. */
#ifndef SS_CUDA_PACKED_CUH
#define SS_CUDA_PACKED_CUH

#include "cuda/sums.cuh"

enum {
    SS_PACKED_WARPS = 4,
    SS_PACKED_ROWS = 16, /* of a half-warp in a stage */
    SS_PACKED_LOG = 5,   /* tree rows of a stage, log2 */
    SS_PACKED_NUMBERS = 2 * SS_PACKED_ROWS * SS_LANES,
    SS_PACKED_DEPTH = 8 /* stages of a chunk, log2, at most */
};

/* Room for the leaves of one stage of a warp. */
template <class A> struct ss_packed_room {
    A s[SS_PACKED_NUMBERS], e[SS_PACKED_NUMBERS];
};

/* Numbers [from, to) by absolute index, of which number `origin` is the view's first. */
struct ss_packed_span {
    uint64_t first; /* of the chunk: a multiple of 16, not behind `to` */
    uint64_t from, to;
    uint64_t origin;
};

/* The node of the chunk of `span`; thread j < 16 has lane j. Adds to `seen` how many of its numbers
 * this thread found present. */
template <class A, int LEVEL>
static __device__ ss_node<A> ss_packed_chunk(const ss_cuda_view &v, uint64_t row, ss_leaf leaf,
                                             const ss_packed_span &span, ss_packed_room<A> &room,
                                             unsigned &seen)
{
    typedef ss_node<A> N;
    const int thread = threadIdx.x % 32, half = thread / 16, lane = thread % 16;
    const ss_cuda_row r = ss_cuda_row_at(v, row);
    ss_counter<LEVEL, N, SS_PACKED_DEPTH> counter;
    N node = ss_neutral<A>();
    unsigned stage = 0;
    /* by distance: behind the last number there need not be an index */
    for (uint64_t done = 0; done < span.to - span.first; done += SS_PACKED_NUMBERS, stage++) {
        const uint64_t at = span.first + done;
#pragma unroll 2
        for (int i = thread; i < SS_PACKED_NUMBERS; i += 32) {
            uint64_t index = at + i;
            A x, y = 0;
            N n = ss_neutral<A>();
            if (index >= span.from && index < span.to) {
                if (ss_cuda_number<A>(v, r, row, index - span.origin, &x, &y)) {
                    seen++;
                    n = ss_leaf_of(leaf, LEVEL == SAMESUM_COMPENSATED, x, y);
                } else if (leaf == SS_LEAF_ASUM || leaf == SS_LEAF_SUMSQ) {
                    n.s = 0; /* as neutral among such leaves; states are to have the CPU's bytes */
                }
            }
            room.s[i] = n.s;
            if (LEVEL == SAMESUM_COMPENSATED)
                room.e[i] = n.e;
        }
        __syncwarp();
        const int begin = half * SS_PACKED_ROWS * SS_LANES + lane;
        node = ss_tree_of<LEVEL, SS_PACKED_ROWS, N>(
            [&](int i) -> N {
                int k = begin + i * SS_LANES;
                return {room.s[k], LEVEL == SAMESUM_COMPENSATED ? room.e[k] : (A)0};
            },
            0, false);
        node = ss_combine<LEVEL>(node, ss_from<LEVEL>(node, 16), SS_PACKED_LOG);
        node = counter.push(counter, node, stage, SS_PACKED_LOG);
        __syncwarp();
    }
    if (stage > 0)
        for (; stage & (stage - 1); stage++)
            node = counter.push(counter, ss_neutral<A>(), stage, SS_PACKED_LOG);
    return node;
}

#endif
