/* Fills one backend's table: include it after a vector header, with SS_BACKEND (the table's name)
 * and SS_BACKEND_ID defined. Everything here is the same for all ISAs. */
#include <string.h>
#include "exact/slices.h"
#include "fixedtree/kernels.h"

#define SS_T f64
#include "kahan/node.h"
#include "fixedtree/pack_kernel.h"
#define SS_NAME k_f64
#define SS_ELEM double
#define SS_ABSENT -0.0
#define SS_LOAD f64_load
#define SS_LOAD_PART f64_load_part
#include "fixedtree/extremes_kernel.h"
#include "fixedtree/row_kernel.h"
#define SS_NAME k_f32_wide
#define SS_ELEM float
#define SS_ABSENT -0.0
#define SS_LOAD f64_load_f32
#define SS_LOAD_PART f64_load_part_f32
#include "fixedtree/row_kernel.h"
#undef SS_T

#define SS_T f32
#include "kahan/node.h"
#define SS_NAME k_f32
#define SS_ELEM float
#define SS_ABSENT -0.0
#define SS_LOAD f32_load
#define SS_LOAD_PART f32_load_part
#include "fixedtree/extremes_kernel.h"
#include "fixedtree/row_kernel.h"
#define SS_NAME k_f16
#define SS_ELEM uint16_t
#define SS_ABSENT 0x8000
#define SS_LOAD f32_load_f16
#define SS_LOAD_PART f32_load_part_f16
#include "fixedtree/extremes_kernel.h"
#include "fixedtree/row_kernel.h"
#define SS_NAME k_bf16
#define SS_ELEM uint16_t
#define SS_ABSENT 0x8000
#define SS_LOAD f32_load_bf16
#define SS_LOAD_PART f32_load_part_bf16
#include "fixedtree/extremes_kernel.h"
#include "fixedtree/row_kernel.h"
#undef SS_T

/* Every second number: SS_EVEN_f32 and SS_EVEN_f64 list the even places of two vectors. */
#define SS_TWO(T, C)                                                                               \
    typedef struct T##_two {                                                                       \
        C number[2];                                                                               \
    } T##_two;                                                                                     \
    SS_INLINE T##_vec T##_load_two(const void *p)                                                  \
    {                                                                                              \
        T##_vec a = T##_load(p);                                                                   \
        SS_IF_VECTORS(T##_vec b = T##_load((const char *)p + sizeof a);                            \
                      a = __builtin_shufflevector(a, b, SS_EVEN_##T);)                             \
        return a;                                                                                  \
    }
#ifdef SS_EVEN_f32
#define SS_IF_VECTORS(...) __VA_ARGS__
#else
#define SS_IF_VECTORS(...)
#endif
SS_TWO(f64, double)
SS_TWO(f32, float)
#define SS_T f64
#define SS_NAME e_f64
#define SS_ELEM f64_two
#define SS_WHOLE_ROWS
#define SS_LOAD f64_load_two
#include "fixedtree/row_kernel.h"
#undef SS_T
#define SS_T f32
#define SS_NAME e_f32
#define SS_ELEM f32_two
#define SS_WHOLE_ROWS
#define SS_LOAD f32_load_two
#include "fixedtree/row_kernel.h"
#undef SS_T

/* The functions of each type, leaf and kind of node: of whole nodes, and of less. */
#define SS_WHOLE(name, leaf, LEAF, pair)                                                           \
    static __attribute__((noinline)) int name##_##leaf##_##pair##_blocks(                          \
        const void *x, const void *y, unsigned blocks, name##_row *stack)                          \
    {                                                                                              \
        return name##_blocks(LEAF, pair, x, y, blocks, stack);                                     \
    }                                                                                              \
    static void name##_##leaf##_##pair##_node(int level, const void *x, const void *y,             \
                                              ss_lanes *out)                                       \
    {                                                                                              \
        name##_node(LEAF, pair, name##_##leaf##_##pair##_blocks, level, x, y, out);                \
    }
#define SS_KERNEL(name, leaf, LEAF, pair)                                                          \
    SS_WHOLE(name, leaf, LEAF, pair)                                                               \
    static void name##_##leaf##_##pair##_partial(const void *x, const void *y, size_t n,           \
                                                 ss_lanes *out)                                    \
    {                                                                                              \
        name##_partial(LEAF, pair, name##_##leaf##_##pair##_blocks, x, y, n, out);                 \
    }
