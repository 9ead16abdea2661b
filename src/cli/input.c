#include "input.h"

#include "message.h"
#include "progress.h"
#include "temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *suffix_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash ? slash : name, '.');
    return dot ? dot : "";
}

static bool is_one_of(const char *suffix, const char *a, const char *b, const char *c)
{
    return strcasecmp(suffix, a) == 0 || strcasecmp(suffix, b) == 0 || strcasecmp(suffix, c) == 0;
}

static enum format format_of(struct input *in)
{
    if (strcmp(in->name, "-") == 0) {
        char magic[6];
        size_t got = bytes_peek(&in->bytes, magic, sizeof magic);
        return got == 6 && memcmp(magic, "\x93NUMPY", 6) == 0 ? FORMAT_NPY : FORMAT_TEXT;
    }
    const char *suffix = suffix_of(in->name);
    if (strcasecmp(suffix, ".npy") == 0)
        return FORMAT_NPY;
    if (is_one_of(suffix, ".csv", ".txt", ".dat"))
        return FORMAT_TEXT;
    if (is_one_of(suffix, ".bin", ".raw", ".raw") || dtype_from_suffix(suffix) != DTYPE_NONE)
        return FORMAT_RAW;
    die_usage("%s: the suffix '%s' says nothing about the format; give --format npy, raw or text",
              in->name, suffix);
}

void input_open(struct input *in, const char *name, const struct file_options *options)
{
    *in = (struct input){.name = name, .format = options->format};
    bytes_open(&in->bytes, name);
    if (in->format == FORMAT_BY_NAME)
        in->format = format_of(in);
    if (in->format == FORMAT_NPY)
        npy_open(in, options);
    else if (in->format == FORMAT_RAW)
        raw_open(in, options);
    else
        text_open(in, options);
}

void input_close(struct input *in)
{
    free(in->reader);
    free(in->lines);
    free(in->memory);
    in->reader = NULL;
    in->lines = NULL;
    in->memory = NULL;
    bytes_close(&in->bytes);
}

size_t input_next(struct input *in, void *buffer, size_t max, const void **at)
{
    size_t got;
    if (in->mapped) {
        uint64_t left = in->n - in->position;
        got = left < max ? (size_t)left : max;
        *at = in->data ? (const char *)in->data + in->position * in->size : NULL;
    } else {
        got = in->read(in, buffer, max);
        *at = buffer;
    }
    in->position += got;
    return got;
}

/* Moves all elements, the first got of which are in memory, to a temporary file and maps it. */
static void spool(struct input *in, size_t got, size_t chunk)
{
    int fd = temporary_open(in->name);
    temporary_write(fd, in->name, in->memory, got * in->size);
    while (got == chunk) {
        const void *at;
        got = input_next(in, in->memory, chunk, &at);
        temporary_write(fd, in->name, in->memory, got * in->size);
        progress_show(in->position, in->count_known ? in->n : 0);
    }
    progress_end();
    free(in->memory);
    in->memory = NULL;
    bytes_become(&in->bytes, fd, in->position * in->size);
    in->data = bytes_map(&in->bytes);
}

void input_gather(struct input *in, size_t chunk)
{
    if (in->mapped)
        return;
    const void *at;
    in->memory = need_memory(chunk * in->size);
    size_t got = input_next(in, in->memory, chunk, &at);
    if (got == chunk)
        spool(in, got, chunk);
    else
        in->data = in->memory;
    in->n = in->position;
    in->position = 0;
    in->mapped = true;
    in->fortran = false;
    if (!in->count_known)
        in->shape = shape_of(in->n);
    in->count_known = true;
}

const void *input_whole(struct input *in, void **owned)
{
    *owned = NULL;
    bool aligned = (uintptr_t)in->data % in->size == 0;
    if (in->mapped && aligned)
        return in->data;

    size_t room = in->count_known ? (size_t)in->n + 1 : 1 << 16, n = 0, got;
    char *all = need_memory(room * in->size);
    const void *at;
    while ((got = input_next(in, all + n * in->size, room - n, &at)) > 0) {
        if (in->mapped)
            memcpy(all + n * in->size, at, got * in->size);
        n += got;
        if (n == room) {
            if (room > SIZE_MAX / 2 / in->size)
                die_bad("%s: too large for this machine's memory", in->name);
            room *= 2;
            all = need_more_memory(all, room * in->size);
        }
    }
    if (!in->count_known) {
        in->count_known = true;
        in->n = n;
        in->shape = shape_of(n);
    }
    *owned = all;
    return all;
}

bool input_strides(const struct input *in, ptrdiff_t strides[MAX_DIMENSIONS])
{
    if (!in->mapped && !in->fortran)
        return false;
    const int last = in->shape.dimensions - 1;
    uint64_t step = in->size;
    for (int k = 0; k <= last; k++) {
        int axis = in->fortran ? k : last - k;
        strides[axis] = (ptrdiff_t)step;
        if (in->n > 0) /* else a shape with a zero in it may be huge otherwise */
            step *= in->shape.extent[axis];
    }
    return true;
}

struct shape shape_of(uint64_t n)
{
    return (struct shape){.dimensions = 1, .extent = {n}};
}

void shape_text(const struct shape *shape, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "(");
    for (int i = 0; i < shape->dimensions && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%llu", i ? ", " : "",
                               (unsigned long long)shape->extent[i]);
    if (at < size)
        snprintf(text + at, size - at, shape->dimensions == 1 ? ",)" : ")");
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
    bool equal = a->dimensions == b->dimensions;
    for (int i = 0; equal && i < a->dimensions; i++)
        equal = a->extent[i] == b->extent[i];
    return equal;
}
