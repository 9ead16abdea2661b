/* array.c - binary elements in a mapped file or a stream, for .npy and raw files. */
#include "input.h"
#include "message.h"

#include <string.h>

struct array {
    bool swap;
    bool end_seen;
    uint64_t index[MAX_DIMENSIONS]; /* Fortran order: of the next element */
};

static void swap_bytes(const struct input *in, void *buffer, size_t count)
{
    const size_t width = dtype_row(dtype_row(in->dtype)->part)->size; /* of a complex one's parts */
    const size_t numbers = count * (in->size / width);
    uint16_t half;
    uint32_t single;
    uint64_t wide;
    char *at = buffer;
    for (size_t i = 0; i < numbers; i++, at += width) {
        if (width == 8) {
            memcpy(&wide, at, 8);
            wide = __builtin_bswap64(wide);
            memcpy(at, &wide, 8);
        } else if (width == 4) {
            memcpy(&single, at, 4);
            single = __builtin_bswap32(single);
            memcpy(at, &single, 4);
        } else if (width == 2) {
            memcpy(&half, at, 2);
            half = __builtin_bswap16(half);
            memcpy(at, &half, 2);
        }
    }
}

/* A mapped file in C order and the other byte order. */
static size_t read_mapped(struct input *in, void *buffer, size_t max)
{
    const struct array *a = in->reader;
    uint64_t left = in->n - in->position;
    size_t count = left < max ? (size_t)left : max;
    if (count)
        memcpy(buffer, (const char *)in->data + in->position * in->size, count * in->size);
    if (a->swap)
        swap_bytes(in, buffer, count);
    return count;
}

/* A mapped file in Fortran order: walks through the indices in C order (last axis fastest). */
static size_t read_fortran(struct input *in, void *buffer, size_t max)
{
    struct array *a = in->reader;
    const int last = in->shape.dimensions - 1;
    uint64_t left = in->n - in->position;
    size_t count = left < max ? (size_t)left : max, done = 0;
    while (done < count) {
        uint64_t offset = 0, stride = 1; /* in elements */
        for (int d = 0; d < last; d++) {
            offset += a->index[d] * stride;
            stride *= in->shape.extent[d];
        }
        uint64_t row_left = in->shape.extent[last] - a->index[last];
        size_t run = row_left < count - done ? (size_t)row_left : count - done;
        for (size_t i = 0; i < run; i++)
            memcpy((char *)buffer + (done + i) * in->size,
                   (const char *)in->data + (offset + (a->index[last] + i) * stride) * in->size,
                   in->size);
        done += run;
        a->index[last] += run;
        for (int d = last; d > 0 && a->index[d] == in->shape.extent[d]; d--) {
            a->index[d] = 0;
            a->index[d - 1]++;
        }
    }
    if (a->swap)
        swap_bytes(in, buffer, count);
    return count;
}

static size_t read_stream(struct input *in, void *buffer, size_t max)
{
    struct array *a = in->reader;
    uint64_t left = in->count_known ? in->n - in->position : UINT64_MAX;
    size_t want = left < max ? (size_t)left : max;
    size_t bytes = want ? bytes_read(&in->bytes, buffer, want * in->size) : 0;
    size_t count = bytes / in->size;
    if (in->count_known) {
        if (count < want)
            die_bad("%s: truncated: the header promises %llu elements, the data end within "
                    "element %llu",
                    in->name, (unsigned long long)in->n,
                    (unsigned long long)(in->position + count));
        char more;
        if (count == left && !a->end_seen && bytes_read(&in->bytes, &more, 1) == 1)
            die_bad("%s: there are bytes behind the %llu elements that the header promises",
                    in->name, (unsigned long long)in->n);
        a->end_seen = a->end_seen || count == left;
    } else if (bytes % in->size) {
        die_bad("%s: the size is not a multiple of %zu, the bytes of one element; the last %zu "
                "bytes are left over",
                in->name, in->size, bytes % in->size);
    }
    if (a->swap)
        swap_bytes(in, buffer, count);
    return count;
}

void array_open(struct input *in, bool swap, bool fortran)
{
    int long_axes = 0; /* with one axis longer than 1 both orders are the same */
    for (int d = 0; d < in->shape.dimensions; d++)
        long_axes += in->shape.extent[d] > 1;
    fortran = fortran && long_axes > 1 && in->n > 0;

    struct array *a = need_memory(sizeof *a);
    *a = (struct array){.swap = swap};
    in->reader = a;
    if (fortran && !in->bytes.regular)
        bytes_spool(&in->bytes); /* the first row needs the whole file */
    if (!in->bytes.regular) {
        in->read = read_stream;
        return;
    }

    uint64_t expected = in->n * in->size;
    if (in->bytes.left < expected)
        die_bad("%s: truncated: %llu elements of %zu bytes are expected, %llu bytes are there",
                in->name, (unsigned long long)in->n, in->size, (unsigned long long)in->bytes.left);
    if (in->bytes.left > expected)
        die_bad("%s: %llu bytes are left over behind the %llu elements", in->name,
                (unsigned long long)(in->bytes.left - expected), (unsigned long long)in->n);
    in->data = bytes_map(&in->bytes);
    in->mapped = !swap && !fortran;
    in->fortran = !swap && fortran;
    in->read = fortran ? read_fortran : read_mapped;
}
