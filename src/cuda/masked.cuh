/* The kernel for rows whose numbers lie at equal distances, with what is done to them on their way:
 * masks, missing values, deviations, factors; and for strides, and two sums of one row at once. */
#ifndef SS_CUDA_MASKED_CUH
#define SS_CUDA_MASKED_CUH

#include "cuda/beside.cuh"
#include "cuda/elements.cuh"
#include "cuda/kernels.h"
#include "cuda/sums.cuh"

enum { SS_MASKED_WARPS = 8, SS_MASKED_DEPTH = 4 /* turns of a chunk, log2, at most */ };

/* A thread has AT_ONCE lanes, which it loads together, and 16 / AT_ONCE threads a row of the tree.
 * Each such group takes a part of the chunk, or a row of its own, whose rows of the tree it walks
 * down; a turn is what a thread has on its way at a time. */
template <class FROM, int AT_ONCE, int MODE, int LEVEL> struct ss_masked_of {
    typedef typename FROM::element element;
    typedef typename FROM::number number;
    enum {
        STREAMS = MODE == SS_MODE_PRODUCT || MODE == SS_MODE_QUOTIENT ? 2 : 1,
        TERMS = MODE == SS_MODE_SPREAD || MODE == SS_MODE_QUOTIENT ? 2 : 1,
        LOAD = AT_ONCE * (int)sizeof(element),
        HALF = STREAMS == 2 || (TERMS == 2 && LEVEL != SAMESUM_TREE) || LOAD == 8,
        MOST = 128 / LOAD, /* rows of the tree, of a group in a turn; at most 16 */
        ROWS = (MOST > 16 ? 16 : MOST) / (HALF ? 2 : 1),
        GROUP = SS_LANES / AT_ONCE,
        GROUPS = 32 / GROUP,
        GROUPS_LOG = __builtin_ctz(GROUPS),
        LOG = __builtin_ctz(ROWS), /* of a group */
        LEAST_LOG = LOG + GROUPS_LOG
    };
    typedef ss_beside<number, TERMS * AT_ONCE, MODE == SS_MODE_SUM ? 0 : AT_ONCE> nodes;
    template <int DEPTH>
    using stack_of = ss_stack<LEVEL, number, TERMS * AT_ONCE, MODE == SS_MODE_SUM ? 0 : AT_ONCE,
                              DEPTH, 32 * SS_MASKED_WARPS>;
    typedef stack_of<SS_MASKED_DEPTH> stack;
};

/* Blocks of a multiprocessor. */
template <int MODE, int LEVEL>
constexpr int ss_masked_blocks =
    MODE == SS_MODE_SUM || MODE == SS_MODE_SPREAD || LEVEL == SAMESUM_TREE ? 3 : 2;

/* What a thread reads: from its next number on; bytes from number to number (constants where they
 * are side by side). */
template <class FROM, int AT_ONCE> struct ss_masked_place {
    typedef typename FROM::element E;
    const char *x, *y;
    const unsigned char *mask;
    ptrdiff_t bit; /* of a mask of bits, from `mask` on */
    ptrdiff_t step_x, step_y, step_mask, step_bit;

    __device__ __forceinline__ ptrdiff_t x_step() const
    {
        return AT_ONCE > 1 ? (ptrdiff_t)sizeof(E) : step_x;
    }
    __device__ __forceinline__ ptrdiff_t y_step() const
    {
        return AT_ONCE > 1 ? (ptrdiff_t)sizeof(E) : step_y;
    }
    __device__ __forceinline__ ptrdiff_t mask_step() const
    {
        return AT_ONCE > 1 ? 1 : step_mask;
    }
    __device__ __forceinline__ void advance(int rows)
    {
        x += rows * SS_LANES * x_step();
        y += rows * SS_LANES * y_step();
        mask += rows * SS_LANES * mask_step();
        bit += rows * SS_LANES * step_bit;
    }
    /* The first `full` rows of the tree. */
    template <int ROWS>
    __device__ __forceinline__ void read_x(ss_few<E, AT_ONCE> (&to)[ROWS], int full) const
    {
        typedef typename ss_loaded<AT_ONCE *(int)sizeof(E)>::type L;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i < full)
                to[i].load = ss_read<L>(x + i * SS_LANES * x_step());
    }
    template <int ROWS>
    __device__ __forceinline__ void read_y(ss_few<E, AT_ONCE> (&to)[ROWS], int full) const
    {
        typedef typename ss_loaded<AT_ONCE *(int)sizeof(E)>::type L;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i < full)
                to[i].load = ss_read<L>(y + i * SS_LANES * y_step());
    }
    template <int ROWS>
    __device__ __forceinline__ void read_mask(unsigned (&to)[ROWS], int full) const
    {
        typedef typename ss_loaded<AT_ONCE>::type W;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i < full)
                to[i] = ss_read<W>(mask + i * SS_LANES * mask_step());
    }
    /* Only where AT_ONCE is 1. */
    template <int ROWS>
    __device__ __forceinline__ void read_bits(unsigned (&to)[ROWS], int full) const
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i < full) {
                const uint64_t at = (uint64_t)(bit + i * SS_LANES * step_bit);
                to[i] = ss_read<unsigned char>(mask + at / 8) >> at % 8 & 1;
            }
    }
};

