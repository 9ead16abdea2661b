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

#define SS_RUN(name, pair)                                                                         \
    static void name##_run_##pair(samesum_op op, const char *x, ptrdiff_t row, int rows,           \
                                  size_t width, const char *next, const ss_meet *meet)             \
    {                                                                                              \
        name##_run((ss_leaf)op, pair, x, row, rows, width, next, meet);                            \
    }
#define SS_BRIEF(name, level, pair, pair2)                                                         \
    static void name##_brief_##level(samesum_op op, const char *x, ptrdiff_t stride, int n,        \
                                     size_t series, void *results)                                 \
    {                                                                                              \
        name##_brief((ss_leaf)op, pair, pair2, x, stride, n, series, results);                     \
    }
#define SS_RUNS(name)                                                                              \
    SS_RUN(name, 0)                                                                                \
    SS_RUN(name, 1)                                                                                \
    SS_BRIEF(name, tree, 0, 0)                                                                     \
    SS_BRIEF(name, kahan, 0, 1)                                                                    \
    SS_BRIEF(name, compensated, 1, 1)
SS_RUNS(c_f64)
SS_RUNS(c_f32)
SS_RUNS(c_f32_wide)
SS_RUNS(c_f16)
SS_RUNS(c_bf16)

#define SS_RUN_PAIRS(name)                                                                         \
    {                                                                                              \
        name##_run_0, name##_run_1                                                                 \
    }
#define SS_BRIEF_LEVELS(name)                                                                      \
    {                                                                                              \
        name##_brief_tree, name##_brief_kahan, name##_brief_compensated                            \
    }
static const ss_columns columns = {
    .brief = {[SAMESUM_F64] = SS_BRIEF_LEVELS(c_f64),
              [SAMESUM_F32] = SS_BRIEF_LEVELS(c_f32),
              [SAMESUM_F32_WIDE] = SS_BRIEF_LEVELS(c_f32_wide),
              [SAMESUM_F16] = SS_BRIEF_LEVELS(c_f16),
              [SAMESUM_BF16] = SS_BRIEF_LEVELS(c_bf16)},
    .run = {[SAMESUM_F64] = SS_RUN_PAIRS(c_f64),
            [SAMESUM_F32] = SS_RUN_PAIRS(c_f32),
            [SAMESUM_F32_WIDE] = SS_RUN_PAIRS(c_f32_wide),
            [SAMESUM_F16] = SS_RUN_PAIRS(c_f16),
            [SAMESUM_BF16] = SS_RUN_PAIRS(c_bf16)},
    .combine = {{f32_combine_columns_plain, f32_combine_columns_pair},
                {f64_combine_columns_plain, f64_combine_columns_pair}},
    .finish = {{f32_finish_columns_plain, f32_finish_columns_pair},
               {f64_finish_columns_plain, f64_finish_columns_pair}},
};
