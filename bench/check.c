/* check.c - the same sums a second way: a row's elements, converted one by one and laid side by
 * side, go through a state of the accumulator's type in pieces. */
#include "arrays.h"

#include <stdint.h>
#include <string.h>

enum { ROWS = 32, PIECE = 4096 };

typedef struct view {
    const unsigned char *x, *y; /* the first element of the row */
    ptrdiff_t step;
    size_t n;
} view;

static view row_of(const bench_array *a, size_t r)
{
    const samesum_array *array = &a->array;
    ptrdiff_t size = (ptrdiff_t)samesum_element_size(array->type), gap = size, at = 0;
    view v = {.step = size};
    if (a->offsets) {
        at = (ptrdiff_t)a->offsets[r] * size;
        v.n = a->offsets[r + 1] - a->offsets[r];
    }
    for (int d = array->dims - 1; d >= 0 && !a->offsets; d--) {
        ptrdiff_t stride = array->strides ? array->strides[d] : gap;
        gap *= (ptrdiff_t)array->shape[d];
        if (d == a->axis) {
            v.n = array->shape[d];
            v.step = stride;
        } else {
            at += (ptrdiff_t)(r % array->shape[d]) * stride;
            r /= array->shape[d];
        }
    }
    v.x = (const unsigned char *)array->x + at;
    v.y = array->y ? (const unsigned char *)array->y + at : NULL;
    return v;
}

/* binary16 is normal here: bench_fill() makes no others. */
static double load(samesum_type type, const unsigned char *p)
{
    double wide;
    float narrow;
    uint16_t half;
    switch (type) {
    case SAMESUM_F64:
    case SAMESUM_C128:
        memcpy(&wide, p, sizeof wide);
        return wide;
    case SAMESUM_F16:
    case SAMESUM_BF16: {
        memcpy(&half, p, sizeof half);
        uint32_t bits = (uint32_t)half << 16;
        if (type == SAMESUM_F16)
            bits = (bits & 0x80000000u) | (((bits & 0x7fffffffu) >> 3) + (112u << 23));
        memcpy(&narrow, &bits, sizeof narrow);
        return (double)narrow;
    }
    default:
        memcpy(&narrow, p, sizeof narrow);
        return (double)narrow;
    }
}

typedef union piece {
    double f64[PIECE];
    float f32[PIECE];
} piece;

static void store(bool wide, piece *p, size_t i, double value)
{
    if (wide)
        p->f64[i] = value;
    else
        p->f32[i] = (float)value;
}

/* An element of a real array as a sum sees it: absent ones as -0.0, which changes no sum. */
static double element(const samesum_array *array, const view *v, size_t i)
{
    double value = load(array->type, v->x + (ptrdiff_t)i * v->step);
    bool absent = array->mask && !((const unsigned char *)array->mask)[i];
    if (array->missing)
        absent |= value == (double)(float)array->missing_value;
    return absent ? -0.0 : value;
}

/* The row's result, or one part (0: real, 1: imaginary) of a complex one. A complex sum is one of
 * every second number; a complex dot product pairs all numbers of x with those of y, signs and
 * order as SPEC.md, section 6, has it for that part. */
static samesum_status second_way(const bench_call *call, view v, bool complex, int part,
                                 void *result)
{
    static piece xs, ys;
    const samesum_array *array = &call->array->array;
    bool wide = array->type == SAMESUM_F64 || array->type == SAMESUM_C128;
    samesum_want want = {.op = call->op, .level = call->level, .threads = 1};
    samesum_state *state;
    samesum_status status =
        samesum_state_create(&state, &want, wide ? SAMESUM_F64 : SAMESUM_F32, 0);
    if (status < 0)
        return status;
    bool dot = call->op == SAMESUM_DOT;
    ptrdiff_t number = v.step / 2; /* of a complex element */
    if (complex && !dot)
        v.x += part * number;
    if (complex && dot) {
        v.step = number;
        v.n *= 2;
    }
    for (size_t i = 0; i < v.n && status >= 0;) {
        size_t k = 0;
        for (; k < PIECE && i < v.n; k++, i++) {
            store(wide, &xs, k, element(array, &v, i));
            if (!dot)
                continue;
            size_t other = complex && part ? i ^ 1 : i;
            double y = load(array->type, v.y + (ptrdiff_t)other * v.step);
            store(wide, &ys, k, complex && !part && i % 2 ? -y : y);
        }
        status = samesum_state_update(state, &xs, dot ? &ys : NULL, k);
    }
    if (status >= 0)
        status = samesum_state_finish(state, result);
    samesum_state_destroy(state);
    return status;
}

bool bench_check(const bench_call *call)
{
    const bench_array *a = call->array;
    size_t rows = a->segments, size = samesum_result_size(call->type);
    if (!a->offsets && samesum_array_results(&a->array, &a->axis, 1, &rows) < 0)
        return false;
    bool complex = call->type == SAMESUM_C64 || call->type == SAMESUM_C128;
    size_t parts = complex ? 2 : 1, checked = rows < ROWS ? rows : ROWS;
    for (size_t k = 0; k < checked; k++) {
        size_t r = checked > 1 ? k * (rows - 1) / (checked - 1) : 0;
        for (size_t part = 0; part < parts; part++) {
            union {
                double f64;
                float f32;
            } value = {0};
            const unsigned char *given = (const unsigned char *)a->results;
            if (second_way(call, row_of(a, r), complex, (int)part, &value) < 0 ||
                memcmp(given + (r * parts + part) * size, &value, size) != 0)
                return false;
        }
    }
    return true;
}