/* What is done to a number on its way. CENTRES: of as many series as a thread has. */
template <class A, int CENTRES = 1> struct ss_masked_rules {
    samesum_mask_kind mask_kind;
    samesum_missing missing;
    bool missing_x, missing_y, absolute;
    A missing_value;
    A centre[CENTRES], factor[2]; /* subtracted; multiplied by, one after the other */

    __device__ __forceinline__ A centre_of(int k) const
    {
        return centre[CENTRES > 1 ? k : 0];
    }
    __device__ __forceinline__ bool is_missing(A a) const
    {
        return missing == SAMESUM_MISSING_NAN ? isnan(a) : a == missing_value;
    }
};

/* One turn of a thread: numbers, and a byte for each that is not 0 where it is present. */
template <class FROM, int AT_ONCE, int MODE, int LEVEL> struct ss_masked_turn {
    typedef ss_masked_of<FROM, AT_ONCE, MODE, LEVEL> M;
    typedef typename FROM::element E;
    typedef typename FROM::number A;
    typedef typename M::nodes N;
    typedef ss_few<E, AT_ONCE> few;
    few x[M::ROWS], y[M::STREAMS == 2 ? M::ROWS : 1];
    unsigned kept[M::ROWS];

    /* `full` rows, of which all of the thread's numbers are there. */
    template <class PLACE>
    __device__ __forceinline__ void read(const PLACE &p, samesum_mask_kind mask, int full)
    {
        p.read_x(x, full);
        if constexpr (M::STREAMS == 2)
            p.read_y(y, full);
        if (mask == SAMESUM_MASK_BYTES) {
            p.read_mask(kept, full);
        } else {
#pragma unroll
            for (int i = 0; i < M::ROWS; i++)
                if (i < full)
                    kept[i] = 0xffffffff;
            if (AT_ONCE == 1 && mask == SAMESUM_MASK_BITS)
                p.read_bits(kept, full);
        }
    }
    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < M::ROWS; i++) {
            kept[i] = 0;
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                x[i].of[k] = 0;
                if (M::STREAMS == 2)
                    y[i].of[k] = 0;
            }
        }
    }
    /* `left` of the numbers of a row from the place on are there. */
    __device__ __forceinline__ void read_some(const ss_masked_place<FROM, AT_ONCE> &p,
                                              samesum_mask_kind mask, int left)
    {
        clear();
        const int full = left < AT_ONCE ? 0 : (left - AT_ONCE) / SS_LANES + 1;
        read(p, mask, full);
        const int more = left - full * SS_LANES; /* numbers in the row that follows */
        if (AT_ONCE == 1 || more <= 0)
            return;
        few one = x[0], other = y[0];
        unsigned of_one = 0;
#pragma unroll
        for (int k = 0; k < AT_ONCE - 1; k++)
            if (k < more) {
                const int at = full * SS_LANES + k;
                one.of[k] = ss_read<E>(p.x + at * p.x_step());
                if (M::STREAMS == 2)
                    other.of[k] = ss_read<E>(p.y + at * p.y_step());
                of_one |= (mask == SAMESUM_MASK_BYTES
                               ? ss_read<unsigned char>(p.mask + at * p.mask_step())
                               : 1u)
                          << 8 * k;
            }
#pragma unroll
        for (int i = 0; i < M::ROWS; i++)
            if (i == full) {
                x[i] = one;
                kept[i] = of_one;
                if (M::STREAMS == 2)
                    y[i] = other;
            }
    }
    /* Takes missing ones out. */
    template <class RULES> __device__ __forceinline__ void sift(const RULES &rules)
    {
        if (rules.missing == SAMESUM_MISSING_NONE)
            return;
#pragma unroll
        for (int i = 0; i < M::ROWS; i++)
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++)
                if ((rules.missing_x && rules.is_missing(FROM::widen(x[i].of[k]))) ||
                    (M::STREAMS == 2 && rules.missing_y &&
                     rules.is_missing(FROM::widen(y[i].of[k]))))
                    kept[i] &= ~(0xffu << 8 * k);
    }
    /* Bit 7 of each byte: whether the number is present. */
    __device__ __forceinline__ unsigned present(int i) const
    {
        const unsigned all = AT_ONCE == 4 ? 0x80808080 : AT_ONCE == 2 ? 0x8080 : 0x80;
        return (((kept[i] & 0x7f7f7f7f) + 0x7f7f7f7f) | kept[i]) & all;
    }
    /* How many are. */
    __device__ __forceinline__ unsigned seen() const
    {
        unsigned n = 0;
#pragma unroll
        for (int i = 0; i < M::ROWS; i++)
            n += __popc(present(i));
        return n;
    }
    /* The leaves of one number: what changes no sum where it is absent. ALL: none is. */
    template <bool ALL, class RULES>
    __device__ __forceinline__ void leaf(N &n, int i, int k, const RULES &rules) const
    {
        constexpr bool PAIR = LEVEL == SAMESUM_COMPENSATED;
        const bool is_kept = ALL || kept[i] >> 8 * k & 0xff;
        A a = FROM::widen(x[i].of[k]), b;
        if constexpr (MODE == SS_MODE_SUM) {
            a = rules.absolute ? ss_leaf_of(SS_LEAF_ASUM, false, a, a).s : a;
            n.of[k] = {is_kept ? a : (A)-0.0, 0};
        } else if constexpr (MODE == SS_MODE_SQUARE) {
            a = ss_mul(ss_mul(a, rules.factor[0]), rules.factor[1]);
            a = is_kept ? a : (A)0;
            n.of[k] = ss_leaf_of(SS_LEAF_SUMSQ, PAIR, a, a);
        } else if constexpr (MODE == SS_MODE_SPREAD) {
            a = ss_sub(a, rules.centre_of(k));
            a = is_kept ? a : (A)-0.0;
            n.of[k] = ss_leaf_of(SS_LEAF_SUMSQ, PAIR, a, a);
            n.of[AT_ONCE + k] = {a, 0};
        } else {
            constexpr bool both = MODE == SS_MODE_QUOTIENT;
            b = FROM::widen(y[i].of[k]);
            a = is_kept ? a : both ? (A)0 : (A)-0.0;
            b = is_kept ? b : both ? (A)-0.0 : (A)0;
            n.of[k] = ss_leaf_of(SS_LEAF_DOT, PAIR, a, b);
            if constexpr (both)
                n.of[AT_ONCE + k] = {b, 0};
        }
    }
    template <bool ALL, class RULES> __device__ __forceinline__ N tree(const RULES &rules) const
    {
        return ss_tree_of<LEVEL, M::ROWS, N>(
            [&](int i) -> N {
                N n;
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++)
                    leaf<ALL>(n, i, k, rules);
                return n;
            },
            0, true);
    }
    /* all: every number is present; what two sums cost leaves no time to ask each. */
    template <class RULES> __device__ __forceinline__ N node(const RULES &rules, bool all) const
    {
        if constexpr (M::TERMS == 2)
            if (all)
                return tree<true>(rules);
        return tree<false>(rules);
    }
};