#define SS_OF_ONE(KIND, name)                                                                      \
    KIND(name, sum, SS_LEAF_SUM, 0)                                                                \
    KIND(name, sum, SS_LEAF_SUM, 1)                                                                \
    KIND(name, asum, SS_LEAF_ASUM, 0)                                                              \
    KIND(name, asum, SS_LEAF_ASUM, 1)                                                              \
    KIND(name, sumsq, SS_LEAF_SUMSQ, 0)                                                            \
    KIND(name, sumsq, SS_LEAF_SUMSQ, 1)
#define SS_KERNELS(name)                                                                           \
    SS_OF_ONE(SS_KERNEL, name)                                                                     \
    SS_KERNEL(name, dot, SS_LEAF_DOT, 0)                                                           \
    SS_KERNEL(name, dot, SS_LEAF_DOT, 1)
SS_KERNELS(k_f64)
SS_KERNELS(k_f32)
SS_KERNELS(k_f32_wide)
SS_KERNELS(k_f16)
SS_KERNELS(k_bf16)
SS_OF_ONE(SS_WHOLE, e_f64)
SS_OF_ONE(SS_WHOLE, e_f32)

#define SS_ENTRY(name, leaf, pair)                                                                 \
    {                                                                                              \
        name##_##leaf##_##pair##_node, name##_##leaf##_##pair##_partial                            \
    }
#define SS_ROWS(name)                                                                              \
    {                                                                                              \
        [SAMESUM_SUM] = {SS_ENTRY(name, sum, 0), SS_ENTRY(name, sum, 1)},                          \
        [SAMESUM_ASUM] = {SS_ENTRY(name, asum, 0), SS_ENTRY(name, asum, 1)},                       \
        [SAMESUM_SUMSQ] = {SS_ENTRY(name, sumsq, 0), SS_ENTRY(name, sumsq, 1)},                    \
        [SAMESUM_DOT] = {SS_ENTRY(name, dot, 0), SS_ENTRY(name, dot, 1)},                          \
    }
#include "fixedtree/column_table.h"

const ss_backend SS_BACKEND = {
    .id = SS_BACKEND_ID,
    .slicers = &SS_SLICERS,
    .columns = &columns,
    .packers = &packers,
    .every_second = {[SAMESUM_F64] = {{e_f64_sum_0_node, e_f64_sum_1_node},
                                      {e_f64_asum_0_node, e_f64_asum_1_node},
                                      {e_f64_sumsq_0_node, e_f64_sumsq_1_node}},
                     [SAMESUM_F32] = {{e_f32_sum_0_node, e_f32_sum_1_node},
                                      {e_f32_asum_0_node, e_f32_asum_1_node},
                                      {e_f32_sumsq_0_node, e_f32_sumsq_1_node}}},
    .extremes = {[SAMESUM_F64] = k_f64_extremes,
                 [SAMESUM_F32] = k_f32_extremes,
                 [SAMESUM_F32_WIDE] = k_f32_extremes,
                 [SAMESUM_F16] = k_f16_extremes,
                 [SAMESUM_BF16] = k_bf16_extremes},
    .kernel = {[SAMESUM_F64] = SS_ROWS(k_f64),
               [SAMESUM_F32] = SS_ROWS(k_f32),
               [SAMESUM_F32_WIDE] = SS_ROWS(k_f32_wide),
               [SAMESUM_F16] = SS_ROWS(k_f16),
               [SAMESUM_BF16] = SS_ROWS(k_bf16)},
};
