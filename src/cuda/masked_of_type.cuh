/* Makes the table of one type's masked kernels: include it after defining SS_TABLE_NAME and
 * SS_TABLE_FROM. */
#include "cuda/masked.cuh"

template <int AT_ONCE, int MODE, int LEVEL> static ss_launchable of_level()
{
    typedef ss_masked_of<SS_TABLE_FROM, AT_ONCE, MODE, LEVEL> M;
    return {(const void *)ss_masked_kernel<SS_TABLE_FROM, AT_ONCE, MODE, LEVEL>,
            32 * SS_MASKED_WARPS,
            (int)sizeof(typename M::stack),
            SS_MASKED_WARPS,
            M::LEAST_LOG,
            SS_MASKED_DEPTH,
            1,
            true};
}

template <int MODE, int LEVEL> static ss_launchable of_mode(bool wide)
{
    constexpr int AT_ONCE = ss_masked_at_once(sizeof(SS_TABLE_FROM::element));
    return wide ? of_level<AT_ONCE, MODE, LEVEL>() : of_level<1, MODE, LEVEL>();
}

ss_launchable SS_TABLE_NAME(bool wide, int mode, int level)
{
#define SS_ROW(MODE)                                                                               \
    {                                                                                              \
        of_mode<MODE, SAMESUM_TREE>, of_mode<MODE, SAMESUM_KAHAN>,                                 \
            of_mode<MODE, SAMESUM_COMPENSATED>                                                     \
    }
    static ss_launchable (*const table[SS_MODES][3])(bool) = {
        SS_ROW(SS_MODE_SUM), SS_ROW(SS_MODE_SQUARE), SS_ROW(SS_MODE_PRODUCT),
        SS_ROW(SS_MODE_SPREAD), SS_ROW(SS_MODE_QUOTIENT)};
#undef SS_ROW
    return table[mode][level](wide);
}