/* Where a thread begins: number `at` of a row. */
template <class FROM, int AT_ONCE>
static __device__ __forceinline__ ss_masked_place<FROM, AT_ONCE>
ss_masked_place_at(const ss_sums &s, uint64_t row, uint64_t at)
{
    const ss_cuda_view &v = s.view[0];
    const ss_axis &next = v.rest.axis[0], &step = v.row.axis[0];
    ss_masked_place<FROM, AT_ONCE> p;
    p.step_x = s.per == 2 ? (ptrdiff_t)sizeof(typename FROM::element) : step.stride[SS_X];
    p.step_y = step.stride[SS_Y];
    p.step_mask = p.step_bit = 0;
    (v.mask_kind == SAMESUM_MASK_BITS ? p.step_bit : p.step_mask) = step.stride[SS_MASK];
    p.x = v.place[SS_X] + (ptrdiff_t)row * next.stride[SS_X] + (ptrdiff_t)at * p.x_step();
    p.y = v.place[SS_Y] + (ptrdiff_t)row * next.stride[SS_Y] + (ptrdiff_t)at * p.y_step();
    const ptrdiff_t entry = v.mask_at + (ptrdiff_t)row * next.stride[SS_MASK];
    p.bit = entry + (ptrdiff_t)at * p.step_bit;
    p.mask = v.mask;
    if (v.mask_kind == SAMESUM_MASK_BYTES)
        p.mask += entry + (ptrdiff_t)at * p.mask_step();
    return p;
}

