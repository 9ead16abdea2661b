/* reduction_counts.c - what the results of a reduction were made of. */
#include "reduction_ways.h"

/* The index in the file of an element of a row. */
static uint64_t index_in_file(const struct operands *o, size_t row, uint64_t in_row)
{
    if (o->axis < 0)
        return in_row;
    uint64_t inner = 1;
    for (int k = o->axis + 1; k < o->shape.dimensions; k++)
        inner *= o->shape.extent[k];
    return (row / inner * o->shape.extent[o->axis] + in_row) * inner + row % inner;
}

static bool has_value(const samesum_want *want, uint64_t present)
{
    switch (want->op) {
    case SAMESUM_MEAN:
    case SAMESUM_MIN:
    case SAMESUM_MAX:
    case SAMESUM_MINMAX:
        return present > 0;
    case SAMESUM_VAR:
    case SAMESUM_STD:
        return present > want->ddof;
    default:
        return true;
    }
}

void reduction_take_counts(struct reduction *d, size_t row, const samesum_counts *counts)
{
    const struct operands *o = &d->operands;
    for (int k = 0; k < 2; k++) {
        struct nonfinite found = {counts->nonfinite[k], counts->first[k]};
        if (found.count == 0)
            continue;
        bool again = k == 1 && o->spread; /* each row meets the same weights */
        if (!again)
            found.first = index_in_file(o, row, found.first);
        else if (d->nonfinite[k].count >= found.count)
            found.count = 0;
        else
            found.count -= d->nonfinite[k].count;
        if (d->nonfinite[k].count && d->nonfinite[k].first < found.first)
            found.first = d->nonfinite[k].first;
        d->nonfinite[k].first = found.first;
        d->nonfinite[k].count += found.count;
    }
    if (!has_value(&d->want, counts->present) && d->short_rows++ == 0)
        d->first_short = row;
    if (d->counts)
        d->counts[row] = *counts;
}
