#include "golden_statistics.h"

#include "ops.h"
#include "reduction.h"

#include <math.h>
#include <string.h>

/* Both extremes in one pass. The program has no such operation, since it prints one number each. */
static const struct operation minmax = {.name = "minmax", .op = SAMESUM_MINMAX};

/* Takes the extremes of one file into min and max, which are NaN before the first number. */
static void extend(struct value *min, struct value *max, struct reduction *d,
                   const struct request *r)
{
    reduction_run(d, r, true);
    const char *result = reduction_result(d, 0);
    struct value low = value_load(d->result_type, result);
    struct value high = value_load(d->result_type, result + dtype_row(d->result_type)->size);
    bool lower = low.number < min->number ||
                 (low.number == min->number && signbit(low.number) > signbit(min->number));
    bool higher = high.number > max->number ||
                  (high.number == max->number && signbit(high.number) < signbit(max->number));
    if (isnan(min->number) || lower)
        *min = low;
    if (isnan(max->number) || higher)
        *max = high;
}

void golden_statistics(struct golden_statistics *s, const struct request *r)
{
    /* the elements that take part, as they are */
    struct request extremes = *r;
    extremes.op = &minmax;
    extremes.file_count = 1;
    extremes.nan = SAMESUM_NAN_IGNORE;
    extremes.result_type = SAMESUM_RESULT_INPUT;
    extremes.wide = extremes.conj = false;
    extremes.weights = NULL;

    struct input in;
    input_open(&in, r->files[0], &r->file);
    const bool has_order = !dtype_is_complex(in.dtype);
    struct shape shape = in.shape;
    struct value min = {in.dtype, (double)NAN}, max = min;
    for (int k = 0; has_order && k < r->file_count; k++) {
        struct reduction d;
        extremes.files = &r->files[k];
        extend(&min, &max, &d, &extremes);
        if (!in.count_known) /* a text, whose lines have been counted now */
            shape = shape_of(d.counts[0].present + d.counts[0].masked);
        reduction_close(&d);
    }
    input_close(&in);
    golden_shape(&shape, s->shape);
    strcpy(s->min, "-");
    strcpy(s->max, "-");
    if (has_order) {
        value_decimal(min, s->min);
        value_decimal(max, s->max);
    }
}