/* SPEC.md 6.1 step 4: x 2^-e rounded once, as one or two multiplications of which one rounds: 2^-e
 * is a number where e is no subnormal's exponent; else all that they give is exact. */
template <class A> static __device__ __forceinline__ void ss_scale_factors(double most, A factor[2])
{
    constexpr int least = sizeof(A) == 8 ? -1022 : -126, half = sizeof(A) == 8 ? 512 : 64;
    factor[0] = factor[1] = 1;
    if (!isfinite(most) || most == 0)
        return;
    const int e = ilogb(most);
    factor[0] = (A)scalbn(1.0, e >= least ? -e : half);
    factor[1] = (A)scalbn(1.0, e >= least ? 0 : -e - half);
}

/* All but what each row has of its own. */
template <class A, int CENTRES>
static __device__ __forceinline__ void ss_masked_common_rules(const ss_sums &s,
                                                              ss_masked_rules<A, CENTRES> &r)
{
    const ss_cuda_view &v = s.view[0];
    r.mask_kind = v.mask_kind;
    r.missing = v.missing;
    r.missing_x = v.missing_in[SS_X];
    r.missing_y = v.missing_in[SS_Y];
    r.missing_value = (A)v.missing_value;
    r.absolute = s.leaf[0] == SS_LEAF_ASUM;
}
template <class A>
static __device__ __forceinline__ ss_masked_rules<A> ss_masked_rules_of(const ss_sums &s,
                                                                        uint64_t row)
{
    const ss_cuda_view &v = s.view[0];
    ss_masked_rules<A> r;
    ss_masked_common_rules(s, r);
    r.centre[0] = v.map == SS_MAP_DEVIATE ? (A)v.parameter[row] : (A)0;
    ss_scale_factors<A>(v.map == SS_MAP_SCALE ? v.parameter[row] : 1.0, r.factor);
    return r;
}

/* The nodes of a chunk of a row are in the threads of the first group. */
template <class M, int AT_ONCE, int LEVEL>
static __device__ __forceinline__ void ss_masked_store(const ss_row_sums &s, uint64_t row,
                                                       uint64_t chunk, const typename M::nodes &v)
{
    typedef typename M::number A;
    const int thread = threadIdx.x % 32;
    if (thread == 0 && chunk == 0 && s.ticket)
        for (int t = 0; t < M::TERMS; t++)
            s.ticket[row * M::TERMS + t] = 0; /* for the kernel that merges */
    if (thread < M::GROUP)
#pragma unroll
        for (int i = 0; i < M::TERMS * AT_ONCE; i++)
            ss_store_lane<LEVEL, A>(s, (row * M::TERMS + i / AT_ONCE) * s.chunks + chunk,
                                    thread * AT_ONCE + i % AT_ONCE, v.of[i]);
}
/* Those of a row are in a group, whose first thread finishes it where it is told to. */
template <class M, int AT_ONCE, int LEVEL>
static __device__ __forceinline__ void ss_masked_finish(const ss_row_sums &s, uint64_t row,
                                                        const typename M::nodes &v, bool finishes)
{
    typedef typename M::number A;
    typedef ss_node<A> N;
    A sum[2] = {0, 0};
#pragma unroll
    for (int t = 0; t < M::TERMS; t++) { /* pairs at kahan, too (SPEC.md 4.3) */
        N n = ss_tree_of<LEVEL, AT_ONCE, N>([&](int k) -> N { return v.of[t * AT_ONCE + k]; },
                                            SS_SEGMENT_LEVEL, false);
        for (int step = 1; step < M::GROUP; step *= 2)
            n = ss_combine<LEVEL>(n, ss_from<LEVEL>(n, step), SS_SEGMENT_LEVEL + 1);
        sum[t] = ss_value<LEVEL>(n);
    }
    if (finishes)
        ss_finish_row(s, row, s.numbers, sum);
}

