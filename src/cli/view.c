#include "view.h"

#include "message.h"
#include "number.h"

#include <math.h>

/* The array from the view's other members. */
static void complete(struct view *v)
{
    samesum_array *a = &v->array;
    a->shape = v->shape;
    a->x = v->at[ROLE_X];
    a->strides = v->strides[ROLE_X];
    a->y = v->at[ROLE_Y];
    a->y_strides = v->strides[ROLE_Y];
    a->weights = v->at[ROLE_WEIGHTS];
    a->weights_strides = v->strides[ROLE_WEIGHTS];
    a->mask = v->at[ROLE_MASK];
    a->mask_strides = v->strides[ROLE_MASK];
}

/* What does not depend on shapes. */
static void begin(struct view *v, const struct operands *o, samesum_type type)
{
    *v = (struct view){.array = {.type = type}, .axis = -1, .kept = -1};
    if (o->used[ROLE_MASK])
        v->array.mask_kind = SAMESUM_MASK_BYTES;
    if (!o->request->missing)
        return;
    /* straight to the type of the elements: by way of binary64 some decimals would miss it */
    enum dtype part = dtype_row(o->in[ROLE_X].dtype)->part;
    v->array.missing_value = number_from_text(o->request->missing, NULL, part);
    v->array.missing = isnan(v->array.missing_value) ? SAMESUM_MISSING_NAN : SAMESUM_MISSING_VALUE;
}

void view_line(struct view *v, const struct operands *o, samesum_type type)
{
    begin(v, o, type);
    v->array.dims = 1;
    v->shape[0] = o->shape_known ? (size_t)o->n : 0;
    /* a stride beyond the end leaves one element, however long it is */
    const int64_t limit = o->in[ROLE_X].n ? (int64_t)o->in[ROLE_X].n : 1;
    const int64_t wanted = o->request->stride;
    const int64_t stride = wanted > limit ? limit : wanted < -limit ? -limit : wanted;
    for (int k = 0; k < ROLES; k++) {
        const struct input *in = &o->in[k];
        if (!o->used[k])
            continue;
        v->strides[k][0] = (ptrdiff_t)in->size * (in->mapped ? stride : 1);
        v->at[k] = in->mapped ? in->data : NULL;
        if (stride < 0 && v->at[k])
            v->at[k] += (in->n - 1) * in->size;
    }
    complete(v);
}

/* Axes of one index, of which the library needs none, are left out, unless one is to be reduced. */
static void set_axes(struct view *v, const struct operands *o)
{
    ptrdiff_t strides[ROLES][MAX_DIMENSIONS] = {{0}};
    for (int k = 0; k < ROLES; k++)
        if (o->used[k] && (k != ROLE_WEIGHTS || !o->spread))
            input_strides(&o->in[k], strides[k]);
    if (o->spread)
        strides[ROLE_WEIGHTS][o->axis] = (ptrdiff_t)o->in[ROLE_WEIGHTS].size;
    int dims = 0;
    for (int d = 0; d < o->shape.dimensions; d++) {
        if (o->shape.extent[d] == 1 && d != o->axis)
            continue;
        if (dims == SAMESUM_MAX_DIMS)
            die_bad("%s: more than %d axes", o->in[ROLE_X].name, SAMESUM_MAX_DIMS);
        if (d == o->axis)
            v->axis = dims;
        else if (v->kept < 0)
            v->kept = dims;
        v->shape[dims] = (size_t)o->shape.extent[d];
        for (int k = 0; k < ROLES; k++)
            v->strides[k][dims] = strides[k][d];
        dims++;
    }
    v->array.dims = dims;
}

void view_whole(struct view *v, const struct operands *o, samesum_type type)
{
    if (o->axis < 0 && operands_in_c_order(o)) {
        view_line(v, o, type);
        return;
    }
    begin(v, o, type);
    set_axes(v, o);
    for (int k = 0; k < ROLES; k++)
        if (o->used[k])
            v->at[k] = o->in[k].data;
    complete(v);
}

void view_part(struct view *part, const struct view *v, int axis, uint64_t begin_index,
               uint64_t count, const void *const buffer[ROLES])
{
    *part = *v;
    part->shape[axis] = (size_t)count;
    for (int k = 0; k < ROLES; k++)
        if (buffer && buffer[k])
            part->at[k] = buffer[k];
        else if (part->at[k])
            part->at[k] += (ptrdiff_t)begin_index * part->strides[k][axis];
    complete(part);
}
