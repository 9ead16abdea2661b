/* Makes the table of one type's kernels: include it after defining SS_TABLE_NAME and SS_TABLE_FROM.
 */
#include "cuda/columns.cuh"
#include "cuda/direct.cuh"
#include "cuda/kernels.h"
#include "cuda/short.cuh"

template <int KIND, int LEVEL> static ss_launchable of_columns()
{
    constexpr int AT_ONCE = ss_at_once(sizeof(SS_TABLE_FROM::element));
    typedef ss_columns_of<SS_TABLE_FROM, AT_ONCE, LEVEL> C;
    return {(const void *)ss_columns_kernel<SS_TABLE_FROM, AT_ONCE, KIND, LEVEL>,
            SS_COLUMNS_THREADS,
            (int)sizeof(typename C::room),
            1,
            C::LOG,
            SS_COLUMNS_DEPTH,
            C::nodes::SERIES};
}

template <int KIND, int LEVEL> static ss_launchable of_way(int way)
{
    typedef ss_tile_of<SS_TABLE_FROM, KIND> T;
    if constexpr (KIND != SS_KIND_PRODUCT) {
        if (way == SS_WAY_COLUMNS)
            return of_columns<KIND, LEVEL>();
    }
    if (way == SS_WAY_SHORT)
        return {(const void *)ss_short_kernel<SS_TABLE_FROM, KIND, LEVEL>,
                SS_SHORT_WARPS * 32,
                ss_short<SS_TABLE_FROM, KIND>::SHARED,
                SS_SHORT_WARPS,
                0,
                0,
                1};
    return {way == SS_WAY_EVEN   ? (const void *)ss_even_kernel<SS_TABLE_FROM, KIND, LEVEL>
            : way == SS_WAY_TILE ? (const void *)ss_tile_kernel<SS_TABLE_FROM, KIND, LEVEL>
                                 : (const void *)ss_direct_kernel<SS_TABLE_FROM, KIND, LEVEL>,
            SS_DIRECT_WARPS * 32,
            0,
            SS_DIRECT_WARPS,
            T::LOG,
            SS_DIRECT_DEPTH,
            1};
}

ss_launchable SS_TABLE_NAME(int way, int kind, int level)
{
#define SS_ROW(KIND)                                                                               \
    {                                                                                              \
        of_way<KIND, SAMESUM_TREE>, of_way<KIND, SAMESUM_KAHAN>, of_way<KIND, SAMESUM_COMPENSATED> \
    }
    static ss_launchable (*const table[SS_KINDS][3])(int) = {
        SS_ROW(SS_KIND_SUM), SS_ROW(SS_KIND_ABS), SS_ROW(SS_KIND_SQUARE), SS_ROW(SS_KIND_PRODUCT)};
#undef SS_ROW
    return table[kind][level](way);
}
