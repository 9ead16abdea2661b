#include "golden_check.h"

#include <string.h>

void golden_judge(struct golden_check *check, uint64_t tolerance)
{
    char *const *old = check->old.field, *const *now = check->now.field;
    const enum dtype dtype = dtype_from_name(old[GOLDEN_TYPE]), part = dtype_row(dtype)->part;
    const bool one_type = strcmp(old[GOLDEN_TYPE], now[GOLDEN_TYPE]) == 0;
    bool differs = false, tolerated = false;
    for (int f = 0; f < GOLDEN_FIELDS; f++) {
        enum golden_distance *distance = &check->distance[f];
        char a[VALUE_TEXT], b[VALUE_TEXT];
        *distance = strcmp(old[f], now[f]) == 0 ? GOLDEN_SAME : GOLDEN_FAR;
        if (*distance == GOLDEN_SAME || f == GOLDEN_DECIMAL)
            continue;
        if (f == GOLDEN_BITS && one_type)
            *distance = golden_compare(old[f], now[f], dtype, &check->ulps[f]);
        else if ((f == GOLDEN_MIN || f == GOLDEN_MAX) && one_type && golden_bits(old[f], part, a) &&
                 golden_bits(now[f], part, b))
            *distance = golden_compare(a, b, dtype, &check->ulps[f]);
        check->moved[f] = *distance != GOLDEN_SAME;
        bool near = *distance == GOLDEN_ULPS && check->ulps[f] <= tolerance;
        tolerated = tolerated || (check->moved[f] && near);
        differs = differs || (check->moved[f] && !near);
    }
    /* the index that argmin and argmax give has no bits */
    if (strcmp(old[GOLDEN_BITS], "-") == 0 && strcmp(old[GOLDEN_DECIMAL], now[GOLDEN_DECIMAL]) != 0)
        differs = check->moved[GOLDEN_BITS] = true;
    check->verdict = differs ? GOLDEN_DIFFERS : tolerated ? GOLDEN_TOLERATED : GOLDEN_MATCHES;
}
