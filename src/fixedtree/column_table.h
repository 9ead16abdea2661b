/* One backend's ss_columns: include it where node.h has been included for both accumulator types.
 */
#include <float.h>
#include <math.h>

#define SS_T f64
#define SS_C double
#include "fixedtree/column_nodes.h"
#define SS_NAME c_f64
#define SS_ELEM double
#define SS_LOAD f64_load
#include "fixedtree/column_kernel.h"
#define SS_NAME c_f32_wide
#define SS_ELEM float
#define SS_LOAD f64_load_f32
#include "fixedtree/column_kernel.h"
#undef SS_T
#undef SS_C

#define SS_T f32
#define SS_C float
#include "fixedtree/column_nodes.h"
#define SS_NAME c_f32
#define SS_ELEM float
#define SS_LOAD f32_load
#include "fixedtree/column_kernel.h"
#define SS_NAME c_f16
#define SS_ELEM uint16_t
#define SS_LOAD f32_load_f16
#include "fixedtree/column_kernel.h"
#define SS_NAME c_bf16
#define SS_ELEM uint16_t
#define SS_LOAD f32_load_bf16
#include "fixedtree/column_kernel.h"
#undef SS_T
#undef SS_C

#define SS_RUN(name, leaf, LEAF, pair)                                                             \
    static void name##_##leaf##_##pair(const char *x, ptrdiff_t row, int rows, size_t width,       \
                                       const char *next, const ss_meet *meet)                      \
    {                                                                                              \
        name##_run(LEAF, pair, x, row, rows, width, next, meet);                                   \
    }
#define SS_BRIEF(name, leaf, LEAF, level, pair, pair2)                                             \
    static void name##_##leaf##_brief_##level(const char *x, ptrdiff_t stride, int n,              \
                                              size_t series, void *results)                        \
    {                                                                                              \
        name##_brief(LEAF, pair, pair2, x, stride, n, series, results);                            \
    }
#define SS_BRIEFS(name, leaf, LEAF)                                                                \
    SS_BRIEF(name, leaf, LEAF, tree, 0, 0)                                                         \
    SS_BRIEF(name, leaf, LEAF, kahan, 0, 1)                                                        \
    SS_BRIEF(name, leaf, LEAF, compensated, 1, 1)
#define SS_RUNS(name)                                                                              \
    SS_RUN(name, sum, SS_LEAF_SUM, 0)                                                              \
    SS_RUN(name, sum, SS_LEAF_SUM, 1)                                                              \
    SS_RUN(name, asum, SS_LEAF_ASUM, 0)                                                            \
    SS_RUN(name, asum, SS_LEAF_ASUM, 1)                                                            \
    SS_RUN(name, sumsq, SS_LEAF_SUMSQ, 0)                                                          \
    SS_RUN(name, sumsq, SS_LEAF_SUMSQ, 1)                                                          \
    SS_BRIEFS(name, sum, SS_LEAF_SUM)                                                              \
    SS_BRIEFS(name, asum, SS_LEAF_ASUM)                                                            \
    SS_BRIEFS(name, sumsq, SS_LEAF_SUMSQ)
SS_RUNS(c_f64)
SS_RUNS(c_f32)
SS_RUNS(c_f32_wide)
SS_RUNS(c_f16)
SS_RUNS(c_bf16)

#define SS_RUN_ROWS(name)                                                                          \
    {                                                                                              \
        [SAMESUM_SUM] = {name##_sum_0, name##_sum_1},                                              \
        [SAMESUM_ASUM] = {name##_asum_0, name##_asum_1},                                           \
        [SAMESUM_SUMSQ] = {name##_sumsq_0, name##_sumsq_1},                                        \
    }
#define SS_BRIEF_LEVELS(name, leaf)                                                                \
    {                                                                                              \
        name##_##leaf##_brief_tree, name##_##leaf##_brief_kahan, name##_##leaf##_brief_compensated \
    }
#define SS_BRIEF_ROWS(name)                                                                        \
    {                                                                                              \
        [SAMESUM_SUM] = SS_BRIEF_LEVELS(name, sum), [SAMESUM_ASUM] = SS_BRIEF_LEVELS(name, asum),  \
        [SAMESUM_SUMSQ] = SS_BRIEF_LEVELS(name, sumsq),                                            \
    }
static const ss_columns columns = {
    .brief = {[SAMESUM_F64] = SS_BRIEF_ROWS(c_f64),
              [SAMESUM_F32] = SS_BRIEF_ROWS(c_f32),
              [SAMESUM_F32_WIDE] = SS_BRIEF_ROWS(c_f32_wide),
              [SAMESUM_F16] = SS_BRIEF_ROWS(c_f16),
              [SAMESUM_BF16] = SS_BRIEF_ROWS(c_bf16)},
    .run = {[SAMESUM_F64] = SS_RUN_ROWS(c_f64),
            [SAMESUM_F32] = SS_RUN_ROWS(c_f32),
            [SAMESUM_F32_WIDE] = SS_RUN_ROWS(c_f32_wide),
            [SAMESUM_F16] = SS_RUN_ROWS(c_f16),
            [SAMESUM_BF16] = SS_RUN_ROWS(c_bf16)},
    .combine = {{f32_combine_columns_plain, f32_combine_columns_pair},
                {f64_combine_columns_plain, f64_combine_columns_pair}},
    .finish = {{f32_finish_columns_plain, f32_finish_columns_pair},
               {f64_finish_columns_plain, f64_finish_columns_pair}},
};
