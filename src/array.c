#include "array.h"

#include <math.h>

/* Elements of an array at most. */
#define MOST (UINT64_C(1) << 62)

/* Which axes are reduced. */
static samesum_status choose_axes(int dims, const int *axes, int axis_count, unsigned char *reduced)
{
    for (int k = 0; k < dims; k++)
        reduced[k] = axis_count == 0;
    for (int i = 0; i < axis_count; i++) {
        int k = axes[i] < 0 ? axes[i] + dims : axes[i];
        if (k < 0 || k >= dims || reduced[k])
            return SAMESUM_ERR_SHAPE;
        reduced[k] = 1;
    }
    return SAMESUM_OK;
}

samesum_status ss_array_split(const samesum_array *a, const int *axes, int axis_count,
                              ss_rows *rows)
{
    if (a->dims < 0 || a->dims > SAMESUM_MAX_DIMS || axis_count < 0)
        return SAMESUM_ERR_SHAPE;
    if ((a->dims > 0 && !a->shape) || (axis_count > 0 && !axes))
        return SAMESUM_ERR_NULL;
    if ((unsigned)a->type >= SS_ELEMENT_TYPES)
        return SAMESUM_ERR_TYPE;
    unsigned char reduced[SAMESUM_MAX_DIMS];
    samesum_status st = choose_axes(a->dims, axes, axis_count, reduced);
    if (st != SAMESUM_OK)
        return st;
    uint64_t limit = MOST; /* extents of 0 make no product small enough */
    for (int k = 0; k < a->dims; k++) {
        if (a->shape[k] > limit)
            return SAMESUM_ERR_SHAPE;
        limit /= a->shape[k] > 0 ? a->shape[k] : 1;
    }

    rows->n = rows->results = 1;
    rows->row.dims = rows->rest.dims = 0;
    const ptrdiff_t *y_strides = a->weights ? a->weights_strides : a->y_strides;
    uint64_t bytes = ss_element_bytes(a->type);
    uint64_t after = 1; /* elements of the axes further in, where there are no gaps */
    for (int k = a->dims - 1; k >= 0; k--) {
        ss_axis axis = {.extent = a->shape[k]};
        ptrdiff_t dense = (ptrdiff_t)(after * bytes);
        axis.stride[SS_X] = a->strides ? a->strides[k] : dense;
        axis.stride[SS_Y] = y_strides ? y_strides[k] : dense;
        axis.stride[SS_MASK] = a->mask_kind == SAMESUM_MASK_NONE ? 0
                               : a->mask_kind == SAMESUM_MASK_BYTES && a->mask_strides
                                   ? a->mask_strides[k]
                                   : (ptrdiff_t)after;
        if (!a->weights && !a->y)
            axis.stride[SS_Y] = 0;
        after *= axis.extent > 0 ? axis.extent : 1;
        ss_layout *layout = reduced[k] ? &rows->row : &rows->rest;
        *(reduced[k] ? &rows->n : &rows->results) *= axis.extent;
        layout->axis[SAMESUM_MAX_DIMS - ++layout->dims] = axis;
    }
    /* filled from the end; to the front */
    for (int i = 0; i < 2; i++) {
        ss_layout *layout = i ? &rows->row : &rows->rest;
        for (int k = 0; k < layout->dims; k++)
            layout->axis[k] = layout->axis[SAMESUM_MAX_DIMS - layout->dims + k];
        ss_layout_join(layout);
    }
    return SAMESUM_OK;
}

/* The missing value as a number of the elements' type. */
static double of_type(const ss_packers *packers, samesum_type type, double v)
{
    float f;
    uint16_t bits;
    switch (ss_real_type(type)) {
    case SAMESUM_F64:
        return v;
    case SAMESUM_F16:
    case SAMESUM_BF16:
        bits = ss_half_bits(type == SAMESUM_F16 ? SS_FORMAT_F16 : SS_FORMAT_BF16, v);
        packers->widen[type == SAMESUM_BF16](&bits, 1, &f);
        return f;
    default:
        return (float)v;
    }
}

samesum_status ss_array_job(const samesum_array *a, const ss_rows *rows, const ss_backend *backend,
                            const samesum_want *want, ss_job *job)
{
    int masked = a->mask_kind != SAMESUM_MASK_NONE, dot = want->op == SAMESUM_DOT;
    if ((unsigned)a->mask_kind > SAMESUM_MASK_BITS || (unsigned)a->missing > SAMESUM_MISSING_NAN ||
        (a->weights &&
         (ss_is_complex(a->type) || (want->op != SAMESUM_SUM && want->op != SAMESUM_MEAN))))
        return SAMESUM_ERR_OPTION;
    if (rows->n > 0 && rows->results > 0 && (!a->x || (dot && !a->y) || (masked && !a->mask)))
        return SAMESUM_ERR_NULL;
    ss_job_start(job, backend, want, a->type);
    job->weighted = a->weights != NULL;
    job->row.layout = &rows->row;
    job->row.n = rows->n;
    job->row.place[SS_X] = a->x;
    job->row.place[SS_Y] = a->weights ? a->weights : dot ? a->y : NULL;
    job->row.mask_kind = a->mask_kind;
    job->row.mask = a->mask;
    job->row.mask_bit = 0;
    job->row.missing = a->missing;
    job->row.missing_in[SS_X] = a->missing != SAMESUM_MISSING_NONE;
    job->row.missing_in[SS_Y] = a->missing != SAMESUM_MISSING_NONE && dot;
    job->row.missing_value = a->missing == SAMESUM_MISSING_VALUE
                                 ? of_type(backend->packers, a->type, a->missing_value)
                                 : 0;
    if (isnan(job->row.missing_value)) /* equal to nothing */
        job->row.missing = SAMESUM_MISSING_NONE;
    return SAMESUM_OK;
}
