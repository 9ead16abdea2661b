/* input.h - a file of numbers as a sequence of elements in logical C order. */
#ifndef SAMESUM_CLI_INPUT_H
#define SAMESUM_CLI_INPUT_H

#include "bytes.h"
#include "request.h"

enum { MAX_DIMENSIONS = 64 };

struct shape {
    int dimensions;
    uint64_t extent[MAX_DIMENSIONS];
};

struct input {
    const char *name; /* as on the command line */
    enum dtype dtype;
    size_t size; /* bytes of one element */
    enum format format;
    struct bytes bytes;

    bool count_known; /* before everything is read; n and shape then hold */
    uint64_t n;
    struct shape shape;

    bool mapped;       /* the elements lie at data, in this machine's byte order and in C order */
    bool fortran;      /* likewise, but the first axis is the fastest; then mapped is false */
    const void *data;  /* where mapped or fortran (NULL where n is 0) */
    uint64_t position; /* elements given out so far */

    /* Of the format: writes up to max elements to buffer; fewer only at the end. */
    size_t (*read)(struct input *in, void *buffer, size_t max);
    void *reader; /* the format's own state, freed by input_close() */
    char *lines;  /* of a text: its read buffer, freed likewise */
    void *memory; /* what input_gather() read, freed likewise */
};

/* Opens name and finds out what it holds. Whatever is wrong with it ends the program: EXIT_USAGE
 * where an option has to be given, else EXIT_BAD. */
void input_open(struct input *in, const char *name, const struct file_options *options);
void input_close(struct input *in);

/* The next max elements; fewer only at the end. *at points to them: into the mapped file, or to
 * buffer, which has room for max elements and is not used where the input is mapped. */
size_t input_next(struct input *in, void *buffer, size_t max, const void **at);

/* Makes all elements lie at data (mapped is true afterwards; n and shape hold), for an operation
 * that needs them twice. What has to be read or converted for that is read chunk elements at a
 * time: if that is all, it stays in memory, else it goes to a temporary file, which is mapped. To
 * be called before input_next(). */
void input_gather(struct input *in, size_t chunk);

/* Whether all elements lie at data, in C or in Fortran order. strides then receives the bytes from
 * one index to the next of each axis. */
bool input_strides(const struct input *in, ptrdiff_t strides[MAX_DIMENSIONS]);

/* All elements at once, aligned. *owned receives memory to free, or NULL. Sets n and shape. */
const void *input_whole(struct input *in, void **owned);

/* A one-dimensional shape of n elements. */
struct shape shape_of(uint64_t n);
/* Text such as "(2, 3)"; writes at most size bytes. */
void shape_text(const struct shape *shape, char *text, size_t size);
bool shape_equal(const struct shape *a, const struct shape *b);

/* The formats; each fills in what input_open() left open. */
void npy_open(struct input *in, const struct file_options *options);
void raw_open(struct input *in, const struct file_options *options);
void text_open(struct input *in, const struct file_options *options);

/* Binary elements, for npy_open() and raw_open(): n and shape are set where count_known.
 * swap: they are in the other byte order. fortran: the first axis is the fastest. */
void array_open(struct input *in, bool swap, bool fortran);

#endif
