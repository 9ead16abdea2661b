#include "view/layout.h"

/* Whether stepping along outer is stepping past the end of inner, everywhere. */
static int are_one(const ss_axis *outer, const ss_axis *inner)
{
    for (int p = 0; p < SS_PLACES; p++)
        if ((size_t)outer->stride[p] != inner->extent * (size_t)inner->stride[p])
            return 0;
    return 1;
}

void ss_layout_join(ss_layout *layout)
{
    int dims = 0;
    for (int k = 0; k < layout->dims; k++) {
        ss_axis next = layout->axis[k];
        if (next.extent == 1)
            continue;
        if (dims > 0 && are_one(&layout->axis[dims - 1], &next)) {
            next.extent *= layout->axis[dims - 1].extent;
            dims--;
        }
        layout->axis[dims++] = next;
    }
    if (dims == 0)
        layout->axis[dims++] = (ss_axis){.extent = 1};
    layout->dims = dims;
}

void ss_walk_start(ss_walk *walk, const ss_layout *layout, uint64_t element)
{
    walk->layout = layout;
    for (int p = 0; p < SS_PLACES; p++)
        walk->offset[p] = 0;
    for (int k = layout->dims - 1; k >= 0; k--) {
        const ss_axis *axis = &layout->axis[k];
        uint64_t i = element;
        if (k > 0) {
            element /= axis->extent;
            i -= element * axis->extent;
        }
        walk->index[k] = (size_t)i;
        for (int p = 0; p < SS_PLACES; p++)
            walk->offset[p] += (ptrdiff_t)i * axis->stride[p];
    }
}

void ss_walk_step(ss_walk *walk, size_t n)
{
    const ss_layout *layout = walk->layout;
    for (int k = layout->dims - 1; k >= 0; k--) {
        const ss_axis *axis = &layout->axis[k];
        walk->index[k] += n;
        for (int p = 0; p < SS_PLACES; p++)
            walk->offset[p] += (ptrdiff_t)n * axis->stride[p];
        if (walk->index[k] < axis->extent || k == 0)
            return;
        walk->index[k] = 0; /* and one further along the axis before it */
        for (int p = 0; p < SS_PLACES; p++)
            walk->offset[p] -= (ptrdiff_t)axis->extent * axis->stride[p];
        n = 1;
    }
}