/* s.tasks: (row, chunk), all terms of it; or s.turns 0: a row for each of a warp's groups. */
template <class FROM, int AT_ONCE, int MODE, int LEVEL>
__global__ void __launch_bounds__(32 * SS_MASKED_WARPS, (ss_masked_blocks<MODE, LEVEL>))
    ss_masked_kernel(const __grid_constant__ ss_sums s)
{
    typedef ss_masked_of<FROM, AT_ONCE, MODE, LEVEL> M;
    typedef typename FROM::number A;
    extern __shared__ __align__(128) char shared[];
    typename M::stack &stack = *(typename M::stack *)shared;
    const int thread = threadIdx.x % 32, group = thread / M::GROUP, leader = thread % M::GROUP;
    const int lane = leader * AT_ONCE;
    const bool alone = s.turns == 0;                                               /* each group */
    const int part_log = s.chunk_log - M::GROUPS_LOG, part = SS_LANES << part_log; /* numbers */
    const uint64_t step = (uint64_t)gridDim.x * SS_MASKED_WARPS;
    uint64_t task = (uint64_t)blockIdx.x * SS_MASKED_WARPS + threadIdx.x / 32;
#pragma unroll 1
    for (; task < s.tasks; task += step) {
        uint64_t row = s.chunks == 1 ? task : task / s.chunks;
        const uint64_t chunk = task - row * s.chunks;
        uint64_t at = (chunk << (s.chunk_log + 4)) + (uint64_t)(group * part) + lane;
        bool finishes = thread == 0;
        if (alone) {
            const uint64_t mine = task * M::GROUPS + group;
            row = mine < s.rows ? mine : s.rows - 1;
            at = lane;
            finishes = leader == 0 && mine < s.rows && ss_is_wanted(s, row);
        } else if (!ss_is_wanted(s, row)) {
            continue;
        }
        const int64_t rest = (int64_t)(s.numbers - at); /* below 0: none */
        int left = rest < part - lane ? (int)(rest > 0 ? rest : 0) : part - lane;
        const ss_masked_rules<A> rules = ss_masked_rules_of<A>(s, row);
        ss_masked_place<FROM, AT_ONCE> p = ss_masked_place_at<FROM, AT_ONCE>(s, row, at);
        typename M::nodes pending, v;
        unsigned seen = 0, turn = 0;
#pragma unroll 1
        for (; left > 0; left -= M::ROWS * SS_LANES, turn++) {
            ss_masked_turn<FROM, AT_ONCE, MODE, LEVEL> in;
            const bool full = left >= (M::ROWS - 1) * SS_LANES + AT_ONCE;
            if (full)
                in.read(p, rules.mask_kind, M::ROWS);
            else
                in.read_some(p, rules.mask_kind, left);
            p.advance(M::ROWS);
            if (s.masked) {
                in.sift(rules);
                seen += in.seen();
            }
            stack.push(pending, in.node(rules, full && !s.masked), turn, M::LOG);
        }
        v = stack.root(pending, turn, M::LOG);
        __syncwarp();
        if (!alone)
            for (int k = 0; k < M::GROUPS_LOG; k++)
                v = ss_combine<LEVEL>(v, ss_from<LEVEL>(v, M::GROUP << k), part_log + k + 1);
        if (s.masked) {
            for (int k = 1; k < (alone ? (int)M::GROUP : 32); k *= 2)
                seen += __shfl_xor_sync(0xffffffffu, seen, k);
            if (finishes)
                atomicAdd(&s.present[row], (unsigned long long)seen);
        }
        if (s.chunks > 1)
            ss_masked_store<M, AT_ONCE, LEVEL>(s, row, chunk, v);
        else
            ss_masked_finish<M, AT_ONCE, LEVEL>(s, row, v, finishes);
    }
}

#endif
