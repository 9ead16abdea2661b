/* Fills one backend's table of slicing kernels: include it after a vector header, with SS_SLICERS
 * (the table's name) defined. */
#include <math.h>
#include <string.h>
#include "exact/slices.h"

/* Running sums side by side; more gain nothing on Zen 4, and AVX2 lacks the registers. */
enum { SS_CHAINS = 2 };

/* Bytes of each stream of a dot product that are fetched in a turn. */
enum { SS_TURN = 512 };

#define SS_T f64
#include "kahan/node.h"
#undef SS_T

static inline int64_t ss_bits(double v)
{
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* 1.5 * 2^(52 + grid): the middle of the binade whose numbers are the multiples of 2^grid. */
static inline double ss_slice_start(int grid)
{
    int64_t bits = (int64_t)(grid + 52 + 1023) << 52 | INT64_C(1) << 51;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#define SS_NAME s_f64
#define SS_ELEM double
#define SS_LOAD f64_load
#define SS_LOAD_PART f64_load_part
#include "exact/slice_kernel.h"
#define SS_NAME s_f32
#define SS_ELEM float
#define SS_LOAD f64_load_f32
#define SS_LOAD_PART f64_load_part_f32
#include "exact/slice_kernel.h"

#define SS_SLICER(name, leaf, LEAF, slices)                                                        \
    static void name##_##leaf##_##slices(const void *x, const void *y, size_t n, int exponent,     \
                                         ss_slices *out)                                           \
    {                                                                                              \
        name##_slice(LEAF, slices, x, y, n, exponent, out);                                        \
    }
#define SS_ONE_TERM(name, leaf, LEAF)                                                              \
    SS_SLICER(name, leaf, LEAF, 2)                                                                 \
    SS_SLICER(name, leaf, LEAF, 3)                                                                 \
    SS_SLICER(name, leaf, LEAF, 7)
#define SS_TWO_TERMS(name, leaf, LEAF)                                                             \
    SS_SLICER(name, leaf, LEAF, 4)                                                                 \
    SS_SLICER(name, leaf, LEAF, 5)                                                                 \
    SS_SLICER(name, leaf, LEAF, 9)
SS_ONE_TERM(s_f64, sum, SS_LEAF_SUM)
SS_ONE_TERM(s_f64, asum, SS_LEAF_ASUM)
SS_TWO_TERMS(s_f64, sumsq, SS_LEAF_SUMSQ)
SS_TWO_TERMS(s_f64, dot, SS_LEAF_DOT)
SS_ONE_TERM(s_f32, sum, SS_LEAF_SUM)
SS_ONE_TERM(s_f32, asum, SS_LEAF_ASUM)
SS_ONE_TERM(s_f32, sumsq, SS_LEAF_SUMSQ)
SS_ONE_TERM(s_f32, dot, SS_LEAF_DOT)

const ss_slicers SS_SLICERS = {{
    {{s_f64_sum_2, s_f64_sum_3, s_f64_sum_7},
     {s_f64_asum_2, s_f64_asum_3, s_f64_asum_7},
     {s_f64_sumsq_4, s_f64_sumsq_5, s_f64_sumsq_9},
     {s_f64_dot_4, s_f64_dot_5, s_f64_dot_9}},
    {{s_f32_sum_2, s_f32_sum_3, s_f32_sum_7},
     {s_f32_asum_2, s_f32_asum_3, s_f32_asum_7},
     {s_f32_sumsq_2, s_f32_sumsq_3, s_f32_sumsq_7},
     {s_f32_dot_2, s_f32_dot_3, s_f32_dot_7}},
}};
