/* How the maximal aligned nodes of a range of rows lie in memory (SPEC.md, section 7). Which there
 * are follows from the range alone: of each level one at most at the left end, whose index is odd,
 * and one at the right end, whose index is even. */
#ifndef SS_CUDA_IMAGE_CUH
#define SS_CUDA_IMAGE_CUH

#include <stddef.h>
#include <stdint.h>
#include "fixedtree/shape.h"

/* A line: one row's sum of one term. Its nodes of each level, left and right, then the row at
 * either end that is not whole, head and tail; each 16 s, and 16 e behind them where nodes are
 * pairs. */
struct ss_image_form {
    int levels;
    size_t node_bytes, line_bytes;
};

enum ss_image_side { SS_LEFT, SS_RIGHT };

static inline ss_image_form ss_image_form_of(int levels, size_t node_bytes)
{
    return {levels, node_bytes, (size_t)(2 * levels + 2) * node_bytes};
}

static __host__ __device__ inline size_t ss_image_at(const ss_image_form &f, int level, int side)
{
    return (size_t)(2 * level + side) * f.node_bytes;
}
/* Head and tail. */
static __host__ __device__ inline size_t ss_image_end(const ss_image_form &f, int side)
{
    return ss_image_at(f, f.levels, side);
}

/* Nodes of one level, by index. */
struct ss_run {
    uint64_t first, end;
    int level;
};

static __host__ __device__ inline uint64_t ss_up(uint64_t v, int log) /* over 2^log, rounded up */
{
    return (v >> log) + ((v & ((UINT64_C(1) << log) - 1)) != 0);
}
/* Those `by` levels further up that lie in it. */
static __host__ __device__ inline ss_run ss_run_above(const ss_run &r, int by)
{
    return {ss_up(r.first, by), r.end >> by, r.level + by};
}
static __host__ __device__ inline uint64_t ss_run_count(const ss_run &r)
{
    return r.first < r.end ? r.end - r.first : 0;
}

/* The index of the maximal node on this side among all of a level; false: there is none. */
static __host__ __device__ inline bool ss_maximal(const ss_run &all, int side, uint64_t *index)
{
    *index = side == SS_LEFT ? all.first : all.end - 1;
    return all.first < all.end && (side == SS_LEFT ? all.first : all.end) % 2 == 1;
}

/* Numbers [from, to) of a row. */
struct ss_numbers {
    uint64_t from, to;
};
/* Their whole rows of the tree. */
static __host__ __device__ inline ss_run ss_rows_of(const ss_numbers &n)
{
    const uint64_t first = ss_up(n.from, 4), end = n.to / SS_LANES;
    return {first, end > first ? end : first, 0};
}
/* Whether the row at an end is not whole: the one in which it begins, once it has its last lane;
 * the one in which it ends. */
static __host__ __device__ inline bool ss_has_head(const ss_numbers &n)
{
    return n.from % SS_LANES != 0 && n.from / SS_LANES < n.to / SS_LANES;
}
static __host__ __device__ inline bool ss_has_tail(const ss_numbers &n)
{
    return n.to % SS_LANES != 0 && n.from != n.to;
}

#endif
