#include "cuts.h"

#include "elements.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

struct cuts cuts_among(size_t n, int ranks)
{
    struct cuts c = {{0}};
    const size_t p = (size_t)ranks;
    switch (random_below(4)) {
    case 0: /* evenly */
        for (size_t r = 1; r < p; r++)
            c.at[r] = n * r / p;
        break;
    case 1: /* all on one */
        for (size_t r = 1 + random_below(p); r < p; r++)
            c.at[r] = n;
        break;
    default: /* anywhere; sorted */
        for (size_t r = 1; r < p; r++) {
            size_t cut = random_below(n + 1), at = r;
            for (; at > 1 && c.at[at - 1] > cut; at--)
                c.at[at] = c.at[at - 1];
            c.at[at] = cut;
        }
        for (size_t r = 1; r < p; r++) /* and some ranks empty */
            if (random_below(4) == 0)
                c.at[r] = c.at[r - 1];
    }
    c.at[p] = n;
    return c;
}

/* Strides of an array without gaps, of elements of so many bytes. */
static void dense(ptrdiff_t *strides, const samesum_array *a, size_t bytes)
{
    ptrdiff_t stride = (ptrdiff_t)bytes;
    for (int k = a->dims - 1; k >= 0; k--) {
        strides[k] = stride;
        stride *= (ptrdiff_t)(a->shape[k] > 0 ? a->shape[k] : 1);
    }
}

/* The place of an operand's part, whose strides are then known. */
static const void *cut(struct part *part, int which, const samesum_array *whole, const void *place,
                       const ptrdiff_t *given, size_t bytes, int axis, size_t begin)
{
    ptrdiff_t *strides = part->strides[which];
    if (!place)
        return NULL;
    if (given)
        memcpy(strides, given, (size_t)whole->dims * sizeof *strides);
    else
        dense(strides, whole, bytes);
    return (const char *)place + (ptrdiff_t)begin * strides[axis];
}

/* The bits of the part's elements in logical order. */
static void cut_bits(struct part *part, const samesum_array *whole, int axis, size_t begin)
{
    const unsigned char *from = whole->mask;
    size_t inner = 1, outer = 1, count = part->shape[axis], to = 0;
    for (int k = 0; k < whole->dims; k++)
        *(k < axis ? &outer : &inner) *= k == axis ? 1 : whole->shape[k];
    part->bits = calloc(1, outer * count * inner / 8 + 1);
    ck_assert(part->bits != NULL);
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < count * inner; i++, to++) {
            size_t bit = (o * whole->shape[axis] + begin) * inner + i;
            part->bits[to / 8] |= (unsigned char)((from[bit / 8] >> bit % 8 & 1) << to % 8);
        }
    part->array.mask = part->bits;
}

void part_make(struct part *p, const samesum_array *whole, int axis, size_t begin, size_t count)
{
    const size_t bytes = element_bytes(whole->type);
    *p = (struct part){.array = *whole};
    axis = axis < 0 ? axis + whole->dims : axis;
    memcpy(p->shape, whole->shape, (size_t)whole->dims * sizeof *p->shape);
    p->shape[axis] = count;
    samesum_array *a = &p->array;
    a->shape = p->shape;
    a->x = cut(p, 0, whole, whole->x, whole->strides, bytes, axis, begin);
    a->strides = p->strides[0];
    a->y = cut(p, 1, whole, whole->y, whole->y_strides, bytes, axis, begin);
    a->y_strides = whole->y ? p->strides[1] : NULL;
    if (whole->weights) {
        a->weights = cut(p, 1, whole, whole->weights, whole->weights_strides, bytes, axis, begin);
        a->weights_strides = p->strides[1];
    }
    if (whole->mask_kind == SAMESUM_MASK_BITS) {
        cut_bits(p, whole, axis, begin);
    } else if (whole->mask_kind == SAMESUM_MASK_BYTES) {
        a->mask = cut(p, 2, whole, whole->mask, whole->mask_strides, 1, axis, begin);
        a->mask_strides = p->strides[2];
    }
}

void part_free(struct part *p)
{
    free(p->bits);
}
