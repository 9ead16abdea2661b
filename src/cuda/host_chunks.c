#include "cuda/host_chunks.h"

#include <pthread.h>
#include <string.h>

/* ---- arrays and parts of them -----------------------------------------------------------------
 */

static void make_operand(ss_host_array *h, int place, const void *at, const ptrdiff_t *strides,
                         size_t bytes, size_t unit)
{
    ss_host_operand *o = &h->operand[place];
    size_t dense = bytes;
    *o = (ss_host_operand){.at = at, .bytes = bytes, .unit = unit};
    for (int k = h->dims - 1; k >= 0; k--) {
        o->stride[k] = strides ? strides[k] : (ptrdiff_t)dense;
        dense *= h->shape[k];
    }
}

void ss_host_array_make(ss_host_array *h, const samesum_array *a, const samesum_want *want)
{
    const size_t bytes = samesum_element_size(a->type);
    const int is_complex = a->type == SAMESUM_C64 || a->type == SAMESUM_C128;
    const size_t unit = is_complex ? bytes / 2 : bytes;
    h->dims = a->dims;
    h->elements = 1;
    h->described = *a;
    for (int k = 0; k < a->dims; k++) {
        h->shape[k] = a->shape[k];
        h->elements *= a->shape[k];
    }
    make_operand(h, SS_X, a->x, a->strides, bytes, unit);
    if (a->weights)
        make_operand(h, SS_Y, a->weights, a->weights_strides, bytes, unit);
    else
        make_operand(h, SS_Y, want->op == SAMESUM_DOT ? a->y : NULL, a->y_strides, bytes, unit);
    const int bits = a->mask_kind == SAMESUM_MASK_BITS;
    make_operand(h, SS_MASK, a->mask_kind == SAMESUM_MASK_NONE ? NULL : a->mask,
                 bits ? NULL : a->mask_strides, 1, 1);
    h->operand[SS_MASK].bits = bits;
}

/* How far apart the elements of indices 0 and i of an axis are: bytes, or bits. */
static ptrdiff_t along(const ss_host_operand *o, int axis, uint64_t i)
{
    return (ptrdiff_t)i * o->stride[axis];
}

void ss_host_cut(ss_host_array *part, const ss_host_array *h, int axis, size_t first, size_t count)
{
    *part = *h;
    part->shape[axis] = count;
    part->elements = h->elements / h->shape[axis] * count;
    for (int p = 0; p < SS_PLACES; p++) {
        ss_host_operand *o = &part->operand[p];
        if (!o->at)
            continue;
        if (o->bits)
            o->first_bit += along(o, axis, first);
        else
            o->at += along(o, axis, first);
    }
}

size_t ss_host_element_bytes(const ss_host_array *h)
{
    size_t bytes = 0;
    for (int p = 0; p < SS_PLACES; p++)
        bytes += h->operand[p].at ? h->operand[p].bytes : 0;
    return bytes;
}

/* ---- packing ----------------------------------------------------------------------------------
 */

/* The axes of one operand, neighbours that make one joined; at least one. */
typedef struct axes {
    int dims;
    size_t extent[SAMESUM_MAX_DIMS];
    ptrdiff_t stride[SAMESUM_MAX_DIMS];
} axes;

static void join(axes *a, const ss_host_array *h, const ss_host_operand *o)
{
    a->dims = 0;
    for (int k = 0; k < h->dims; k++) {
        const size_t extent = h->shape[k];
        const int last = a->dims - 1;
        if (extent == 1)
            continue;
        if (last >= 0 && a->stride[last] == (ptrdiff_t)extent * o->stride[k]) {
            a->extent[last] *= extent;
            a->stride[last] = o->stride[k];
        } else {
            a->extent[a->dims] = extent;
            a->stride[a->dims++] = o->stride[k];
        }
    }
    if (a->dims == 0) {
        a->extent[0] = 1;
        a->stride[0] = (ptrdiff_t)o->bytes;
        a->dims = 1;
    }
}

/* Elements at equal distances, one after the other. */
#define GATHER(BYTES)                                                                              \
    case BYTES:                                                                                    \
        for (size_t i = 0; i < n; i++)                                                             \
            memcpy(to + i * BYTES, from + (ptrdiff_t)i * stride, BYTES);                           \
        break
static void gather(char *to, const char *from, ptrdiff_t stride, size_t n, size_t bytes)
{
    if (stride == (ptrdiff_t)bytes) {
        memcpy(to, from, n * bytes);
        return;
    }
    switch (bytes) {
        GATHER(1);
        GATHER(2);
        GATHER(4);
        GATHER(8);
        GATHER(16);
    }
}
#undef GATHER

static void gather_bits(char *to, const char *bits, ptrdiff_t from, ptrdiff_t stride, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const ptrdiff_t bit = from + (ptrdiff_t)i * stride;
        to[i] = (char)((unsigned char)bits[bit / 8] >> bit % 8 & 1);
    }
}

/* What one thread packs. */
typedef struct part {
    const ss_host_operand *operand;
    const axes *axes;
    uint64_t first;
    size_t count;
    char *to;
} part;

