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
#undef SS_T
#undef SS_C

#define SS_RUN(name, leaf, LEAF, pair)                                                             \
    static void name##_##leaf##_##pair(const char *x, ptrdiff_t row, int rows, size_t width,       \
                                       const char *next, const ss_meet *meet)                      \
    {                                                                                              \
        name##_run(LEAF, pair, x, row, rows, width, next, meet);                                   \
    }
#define SS_RUNS(name)                                                                              \
    SS_RUN(name, sum, SS_LEAF_SUM, 0)                                                              \
    SS_RUN(name, sum, SS_LEAF_SUM, 1)                                                              \
    SS_RUN(name, asum, SS_LEAF_ASUM, 0)                                                            \
    SS_RUN(name, asum, SS_LEAF_ASUM, 1)                                                            \
    SS_RUN(name, sumsq, SS_LEAF_SUMSQ, 0)                                                          \
    SS_RUN(name, sumsq, SS_LEAF_SUMSQ, 1)
SS_RUNS(c_f64)
SS_RUNS(c_f32)
SS_RUNS(c_f32_wide)

#define SS_RUN_ROWS(name)                                                                          \
    {                                                                                              \
        [SAMESUM_SUM] = {name##_sum_0, name##_sum_1},                                              \
        [SAMESUM_ASUM] = {name##_asum_0, name##_asum_1},                                           \
        [SAMESUM_SUMSQ] = {name##_sumsq_0, name##_sumsq_1},                                        \
    }
static const ss_columns columns = {
    .run = {[SAMESUM_F64] = SS_RUN_ROWS(c_f64),
            [SAMESUM_F32] = SS_RUN_ROWS(c_f32),
            [SAMESUM_F32_WIDE] = SS_RUN_ROWS(c_f32_wide)},
    .combine = {{f32_combine_columns_plain, f32_combine_columns_pair},
                {f64_combine_columns_plain, f64_combine_columns_pair}},
    .finish = {{f32_finish_columns_plain, f32_finish_columns_pair},
               {f64_finish_columns_plain, f64_finish_columns_pair}},
};
