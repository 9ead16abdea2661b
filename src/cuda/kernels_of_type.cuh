/* Makes the table of one type's kernels: include it after defining SS_TABLE_NAME and SS_TABLE_FROM.
 */
#include "cuda/columns.cuh"
#include "cuda/direct.cuh"
#include "cuda/kernels.h"
#include "cuda/short.cuh"

template <int KIND, int LEVEL> static ss_launchable of_way(int way)
{
    typedef ss_direct<SS_TABLE_FROM, KIND> D;
    if (way == SS_WAY_COLUMNS) {
        if constexpr (KIND != SS_KIND_PRODUCT)
            return {ss_columns_kernel<SS_TABLE_FROM, KIND, LEVEL>,
                    SS_COLUMNS_THREADS,
                    0,
                    1,
                    SS_COLUMNS_LOG,
                    SS_COLUMNS_DEPTH};
    }
    return {way == SS_WAY_SHORT ? ss_short_kernel<SS_TABLE_FROM, KIND, LEVEL>
                                : ss_direct_kernel<SS_TABLE_FROM, KIND, LEVEL>,
            SS_DIRECT_WARPS * 32,
            D::SHARED,
            SS_DIRECT_WARPS,
            D::STAGE_LOG,
            SS_DIRECT_DEPTH};
}

ss_launchable SS_TABLE_NAME(int way, int kind, int level)
{
#define SS_ROW(KIND)                                                                               \
    {                                                                                              \
        of_way<KIND, SAMESUM_TREE>, of_way<KIND, SAMESUM_KAHAN>, of_way<KIND, SAMESUM_COMPENSATED> \
    }
    static ss_launchable (*const table[3][3])(int) = {
        SS_ROW(SS_KIND_LINEAR), SS_ROW(SS_KIND_SQUARE), SS_ROW(SS_KIND_PRODUCT)};
#undef SS_ROW
    return table[kind][level](way);
}
