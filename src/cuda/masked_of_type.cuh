/* Makes the table of one type's masked kernels: include it after defining SS_TABLE_NAME and
 * SS_TABLE_FROM. */
#include "cuda/masked.cuh"
#include "cuda/masked_columns.cuh"

template <int AT_ONCE, int MODE, int LEVEL> static ss_launchable of_rows()
{
    typedef ss_masked_of<SS_TABLE_FROM, AT_ONCE, MODE, LEVEL> M;
    return {(const void *)ss_masked_kernel<SS_TABLE_FROM, AT_ONCE, MODE, LEVEL>,
            32 * SS_MASKED_WARPS,
            (int)sizeof(typename M::stack),
            SS_MASKED_WARPS,
            M::LEAST_LOG,
            SS_MASKED_DEPTH,
            1,
            true,
            M::GROUPS_LOG};
}

template <int AT_ONCE, int MODE, int LEVEL> static ss_launchable of_columns()
{
    typedef ss_masked_columns_of<SS_TABLE_FROM, AT_ONCE, MODE, LEVEL> C;
    return {(const void *)ss_masked_columns_kernel<SS_TABLE_FROM, AT_ONCE, MODE, LEVEL>,
            SS_COLUMNS_THREADS,
            (int)sizeof(typename C::room),
            1,
            C::M::LOG,
            SS_COLUMNS_DEPTH,
            C::nodes::SERIES,
            true,
            0};
}

template <int MODE, int LEVEL> static ss_launchable of_way(int way)
{
    constexpr int AT_ONCE = ss_masked_at_once(sizeof(SS_TABLE_FROM::element), MODE, LEVEL);
    return way == SS_WAY_MASKED_COLUMNS ? of_columns<AT_ONCE, MODE, LEVEL>()
           : way == SS_WAY_WIDE_MASKED  ? of_rows<AT_ONCE, MODE, LEVEL>()
                                        : of_rows<1, MODE, LEVEL>();
}

ss_launchable SS_TABLE_NAME(int way, int mode, int level)
{
#define SS_ROW(MODE)                                                                               \
    {                                                                                              \
        of_way<MODE, SAMESUM_TREE>, of_way<MODE, SAMESUM_KAHAN>, of_way<MODE, SAMESUM_COMPENSATED> \
    }
    static ss_launchable (*const table[SS_MODES][3])(int) = {
        SS_ROW(SS_MODE_SUM), SS_ROW(SS_MODE_SQUARE), SS_ROW(SS_MODE_PRODUCT),
        SS_ROW(SS_MODE_SPREAD), SS_ROW(SS_MODE_QUOTIENT)};
#undef SS_ROW
    return table[mode][level](way);
}
