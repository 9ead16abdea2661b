#include "golden_statistics.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 18 }; /* elements read at a time; nothing depends on it */

/* Takes count elements into min and max, which are NaN before the first number. */
static void extend(double *min, double *max, enum dtype dtype, const char *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double v;
        if (dtype == DTYPE_F32) {
            float narrow;
            memcpy(&narrow, x + i * sizeof narrow, sizeof narrow);
            v = (double)narrow;
        } else {
            memcpy(&v, x + i * sizeof v, sizeof v);
        }
        if (isnan(v))
            continue;
        if (isnan(*min) || v < *min || (v == *min && signbit(v)))
            *min = v;
        if (isnan(*max) || v > *max || (v == *max && !signbit(v)))
            *max = v;
    }
}

void golden_statistics(struct golden_statistics *s, const struct request *r)
{
    double min = (double)NAN, max = (double)NAN;
    enum dtype dtype = DTYPE_NONE;
    for (int k = 0; k < r->file_count; k++) {
        struct input in;
        input_open(&in, r->files[k], &r->file);
        dtype = in.dtype;
        void *buffer = in.mapped ? NULL : need_memory(CHUNK * in.size);
        const void *at;
        size_t got;
        do {
            got = input_next(&in, buffer, CHUNK, &at);
            extend(&min, &max, dtype, at, got);
        } while (got == CHUNK);
        if (!in.count_known)
            in.shape = shape_of(in.position);
        if (k == 0)
            golden_shape(&in.shape, s->shape);
        free(buffer);
        input_close(&in);
    }
    value_decimal(dtype == DTYPE_F32 ? value_f32((float)min) : value_f64(min), s->min);
    value_decimal(dtype == DTYPE_F32 ? value_f32((float)max) : value_f64(max), s->max);
}