static void *pack_part(void *argument)
{
    const part *p = argument;
    const ss_host_operand *o = p->operand;
    const axes *a = p->axes;
    const int last = a->dims - 1;
    size_t index[SAMESUM_MAX_DIMS];
    ptrdiff_t offset = o->first_bit;
    uint64_t element = p->first;
    for (int k = last; k >= 0; k--) {
        index[k] = k ? (size_t)(element % a->extent[k]) : (size_t)element;
        element /= a->extent[k];
        offset += (ptrdiff_t)index[k] * a->stride[k];
    }
    char *to = p->to;
    for (size_t left = p->count; left > 0;) {
        const size_t rest = a->extent[last] - index[last], run = rest < left ? rest : left;
        if (o->bits)
            gather_bits(to, o->at, offset, a->stride[last], run);
        else
            gather(to, o->at + offset, a->stride[last], run, o->bytes);
        to += run * o->bytes;
        left -= run;
        index[last] += run;
        offset += (ptrdiff_t)run * a->stride[last];
        for (int k = last; k > 0 && index[k] == a->extent[k]; k--) { /* on to the next line */
            offset += a->stride[k - 1] - (ptrdiff_t)a->extent[k] * a->stride[k];
            index[k] = 0;
            index[k - 1]++;
        }
    }
    return NULL;
}

enum {
    MOST_THREADS = 16,
    THREAD_BYTES = 1 << 20 /* less is not worth a thread */
};

/* Threads of their own, since after fork() those of OpenMP may be missing. */
static void pack_all(const ss_host_operand *o, const axes *a, uint64_t first, size_t count,
                     char *to, int threads)
{
    size_t parts = count * o->bytes / THREAD_BYTES + 1;
    const size_t most = threads < 1 ? 1 : threads < MOST_THREADS ? (size_t)threads : MOST_THREADS;
    parts = parts < most ? parts : most;
    part work[MOST_THREADS];
    pthread_t thread[MOST_THREADS];
    int started[MOST_THREADS];
    for (size_t i = 0; i < parts; i++) {
        const size_t from = count / parts * i, end = i + 1 < parts ? from + count / parts : count;
        work[i] = (part){o, a, first + from, end - from, to + from * o->bytes};
        started[i] = i > 0 && pthread_create(&thread[i], NULL, pack_part, &work[i]) == 0;
    }
    for (size_t i = 0; i < parts; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
        else
            pack_part(&work[i]);
}

void ss_host_pack(const ss_host_array *h, int place, uint64_t first, size_t count, char *to,
                  int threads)
{
    axes a;
    join(&a, h, &h->operand[place]);
    pack_all(&h->operand[place], &a, first, count, to, threads);
}

/* ---- whole arrays -----------------------------------------------------------------------------
 */

/* The block of memory from the lowest to the highest element, where it is no larger than all
 * elements packed. */
static int find_block(ss_host_trip *trip, const ss_host_array *h, const ss_host_operand *o)
{
    uint64_t span = o->bytes, below = 0;
    for (int k = 0; k < h->dims; k++) {
        const uint64_t stride = (uint64_t)(o->stride[k] < 0 ? -o->stride[k] : o->stride[k]);
        const uint64_t steps = h->shape[k] - 1, limit = trip->bytes;
        if (steps > 0 && (stride % o->unit || stride > limit / steps))
            return 0;
        span += steps * stride;
        below += o->stride[k] < 0 ? steps * stride : 0;
        if (span > limit)
            return 0;
    }
    trip->bytes = span;
    trip->block = o->at - below;
    trip->origin = below;
    memcpy(trip->stride, o->stride, sizeof trip->stride);
    return 1;
}

void ss_host_trip_plan(ss_host_trip *trip, const ss_host_array *h, int place)
{
    const ss_host_operand *o = &h->operand[place];
    *trip = (ss_host_trip){.bytes = o->at ? h->elements * o->bytes : 0};
    if (!o->at || (!o->bits && find_block(trip, h, o)))
        return;
    size_t dense = o->bytes;
    for (int k = h->dims - 1; k >= 0; k--) {
        trip->stride[k] = (ptrdiff_t)dense;
        dense *= h->shape[k];
    }
}

void ss_host_trip_bytes(const ss_host_trip *trip, const ss_host_array *h, int place, uint64_t first,
                        size_t count, char *to, int threads)
{
    const size_t bytes = h->operand[place].bytes;
    if (!trip->block) {
        ss_host_pack(h, place, first / bytes, count / bytes, to, threads);
        return;
    }
    const ss_host_operand block = {.at = trip->block, .bytes = 1, .unit = 1, .stride = {1}};
    const axes line = {.dims = 1, .extent = {(size_t)trip->bytes}, .stride = {1}};
    pack_all(&block, &line, first, count, to, threads);
}

void ss_host_arrived(samesum_array *array, const ss_host_array *h,
                     const ss_host_trip trip[SS_PLACES], const size_t *n,
                     char *const place[SS_PLACES])
{
    *array = h->described;
    array->dims = trip ? h->dims : 1;
    array->shape = trip ? h->shape : n;
    array->x = place[SS_X];
    array->strides = trip ? trip[SS_X].stride : NULL;
    array->weights = h->described.weights ? place[SS_Y] : NULL;
    array->weights_strides = trip ? trip[SS_Y].stride : NULL;
    array->y = h->described.weights ? NULL : place[SS_Y];
    array->y_strides = array->weights_strides;
    array->mask_kind = place[SS_MASK] ? SAMESUM_MASK_BYTES : SAMESUM_MASK_NONE;
    array->mask = place[SS_MASK];
    array->mask_strides = trip ? trip[SS_MASK].stride : NULL;
}
